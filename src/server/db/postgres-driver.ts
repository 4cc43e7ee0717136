import pg from 'pg';
import { ensureTenantRole } from '../tenancy/tenant-role.ts';
import type { Log } from './log.ts';
import { Signals } from './postgres-signals.ts';
import { type Driver, Session } from './session.ts';
import { StatementNames } from './statement-names.ts';

const asText = (value: string) => value;
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP, pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.INT8, pg.types.builtins.INTERVAL]) {
  types.setTypeParser(type, asText);
}

interface PostgresOptions {
  readonly url: string;
  readonly timeZone: string;
  readonly poolSize: number;
  readonly log: Log;
}

/** A new connection knows neither tables nor plans: those in use stay for the pauses people make, and one stays for whoever comes after. */
const keptWarm = { min: 1, idleTimeoutMillis: 600_000, keepAlive: true, keepAliveInitialDelayMillis: 60_000 };

/** PostgreSQL as a server: a pool of connections for work, one more for signals. */
export async function postgresDriver({ url, timeZone, poolSize, log }: PostgresOptions): Promise<Driver> {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types, connectionTimeoutMillis: 10_000, application_name: 'marquee', ...keptWarm });
  const names = new StatementNames();
  const sessions = new WeakMap<pg.PoolClient, Session>();
  pool.on('error', (error) => log.warn(error, 'an idle database connection was lost'));

  const use: Driver['use'] = async (work) => {
    const client = await pool.connect();
    let session = sessions.get(client);
    try {
      if (!session) {
        session = sessionOf(client, names);
        await session.prepare(timeZone);
        sessions.set(client, session);
      }
      return await work(session);
    } finally {
      client.release(!sessions.has(client) || session?.broken);
    }
  };

  const signals = new Signals(url, log);
  try {
    await withClient(pool, (client) => ensureTenantRole(async (statement) => (await client.query(statement)).rows));
    await signals.connect();
  } catch (error) {
    await Promise.allSettled([signals.close(), pool.end()]);
    throw error;
  }
  return {
    flavour: 'postgres',
    use,
    onNotice: (listener) => signals.listen(listener),
    notify: Signals.notification,
    close: async () => {
      await signals.close();
      await pool.end();
    },
  };
}

function sessionOf(client: pg.PoolClient, names: StatementNames): Session {
  const session = new Session({
    query: async (text, values, shape) => {
      const name = names.nameOf(text);
      const query = { text, values, ...(name === undefined ? {} : { name }) };
      try {
        return shape === 'arrays' ? (await client.query({ ...query, rowMode: 'array' })).rows : (await client.query(query)).rows;
      } catch (error) {
        if (stalePlan.has((error as pg.DatabaseError).code ?? '')) session.broken = true;
        throw error;
      }
    },
    script: async (statements) => {
      await client.query(statements);
    },
  });
  client.on('error', () => {
    session.broken = true;
  });
  return session;
}

/** A table changed its columns, or somebody between us and the server dropped our statements: a new connection starts afresh. */
const stalePlan: ReadonlySet<string> = new Set(['0A000', '26000']);

async function withClient(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release(true);
  }
}
