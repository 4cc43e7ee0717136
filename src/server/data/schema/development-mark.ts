import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { queryRows } from '../database/rows.ts';

/** Mark of a database whose last server ran in development: the comment on the table of the migrations. */
const mark = 'development';

/** Marks the database as one of development, or removes the mark when a server in another mode uses it. */
export const markDatabase = (db: Database, mode: string): Promise<void> =>
  db.asPlatform('the mark belongs to the database', async () => {
    const isMarked = await isOfDevelopment(db);
    if (isMarked !== (mode === 'development')) await db.script(`comment on table schema_migration is ${isMarked ? 'null' : `'${mark}'`}`);
  });

/** Tests whether the last server on this database ran in development; only such a database may be reset. Call it in `asPlatform`. */
export async function isOfDevelopment(db: Database): Promise<boolean> {
  const [row] = await queryRows<{ mark: string | null }>(db, sql`select obj_description(to_regclass('schema_migration'), 'pg_class') as mark`);
  return row?.mark === mark;
}
