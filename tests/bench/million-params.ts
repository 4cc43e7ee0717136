import pg from 'pg';
import { plugins } from '#deployment/server';
import type { Database } from '../../src/server/data/index.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** The real server on PostgreSQL with a million system parameters, and a plain client of the same database. */
export interface MillionParams {
  readonly server: TestServer;
  readonly db: Database;
  /** Address of the database. */
  readonly url: string;
  readonly driver: pg.Client;
  /** A second client, which writes. */
  readonly writer: pg.Client;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const rowCount = 1_000_000;

/** SQL expression for the creation time of row n: one row every thirty seconds since 2024. */
export const createdAt = "timestamptz '2024-01-01 00:00:00+08' + make_interval(secs => n * 30.0)";

/** Opens the server. One statement inserts the rows; the table's own triggers count them, and the table is vacuumed and analysed. */
export async function openMillionParams(): Promise<MillionParams> {
  const { db, url, drop } = await openTestDatabase();
  if (url === undefined) throw new Error('A million rows are measured on PostgreSQL.');
  const server = await openTestServer({ plugins: plugins.filter(({ plugin }) => plugin.id === 'settings'), db });
  const [driver, writer] = [await plainClient(url), await plainClient(url)];
  // Names are spread over the table, as names entered by people are; keys and times follow the order of the rows.
  await writer.query(`
    insert into param (param_name, param_key, param_value, remark, create_time)
    select '参数' || lpad((n::bigint * 7919 % 1000003)::text, 7, '0'), 'bench.key.' || lpad(n::text, 7, '0'), n::text, 'row ' || n, ${createdAt}
    from generate_series(2, ${rowCount}) n`);
  await writer.query('vacuum analyze');
  await writer.query('checkpoint');
  const headers = await server.signIn();
  return {
    server,
    db,
    url,
    driver,
    writer,
    headers,
    async close() {
      await server.stop();
      await driver.end();
      await writer.end();
      await drop();
    },
  };
}

/**
 * Opens the bare driver in the time zone of the server that it is compared with. It is no connection of a pool, which loses the zone when a connection is
 * closed.
 */
export async function plainClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set time zone 'Asia/Shanghai'");
  return client;
}
