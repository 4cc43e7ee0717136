import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext, visibleRows } from '#server';
import type { Entity } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { snakeCase } from '#shared/text';
import type { AttachUse } from '../contract.ts';

const maxPerFile = 20;
const maxFiles = 200;
const holding = new Set(['image', 'attachment', 'rich-text']);

/** Finds records whose files, pictures or formatted texts link to the files, within the caller's data scope. It scans whole tables, so use it only before a deletion. */
export async function usesOf(db: ServerContext['db'], files: readonly { readonly id: string; readonly name: string }[]): Promise<AttachUse[]> {
  const checkedFiles = files.slice(0, maxFiles);
  if (checkedFiles.length === 0) return [];
  const ids = new Map(checkedFiles.map(({ id, name }) => [name, id]));
  const patterns = `{${checkedFiles.map(({ name }) => `%key=${name}%`).join(',')}}`;
  const uses: AttachUse[] = [];
  for (const entity of db.entities.values()) {
    for (const { id, record, held } of await referring(db, entity, patterns)) {
      const keys = new Set([...held.matchAll(/key=([0-9a-f]{32})/g)].map(([, key]) => key ?? ''));
      for (const key of keys) {
        const fileId = ids.get(key);
        if (fileId) uses.push({ fileId, screen: await screenOf(db, entity), record: record ?? id, recordId: id });
      }
    }
  }
  return uses;
}

interface ReferringRow {
  readonly id: string;
  readonly record: string | null;
  readonly held: string;
}

async function referring(db: ServerContext['db'], entity: Entity, patterns: string): Promise<ReferringRow[]> {
  const fields = Object.entries(entity.fields).filter(([, schema]) => holding.has(traitsOf(schema)?.widget ?? ''));
  if (fields.length === 0) return [];
  const held = sql`concat_ws(' ', ${sql.join(
    fields.map(([name]) => sql`${sql.identifier(snakeCase(name))}::text`),
    sql`, `,
  )})`;
  const named = Object.entries(entity.fields).find(([, schema]) => traitsOf(schema)?.widget === 'text' && traitsOf(schema)?.list !== false)?.[0];
  const record = named === undefined ? sql`null` : sql`${sql.identifier(snakeCase(named))}::text`;
  return queryRows<ReferringRow>(
    db,
    sql`select id::text as id, ${record} as record, ${held} as held from ${sql.identifier(snakeCase(entity.name))}
        where is_deleted = 0 and ${held} like any(${patterns}::text[]) and ${visibleRows(db, entity.name)} limit ${maxPerFile}`,
  );
}

/** Returns the title of the page that lists these rows. */
async function screenOf(db: ServerContext['db'], { name }: Entity): Promise<string> {
  const [menu] = await queryRows<{ name: string }>(db, sql`select name from menu where code = ${name} limit 1`);
  return menu?.name ?? name;
}
