import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { ArchivedMigration, ArchivedSequence, ArchivedTable } from './archive.ts';

/** Target size of a chunk of rows in characters. */
const chunkChars = 1024 * 1024;
const maxRows = 4096;
/** Maximum number of rows to fetch at once, which bounds the memory if they are much longer than the rows before them. */
const maxFetched = 128;

/** Quotes an identifier for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Lists the tables of the database that contain rows, with the columns that are stored. Call it inside `snapshot`. */
export async function dumpedTables(db: Database): Promise<ArchivedTable[]> {
  const rows = await queryRows<{ name: string; columns: [string, string][] | null; parent: string | null; bound: string | null }>(
    db,
    sql`select c.relname as name, parent.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound, (
          select json_agg(json_build_array(a.attname, case a.atttypid when 'bpchar'::regtype then 'bpchar' else format_type(a.atttypid, null) end) order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        ) as columns
        from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence <> 't' order by c.relname`,
  );
  return rows.map(({ name, columns, parent, bound }) => ({
    name,
    columns: (columns ?? []).map(([column, type]) => ({ name: column, type })),
    partition: parent === null || bound === null ? undefined : { of: parent, bound },
  }));
}

/** Throws if row level security hides rows from the login, which would make a backup of the others. */
export async function assertSeesAllRows(db: Database): Promise<void> {
  const [hidden] = await queryRows<{ name: string; login: string }>(
    db,
    sql`select c.relname as name, current_user::text as login from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
          and not (select rolsuper or rolbypassrls from pg_roles where rolname = current_user)
          and not exists (
            select from pg_policy p where p.polrelid = c.oid and p.polname = 'owner' and pg_has_role(current_user, p.polroles[1], 'usage')
          )
        limit 1`,
  );
  if (hidden) throw new Error(`The login ${hidden.login} does not see all rows of ${hidden.name}. Use the DATABASE_URL of the server.`);
}

/** Lists the applied migrations; those from packages with their texts. */
export async function appliedMigrations(db: Database): Promise<ArchivedMigration[]> {
  const applied = await queryRows<ArchivedMigration>(db, sql`select plugin, name, hash from schema_migration order by applied_at, plugin, name`);
  const [table] = await queryRows<{ exists: boolean }>(db, sql`select to_regclass('plugin_migration') is not null as exists`);
  if (!table?.exists) return applied;
  const packaged = await queryRows<{ hash: string; text: string }>(db, sql`select hash, text from plugin_migration`);
  const texts = new Map(packaged.map(({ hash, text }) => [hash, text]));
  return applied.map((migration) => ({ ...migration, ...(texts.has(migration.hash) ? { text: texts.get(migration.hash) as string } : {}) }));
}

/** Reads the states of all sequences; they are never behind the snapshot. */
export async function dumpedSequences(db: Database): Promise<ArchivedSequence[]> {
  const found = await queryRows<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`,
  );
  const states: ArchivedSequence[] = [];
  for (const { name } of found) {
    const [row] = await db.rows(`select last_value::text, is_called from ${quoted(name)}`, []);
    states.push({ name, value: String(row?.[0]), isCalled: row?.[1] === true });
  }
  return states;
}

/** Reads the rows of a table in chunks, each row as a line: a JSON array of the texts of its values. */
export function dumpedRows(db: Database, { name, columns }: ArchivedTable): AsyncGenerator<string[]> {
  const values = columns.map((column) => `${quoted(column.name)}::text`).join(', ');
  return readChunks(db, `select array_to_json(array[${values}]::text[])::text from only ${quoted(name)}`);
}

/** Reads the texts that a statement selects through a cursor, in chunks of about the same size. */
export async function* readChunks(db: Database, statement: string): AsyncGenerator<string[]> {
  await db.script(`declare backup_rows no scroll cursor for ${statement}`);
  let [chunk, chunkSize, count] = [[] as string[], 0, 16];
  for (let isLast = false; !isLast; ) {
    const lines = (await db.rows(`fetch forward ${count} from backup_rows`, [])).map(([line]) => String(line));
    isLast = lines.length < count;
    const chars = lines.reduce((sum, line) => sum + line.length, 0);
    chunk.push(...lines);
    chunkSize += chars;
    if (chunk.length > 0 && (isLast || chunkSize >= chunkChars || chunk.length >= maxRows)) {
      yield chunk;
      [chunk, chunkSize] = [[], 0];
    }
    // Powers of two, so that the number of different statements is small.
    if (chars > chunkChars) count = Math.max(1, 2 ** Math.floor(Math.log2((count * chunkChars) / chars)));
    else if (chars * 2 < chunkChars && count < maxFetched) count *= 2;
  }
  await db.script('close backup_rows');
}
