import { sql } from 'drizzle-orm';
import { ApiError, idArray, type PluginRoute, problems, queryRows, type Repository, repositoryOf, route, type ServerContext, sanitizeFilename } from '#server';
import type { RowOf } from '#shared/contract';
import {
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
import { usesOf } from './uses.ts';

/** Serves uploaded files: search, temporary links, and deletion with a check of references. */
export function attachmentRoutes({ db, files }: ServerContext): PluginRoute[] {
  const rows: Repository<typeof attach.entity> = repositoryOf(db, attach.entity);
  const withLink = (row: RowOf<typeof attach.entity>): AttachRow => ({
    ...row,
    link: files.linkTo({ key: row.name, isPublic: row.isPublic }),
    domainUrl: '',
  });

  const mark = async (ids: readonly string[], isKept: boolean) => {
    if ((await rows.list(hasIds(ids))).length !== new Set(ids).size) throw new ApiError(problems.notFound);
    await queryRows(db, sql`update stored_file set is_kept = ${isKept} where ${hasIds(ids)} and stage = 'kept'`);
  };
  const named = (name = '') => rows.find({ name });

  return [
    route(attach.list, async ({ input }) => {
      // The row counters cover tables but not views, so the total is counted by a condition.
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
        await files.remove(
          tenantId,
          fileRows.map(({ id }) => id),
        );
      },
      { manualTransactions: true },
    ),
    route(renameAttachment, async ({ input: { id, originalName } }) => {
      await rows.detail(id);
      await queryRows(db, sql`update stored_file set name = ${sanitizeFilename(originalName)} where id = ${id} and stage = 'kept'`);
      return withLink(await rows.detail(id));
    }),
    route(keepAttachments, ({ input: { ids } }) => mark(ids, true)),
    route(releaseAttachments, ({ input: { ids } }) => mark(ids, false)),
    route(fileLink, async ({ input }) => {
      const row = await named(input.fileName);
      return row ? withLink(row).link : null;
    }),
    route(filePath, async ({ input }) => {
      const row = await named(input.fileName);
      return row ? files.linkTo({ key: row.name, isPublic: true }) : null;
    }),
    route(statFile, async ({ input }) => {
      const row = await named(input.fileName);
      return row ? { link: withLink(row).link, name: row.name, length: row.attachSize, putTime: row.createTime, contentType: row.type } : null;
    }),
  ];
}

const hasIds = (ids: readonly string[]) => sql`id = any(${idArray(ids)})`;
