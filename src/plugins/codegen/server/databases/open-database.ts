import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { type Database, type Egress, platformTenant, queryRows } from '#server';
import { type DatasourceRow, drivers } from '../../contract.ts';
import { CatalogueTimeoutError, CatalogueTooLargeError } from './failures.ts';
import { type DatabaseColumn, type DatabaseReader, type DatabaseTable, maxColumns, maxTables, parseColumnType } from './structure.ts';

/** Runs a query on MySQL or MariaDB; values replace its question marks. */
type QueryMysql = (statement: string, values: readonly string[]) => Promise<readonly object[]>;

interface MysqlColumnRow {
  readonly name: string;
  readonly comment: string;
  readonly declaredType: string;
  readonly nullable: string;
  readonly columnKey: string;
  readonly target: string | null;
}

/** Reads the `information_schema` of MySQL or MariaDB. */
const mysqlReader = (query: QueryMysql, database: string): DatabaseReader => ({
  async version() {
    const [row] = (await query('select version() as version', [])) as { version: string }[];
    const version = row?.version ?? '';
    return /mariadb/i.test(version) ? `MariaDB ${version.replace(/-mariadb.*/i, '')}` : `MySQL ${version}`;
  },

  async tables() {
    const statement = `
      select table_name as name, table_comment as comment from information_schema.tables
      where table_schema = ? and table_type = 'BASE TABLE' order by table_name limit ${maxTables}`;
    return (await query(statement, [database])) as DatabaseTable[];
  },

  async columns(table) {
    const statement = `
      select
        c.column_name as name, c.column_comment as comment, c.column_type as declaredType, c.is_nullable as nullable, c.column_key as columnKey, k.target
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      left join (
        select column_name as name, min(referenced_table_name) as target from information_schema.key_column_usage
        where table_schema = ? and table_name = ? and referenced_table_name is not null group by column_name
      ) k on k.name = c.column_name
      where c.table_schema = ? and c.table_name = ? order by c.ordinal_position limit ${maxColumns}`;
    const rows = (await query(statement, [database, table, database, table])) as MysqlColumnRow[];
    const keys = rows.filter(({ columnKey }) => columnKey === 'PRI').length;
    return rows.map((row) => mysqlColumnOf(row, keys === 1));
  },
});

