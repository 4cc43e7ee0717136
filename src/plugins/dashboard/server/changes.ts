import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';

/** Returns the number of row changes per entity in the current tenant. While a number is unchanged, metrics derived from the entity remain valid. */
export async function changesOf(db: ServerContext['db'], entities: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(entities)].filter((name) => db.entities.has(name));
  const rows = await queryRows<{ name: string; changes: string }>(
    db,
    sql`select name, (kept_count(name, false))[2]::text as changes from unnest(${`{${names.join(',')}}`}::text[]) name`,
  );
  return new Map(rows.map(({ name, changes }) => [name, changes]));
}
