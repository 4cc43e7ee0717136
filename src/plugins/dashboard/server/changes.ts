import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';

/** How often rows of entities have changed in the tenant at work, by name: while it stands still, everything counted from them holds. */
export async function changesOf(db: ServerContext['db'], entities: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(entities)].filter((name) => db.entities.has(name));
  const rows = await rowsOf<{ name: string; changes: string }>(
    db,
    sql`select name, (kept_count(name, false))[2]::text as changes from unnest(${`{${names.join(',')}}`}::text[]) name`,
  );
  return new Map(rows.map(({ name, changes }) => [name, changes]));
}
