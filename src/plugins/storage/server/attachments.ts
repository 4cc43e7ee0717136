import { sql } from 'drizzle-orm';
import {
  ApiError,
  idArray,
  type PluginRoute,
  problems,
  queryRows,
  type Repository,
  repositoryOf,
  route,
  type ServerContext,
  sanitizeFilename,
  visibleRows,
} from '#server';
import type { Entity, RowOf } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import {
  type AttachmentUse,
  type AttachRow,
  attach,
  attachProblems,
  fileLink,
  filePath,
  keepAttachments,
  releaseAttachments,
  removeAttachments,
  renameAttachment,
  statFile,
} from '../contract.ts';

/** Serves uploaded files: search, temporary links, and deletion with a check of references. */
export function attachmentRoutes({ db, files }: ServerContext): PluginRoute[] {
  const rows: Repository<typeof attach.entity> = repositoryOf(db, attach.entity);
  const withLink = (row: RowOf<typeof attach.entity>): AttachRow => ({
    ...row,
    link: files.linkTo({ key: row.name, isPublic: row.isPublic }),
    domainUrl: '',
  });

  const setProtected = async (ids: readonly string[], isProtected: boolean) => {
    if ((await rows.list(hasIds(ids))).length !== new Set(ids).size) throw new ApiError(problems.notFound);
    await queryRows(db, sql`update stored_file set is_kept = ${isProtected} where ${hasIds(ids)} and stage = 'kept'`);
  };
  const findByKey = (name = '') => rows.find({ name });

  return [
    route(attach.list, async ({ input }) => {
      // This entity is a view, for which there is no row counter; with any condition, `page` counts the rows.
      const { records, ...page } = await rows.page(input, sql`true`);
      return { ...page, records: records.map(withLink) };
    }),
    route(attach.detail, async ({ input }) => withLink(await rows.detail(input.id))),
    route(attach.uses, async ({ input }) => usesOf(db, await rows.list(hasIds(input.ids)))),
    route(
      removeAttachments,
      async ({ input: { ids, evenUsed = false }, principal: { tenantId } }) => {
        const fileRows = await db.read({ tenantId }, async () => {
          const found = await rows.list(hasIds(ids));
          if (found.length !== new Set(ids).size) throw new ApiError(problems.notFound);
          const uses = evenUsed ? [] : await usesOf(db, found);
          if (uses.length > 0) throw new ApiError(attachProblems.used, { count: uses.length });
          return found;
        });
        const fileIds = fileRows.map(({ id }) => id);
        await files.remove(tenantId, fileIds);
      },
      { manualTransactions: true },
    ),
    route(renameAttachment, async ({ input: { id, originalName } }) => {
      await rows.detail(id);
      await queryRows(db, sql`update stored_file set name = ${sanitizeFilename(originalName)} where id = ${id} and stage = 'kept'`);
      return withLink(await rows.detail(id));
    }),
    route(keepAttachments, ({ input: { ids } }) => setProtected(ids, true)),
    route(releaseAttachments, ({ input: { ids } }) => setProtected(ids, false)),
    route(fileLink, async ({ input }) => {
      const row = await findByKey(input.fileName);
      return row ? withLink(row).link : null;
    }),
    route(filePath, async ({ input }) => {
      const row = await findByKey(input.fileName);
      return row ? files.linkTo({ key: row.name, isPublic: true }) : null;
    }),
    route(statFile, async ({ input }) => {
      const row = await findByKey(input.fileName);
      return row ? { link: withLink(row).link, name: row.name, length: row.attachSize, putTime: row.createTime, contentType: row.type } : null;
    }),
  ];
}

const hasIds = (ids: readonly string[]) => sql`id = any(${idArray(ids)})`;

const maxRowsPerEntity = 20;
const linkWidgets = new Set(['image', 'attachment', 'rich-text']);

/** Finds records with an attachment, a picture or a formatted text that links to these files, within the caller's data scope. It scans whole tables, so that it is used only before a deletion. */
async function usesOf(db: ServerContext['db'], files: readonly { readonly id: string; readonly name: string }[]): Promise<AttachmentUse[]> {
  if (files.length === 0) return [];
  const ids = new Map(files.map(({ id, name }) => [name, id]));
  const patterns = `{${files.map(({ name }) => `%key=${name}%`).join(',')}}`;
  const uses: AttachmentUse[] = [];
  for (const entity of db.entities.values()) {
    const rows = await rowsWithLinks(db, entity, patterns);
    if (rows.length === 0) continue;
    const screen = await screenOf(db, entity);
    for (const { id, record, links } of rows) {
      const keys = new Set([...links.matchAll(/key=([0-9a-f]{32})/g)].map(([, key]) => key ?? ''));
      for (const key of keys) {
        const fileId = ids.get(key);
        if (fileId) uses.push({ fileId, screen, record: record ?? id, recordId: id });
      }
    }
  }
  return uses;
}

interface LinkedRow {
  readonly id: string;
  readonly record: string | null;
  readonly links: string;
}

async function rowsWithLinks(db: ServerContext['db'], entity: Entity, patterns: string): Promise<LinkedRow[]> {
  const fields = Object.entries(entity.fields).filter(([, schema]) => linkWidgets.has(traitsOf(schema)?.widget ?? ''));
  if (fields.length === 0) return [];
  const links = sql`concat_ws(' ', ${sql.join(
    fields.map(([name]) => sql`${sql.identifier(snakeCase(name))}::text`),
    sql`, `,
  )})`;
  const titleField = Object.entries(entity.fields).find(([, schema]) => traitsOf(schema)?.widget === 'text' && traitsOf(schema)?.list !== false)?.[0];
  const record = titleField === undefined ? sql`null` : sql`${sql.identifier(snakeCase(titleField))}::text`;
  return queryRows<LinkedRow>(
    db,
    sql`select id::text as id, ${record} as record, ${links} as links from ${sql.identifier(snakeCase(entity.name))}
        where is_deleted <> 1 and ${links} like any(${patterns}::text[]) and ${visibleRows(db, entity.name)} limit ${maxRowsPerEntity}`,
  );
}

/** Returns the title of the page that lists these rows. */
async function screenOf(db: ServerContext['db'], { name }: Entity): Promise<string> {
  const [menu] = await queryRows<{ name: string }>(db, sql`select name from menu where code = ${name} limit 1`);
  return menu?.name ?? name;
}
