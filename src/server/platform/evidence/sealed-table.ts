import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows, textArray } from '../../data/database/rows.ts';

/** A table whose rows are written once and sealed. It has the columns `id`, by default `next_id()`, `tenant_id` and `create_time`. */
export interface SealedTable {
  readonly table: string;
  /** True if rows are never deleted, not even with their tenant. */
  readonly isPermanent?: boolean;
  /** Finds records of a tenant that differ from the last sealed row about them; at most twenty, each with a name for reports. */
  readonly differing?: (tenant: string) => SQL;
}

/** Sealed tables of the kernel: calls, sign-ins, background work, changes of records, and who has read personal data. */
export const auditTables: readonly SealedTable[] = ['api_log', 'login_log', 'usual_log', 'record_change', 'personal_access'].map((table) => ({ table }));

/** A sealed row; `body` is the JSON array of its columns as texts, and `at` the second of its creation. */
export interface SealedRow {
  readonly id: string;
  readonly at: number;
  readonly body: string;
}

/** Part of the rows of a tenant: ids greater than `after`, up to `to`. */
export interface RowRange {
  readonly tenant: string;
  readonly after: string;
  readonly to: string;
}

/** Returns the names and types of the columns of a table, in their order; none if it does not exist. */
export async function columnsOf(db: Database, table: string): Promise<Map<string, string>> {
  const rows = await queryRows<{ name: string; type: string }>(
    db,
    sql`select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Converts a column to a text that depends on no setting of the session. */
function textOf(name: string, type: string | undefined): SQL {
  const column = sql.identifier(name);
  if (type === 'timestamptz' || type === 'timestamp') return sql`(extract(epoch from ${column}) * 1000000)::bigint::text`;
  if (type === 'date') return sql`to_char(${column}, 'YYYY-MM-DD')`;
  if (type === 'bytea') return sql`encode(${column}, 'hex')`;
  return sql`${column}::text`;
}

/** Reads rows in the order of their ids, each as the JSON that `JSON.stringify` writes for an array of its texts. */
export function readRows(db: Database, table: string, columns: ReadonlyMap<string, string>, range: RowRange, limit: number): Promise<SealedRow[]> {
  const texts = sql.join(
    [...columns].map(([name, type]) => textOf(name, type)),
    sql`, `,
  );
  return queryRows<SealedRow>(
    db,
    sql`select id::text as id, floor(extract(epoch from create_time))::float8 as at, to_json(array[${texts}])::text as body from ${sql.identifier(table)}
        where tenant_id = ${range.tenant} and id > ${range.after}::bigint and id <= ${range.to}::bigint order by tenant_id, id limit ${limit}`,
  );
}

/** Lists the tenants that have rows in a table. */
export async function tenantsIn(db: Database, table: string): Promise<string[]> {
  const name = sql.identifier(table);
  const rows = await queryRows<{ tenant: string }>(
    db,
    sql`with recursive met as (
          (select tenant_id from ${name} order by tenant_id limit 1)
          union all select (select t.tenant_id from ${name} t where t.tenant_id > met.tenant_id order by t.tenant_id limit 1) from met where met.tenant_id is not null
        ) select tenant_id as tenant from met where tenant_id is not null`,
  );
  return rows.map(({ tenant }) => tenant);
}

/** Builds the missing indexes by which rows of sealed tables are read, on a table or on each of its partitions, while the table is written. */
export async function indexSealedTables(db: Database, tables: readonly string[]): Promise<void> {
  const missing = await db.asPlatform('finds sealed tables without an index', () =>
    queryRows<{ name: string; index: string; isInvalid: boolean }>(
      db,
      sql`select quote_ident(c.relname) as name, quote_ident(c.relname || '_sealed') as index, x.indexrelid is not null as "isInvalid"
          from pg_class c left join pg_inherits h on h.inhrelid = c.oid
          join pg_class top on top.oid = coalesce(h.inhparent, c.oid)
          left join pg_class i on i.relname = c.relname || '_sealed' and i.relnamespace = c.relnamespace left join pg_index x on x.indexrelid = i.oid
          where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and top.relname = any(${textArray(tables)})
            and x.indisvalid is distinct from true`,
    ),
  );
  if (missing.length === 0) return;
  const statements = (way: string) =>
    missing.flatMap(({ name, index, isInvalid }) => [
      ...(isInvalid ? [`drop index ${way} if exists ${index}`] : []),
      `create index ${way} if not exists ${index} on ${name} (tenant_id, id)`,
    ]);
  if (db.engine === 'postgres') await db.runConcurrently(statements('concurrently'));
  else await db.asPlatform('builds indexes of sealed tables', () => db.script(statements('').join(';')));
}
