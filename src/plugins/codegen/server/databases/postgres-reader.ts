import { type SQL, sql } from 'drizzle-orm';
import { type Column, type DatabaseReader, maxColumns, maxTables, parseColumnType, type TableName } from './structure.ts';

/** Runs a query on PostgreSQL. */
export type QueryPostgres = (statement: SQL) => Promise<readonly object[]>;

interface ColumnRow {
  readonly name: string;
  readonly comment: string;
  readonly written: string;
  readonly nullable: number;
  readonly key: number;
  readonly once: number;
  readonly options: string;
  readonly target: string | null;
}

/** Reads the catalogue of PostgreSQL through any connection. */
export const postgresReader = (query: QueryPostgres, schema: string): DatabaseReader => ({
  async version() {
    const [row] = (await query(sql`select current_setting('server_version') as version`)) as { version: string }[];
    return `PostgreSQL ${row?.version ?? ''}`.trim();
  },

  async tables() {
    return (await query(sql`
      select c.relname::text as name, coalesce(obj_description(c.oid, 'pg_class'), '') as comment
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname limit ${maxTables}`)) as TableName[];
  },

  async columns(table) {
    const rows = (await query(sql`
      select
        a.attname::text as name,
        coalesce(col_description(c.oid, a.attnum), '') as comment,
        case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) else format_type(a.atttypid, a.atttypmod) end as written,
        (not (a.attnotnull or t.typnotnull))::integer as nullable,
        exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey))::integer as key,
        exists (
          select from pg_catalog.pg_index i
          where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum
        )::integer as once,
        coalesce((select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid), '[]')::text as options,
        (
          select f.relname::text from pg_catalog.pg_constraint k join pg_catalog.pg_class f on f.oid = k.confrelid
          where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] order by k.oid limit 1
        ) as target
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid
      join pg_catalog.pg_type t on t.oid = a.atttypid
      where n.nspname = ${schema} and c.relname = ${table} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      order by a.attnum limit ${maxColumns}`)) as ColumnRow[];
    return rows.map(columnOf);
  },
});

function columnOf({ name, comment, written, nullable, key, once, options, target }: ColumnRow): Column {
  const allowed = JSON.parse(options) as string[];
  return {
    name,
    comment,
    ...(allowed.length > 0 ? { type: 'enum', length: undefined, scale: undefined } : parseColumnType(written)),
    isNullable: Number(nullable) === 1,
    isKey: Number(key) === 1,
    isUnique: Number(once) === 1,
    options: allowed,
    references: target ?? undefined,
  };
}