function mysqlColumnOf({ name, comment, declaredType, nullable, columnKey, target }: MysqlColumnRow, isOnlyKey: boolean): DatabaseColumn {
  const options = /^enum\(/i.test(declaredType) ? enumValues(declaredType) : [];
  return {
    name,
    comment,
    ...(/^(enum|set)\(/i.test(declaredType)
      ? { type: declaredType.slice(0, declaredType.indexOf('(')).toLowerCase(), length: undefined, scale: undefined }
      : parseColumnType(declaredType)),
    isNullable: nullable === 'YES',
    isKey: columnKey === 'PRI',
    isUnique: columnKey === 'UNI' || (columnKey === 'PRI' && isOnlyKey),
    options,
    references: target ?? undefined,
  };
}

/** Returns the values in `enum('a','it''s')`. */
const enumValues = (declaredType: string) => [...declaredType.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));

/** Runs a query on PostgreSQL. */
type QueryPostgres = (statement: SQL) => Promise<readonly object[]>;

interface ColumnRow {
  readonly name: string;
  readonly comment: string;
  readonly declaredType: string;
  readonly nullable: number;
  readonly isKey: number;
  readonly isUnique: number;
  readonly options: string;
  readonly target: string | null;
}

/** Reads the catalogue of PostgreSQL through any connection. */
const postgresReader = (query: QueryPostgres, schema: string): DatabaseReader => ({
  async version() {
    const [row] = (await query(sql`select current_setting('server_version') as version`)) as { version: string }[];
    return `PostgreSQL ${row?.version ?? ''}`.trim();
  },

  async tables() {
    return (await query(sql`
      select c.relname::text as name, coalesce(obj_description(c.oid, 'pg_class'), '') as comment
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname limit ${maxTables}`)) as DatabaseTable[];
  },

  async columns(table) {
    const rows = (await query(sql`
      select
        a.attname::text as name,
        coalesce(col_description(c.oid, a.attnum), '') as comment,
        case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) else format_type(a.atttypid, a.atttypmod) end as "declaredType",
        (not (a.attnotnull or t.typnotnull))::integer as nullable,
        exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey))::integer as "isKey",
        exists (
          select from pg_catalog.pg_index i
          where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum
        )::integer as "isUnique",
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

function columnOf({ name, comment, declaredType, nullable, isKey, isUnique, options, target }: ColumnRow): DatabaseColumn {
  const allowed = JSON.parse(options) as string[];
  return {
    name,
    comment,
    ...(allowed.length > 0 ? { type: 'enum', length: undefined, scale: undefined } : parseColumnType(declaredType)),
    isNullable: Number(nullable) === 1,
    isKey: Number(isKey) === 1,
    isUnique: Number(isUnique) === 1,
    options: allowed,
    references: target ?? undefined,
  };
}

/** Data source with its decrypted password, for the server's own use. */
export type DecryptedDatasource = Remote | { readonly driverClass: typeof drivers.embedded };
type Remote = DatasourceRow & { readonly password: string };

/** Time-out in seconds for all work on a data source. */
export const timeoutSeconds = 10;
const maxBytes = 16 * 1024 * 1024;

/** Connects while `work` runs: read-only, with limits of time and size, through the egress guard. */
export async function withDatabase<Result>(
  source: DecryptedDatasource,
  { db, egress }: { readonly db: Database; readonly egress: Egress },
  work: (reader: DatabaseReader) => Promise<Result>,
): Promise<Result> {
  if (!('host' in source) || source.driverClass === drivers.embedded)
    return db.read({ tenantId: platformTenant }, () => work(postgresReader((statement) => queryRows<object>(db, statement), 'public')));
  const guard = limitedSocket(egress);
  const session = source.driverClass === drivers.postgres ? withPostgres : withMysql;
  try {
    return await Promise.race([session(source, guard.socket, work), guard.exceeded]);
  } finally {
    guard.end();
  }
}

type Stream = ReturnType<Egress['socket']>;
type WithSession = <Result>(source: Remote, stream: Stream, work: (reader: DatabaseReader) => Promise<Result>) => Promise<Result>;

/** Opens a socket that is closed when it exceeds the time or size limit, whatever the driver is waiting for. */
function limitedSocket(egress: Egress) {
  const socket = egress.socket();
  let timer: NodeJS.Timeout | undefined;
  const deadline = Date.now() + timeoutSeconds * 1000;
  const exceeded = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (socket.bytesRead > maxBytes) reject(new CatalogueTooLargeError());
      else if (Date.now() > deadline) reject(new CatalogueTimeoutError());
    }, 50);
  });
  exceeded.catch(() => socket.destroy());
  const end = () => {
    clearInterval(timer);
    socket.destroy();
  };
  return { socket, exceeded, end };
}

const withPostgres: WithSession = async (source, stream, work) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    host: source.host ?? '',
    port: source.port ?? 5432,
    user: source.username ?? '',
    password: source.password,
    database: source.databaseName ?? '',
    ssl: source.useTls ? { servername: source.host ?? '' } : false,
    stream: () => stream,
    application_name: 'marquee',
    // Catalogue names resolve to the server's own, regardless of the database's search path.
    options: `-c default_transaction_read_only=on -c statement_timeout=${timeoutSeconds * 1000} -c search_path=pg_catalog`,
  });
  // A broken connection already rejects the pending query; without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  const dialect = new PgDialect();
  const reader = postgresReader(async (statement) => {
    const { sql, params } = dialect.sqlToQuery(statement);
    return (await client.query(sql, params)).rows;
  }, source.schemaName || 'public');
  return work(reader);
};

const withMysql: WithSession = async (source, stream, work) => {
  const mysql = await import('mysql2/promise');
  const host = source.host ?? '';
  const connection = await mysql.createConnection({
    host,
    user: source.username ?? '',
    password: source.password,
    database: source.databaseName ?? '',
    stream: () => stream.connect(source.port ?? 3306, host),
    // Prevents the server from requesting local files.
    flags: ['-LOCAL_FILES'],
    ...(source.useTls ? { ssl: { verifyIdentity: true, minVersion: 'TLSv1.2' } } : {}),
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  connection.on('error', () => {});
  await connection.query('set session transaction read only');
  const reader = mysqlReader(async (statement, values) => (await connection.query(statement, [...values]))[0] as object[], source.databaseName ?? '');
  return work(reader);
};
