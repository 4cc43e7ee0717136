import { PgDialect } from 'drizzle-orm/pg-core';
import { type Database, type Egress, rowsOf } from '#server';
import { type DatasourceRow, drivers } from '../../contract.ts';
import { TooLong, TooMuch } from './failures.ts';
import { mysqlReader } from './mysql-reader.ts';
import { postgresReader } from './postgres-reader.ts';
import type { DatabaseReader } from './structure.ts';

/** A data source with its password, for the server's own use. */
export type OpenedDatasource = Remote | { readonly driverClass: typeof drivers.embedded };
type Remote = DatasourceRow & { readonly password: string };

/** Seconds all that is asked of a data source may take. */
export const patience = 10;
const mostBytes = 16 * 1024 * 1024;

/** Connects for the length of `work`: read-only, within bounds of time and size, through the egress guard. */
export async function withDatabase<Result>(
  source: OpenedDatasource,
  { db, egress }: { readonly db: Database; readonly egress: Egress },
  work: (reader: DatabaseReader) => Promise<Result>,
): Promise<Result> {
  if (!('host' in source) || source.driverClass === drivers.embedded)
    return db.read({ tenantId: '000000' }, () => work(postgresReader((statement) => rowsOf<object>(db, statement), 'public')));
  const bounds = boundedSocket(egress);
  const session = source.driverClass === drivers.postgres ? withPostgres : withMysql;
  try {
    return await Promise.race([session(source, bounds.socket, work), bounds.exceeded]);
  } finally {
    bounds.end();
  }
}

type Stream = ReturnType<Egress['socket']>;
type WithSession = <Result>(source: Remote, stream: Stream, work: (reader: DatabaseReader) => Promise<Result>) => Promise<Result>;

/** A connection that is given up when it takes too long or brings too much, whatever the driver on it is waiting for. */
function boundedSocket(egress: Egress) {
  const socket = egress.socket();
  let watch: NodeJS.Timeout | undefined;
  const until = Date.now() + patience * 1000;
  const exceeded = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (socket.bytesRead > mostBytes) reject(new TooMuch());
      else if (Date.now() > until) reject(new TooLong());
    }, 50);
  });
  exceeded.catch(() => socket.destroy());
  const end = () => {
    clearInterval(watch);
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
    // Names of the catalogue are the server's own, wherever the database's search path leads.
    options: `-c default_transaction_read_only=on -c statement_timeout=${patience * 1000} -c search_path=pg_catalog`,
  });
  // A connection that breaks is told to whoever waits for an answer; without a listener it would end the process.
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
    // No server gets to read a file of ours, asked for or not.
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
