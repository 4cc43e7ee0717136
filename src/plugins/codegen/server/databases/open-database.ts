import { PgDialect } from 'drizzle-orm/pg-core';
import { type Database, type Egress, queryRows } from '#server';
import { type DatasourceRow, drivers } from '../../contract.ts';
import { CatalogueTimeoutError, CatalogueTooLargeError } from './failures.ts';
import { mysqlReader } from './mysql-reader.ts';
import { postgresReader } from './postgres-reader.ts';
import type { DatabaseReader } from './structure.ts';

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
    return db.read({ tenantId: '000000' }, () => work(postgresReader((statement) => queryRows<object>(db, statement), 'public')));
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

/** Socket that is closed when it exceeds the time or size limit, whatever the driver is waiting for. */
function boundedSocket(egress: Egress) {
  const socket = egress.socket();
  let watch: NodeJS.Timeout | undefined;
  const until = Date.now() + timeoutSeconds * 1000;
  const exceeded = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (socket.bytesRead > maxBytes) reject(new CatalogueTooLargeError());
      else if (Date.now() > until) reject(new CatalogueTimeoutError());
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
