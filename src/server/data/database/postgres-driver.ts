import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { ConnectionLost, isConnectionLost, withLossCode } from './connection-lost.ts';
import { Signals } from './postgres-signals.ts';
import { Semaphore } from './semaphore.ts';
import { type ConnectionCounts, type Driver, Session } from './session.ts';
import { StatementNames } from './statement-names.ts';
import { ensureTenantRole } from './tenant-role.ts';

const asText = (value: string) => value;
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP, pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.INT8, pg.types.builtins.INTERVAL]) {
  types.setTypeParser(type, asText);
}

interface PostgresOptions {
  readonly url: string;
  readonly timeZone: string;
  readonly poolSize: number;
  /** Timeout of one statement in seconds; 0 for none. */
  readonly statementSeconds: number;
  readonly log: Log;
}

/** Timeouts for opening a connection, and for waiting for a free one. */
const connectMs = 5000;
const waitMs = 10_000;
/** Additional time in which the server's own statement timeout must arrive. */
const graceMs = 5000;
/** Makes the server detect dead clients, so that it releases the locks of their connections. */
const keepAliveSettings = 'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** Keeps connections open through pauses between requests, and at least one always, because a new connection has neither tables nor plans cached. */
const poolOptions = { min: 1, idleTimeoutMillis: 600_000, keepAlive: true, keepAliveInitialDelayMillis: 60_000 };

/** PostgreSQL as an external server: a pool of connections for work, and one more for signals, which also detects the loss of the server. */
export async function postgresDriver(options: PostgresOptions): Promise<Driver> {
  const { url, log } = options;
  const signals = new Signals(url, log);
  const sessions = new SessionPool(options, signals);
  try {
    // The checks use the two connections that are needed anyway, because opening one costs more than all their statements.
    await signals.connect(async (client) => {
      await sessions.withNewClient((other) => assertSessionPooling([client, other]));
      await ensureTenantRole(async (statement) => (await client.query(statement)).rows);
    });
  } catch (error) {
    await Promise.allSettled([signals.close(), sessions.end()]);
    throw withLossCode(error);
  }
  return {
    engine: 'postgres',
    use: (work) => sessions.use(work),
    check: () => signals.check(),
    onNotification: (listener) => signals.listen(listener),
    signal: (topic, payload) => signals.send(topic, payload),
    connections: () => sessions.counts(),
    value: (statement) => signals.value(statement),
    isCopied: undefined,
    close: async () => {
      await signals.close();
      // A lost server never confirms the end of a connection.
      await Promise.race([sessions.end(), new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
    },
  };
}

/** Monitors the server of a pool. */
interface Monitor {
  readonly isLost: boolean;
  /** Checks the server at once, after a connection was lost. */
  heartbeat(): Promise<void>;
  onLost(listener: () => void): void;
}

/** Sessions on pooled connections. Slots are managed here, because the pool's own queue cannot reject all waiting callers at once. */
export class SessionPool {
  private readonly pool: pg.Pool;
  private readonly names = new StatementNames();
  private readonly slots: Semaphore;
  private readonly leased = new Set<pg.PoolClient>();
  private sessions = new WeakMap<pg.PoolClient, Session>();
  private readonly known = new WeakSet<pg.PoolClient>();

  constructor(
    private readonly options: PostgresOptions,
    private readonly signals: Monitor,
  ) {
    const { url, poolSize, log } = options;
    this.pool = new pg.Pool({ connectionString: url, max: poolSize, types, connectionTimeoutMillis: connectMs, application_name: 'marquee', ...poolOptions });
    this.slots = new Semaphore(poolSize, waitMs);
    // Its own listener is removed when a connection is handed out. The farewell of a server that ends can be in the same packet as the end of the connection's start.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', (error) => {
      log.warn(error, 'an idle database connection was lost');
      void signals.heartbeat();
    });
    // Connections open at the time of the loss are unreliable: those in use end now, the others before they are used again.
    signals.onLost(() => {
      this.sessions = new WeakMap();
      this.slots.rejectAll(new ConnectionLost('The database does not answer.'));
      for (const client of this.leased) void (client as unknown as pg.Client).end().catch(() => undefined);
    });
  }

  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    this.assertConnected();
    await this.slots.acquire();
    try {
      return await this.withClient(work);
    } finally {
      this.slots.release();
    }
  }

  /** Runs work on a connection that has no session yet. */
  async withNewClient(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      await work(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }

  counts(): ConnectionCounts {
    return { open: this.pool.totalCount, busy: this.leased.size, waiting: this.slots.waiters };
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  private async withClient<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const { timeZone, statementSeconds } = this.options;
    const client = await this.checkOut();
    let session = this.sessions.get(client);
    this.known.add(client);
    this.leased.add(client);
    try {
      if (!session) {
        session = sessionOf(client, this.names, statementSeconds);
        await session.prepare(timeZone, `set statement_timeout = '${statementSeconds}s'; ${keepAliveSettings}`);
        this.sessions.set(client, session);
      }
      return await work(session);
    } finally {
      this.leased.delete(client);
      if (session?.isBroken) void this.signals.heartbeat();
      client.release(!this.sessions.has(client) || session?.isBroken);
    }
  }

  private async checkOut(): Promise<pg.PoolClient> {
    this.assertConnected();
    const client = await this.pool.connect().catch((error: unknown) => {
      throw withLossCode(error);
    });
    if (this.sessions.has(client) || !this.known.has(client)) return client;
    client.release(true);
    return this.checkOut();
  }

  private assertConnected(): void {
    if (this.signals.isLost) throw new ConnectionLost('The database does not answer.');
  }
}

function sessionOf(client: pg.PoolClient, names: StatementNames, statementSeconds: number): Session {
  const query_timeout = statementSeconds === 0 ? {} : { query_timeout: statementSeconds * 1000 + graceMs };
  const translateErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (isConnectionLost(error) || stalePlan.has((error as pg.DatabaseError).code ?? '')) session.isBroken = true;
      throw withLossCode(error);
    }
  };
  const session = new Session({
    query: async (text, values, shape) => {
      const name = names.nameOf(text);
      const query = { text, values, ...query_timeout, ...(name === undefined ? {} : { name }) };
      return shape === 'arrays'
        ? (await translateErrors(client.query({ ...query, rowMode: 'array' }))).rows
        : (await translateErrors(client.query(query))).rows;
    },
    script: async (statements) => {
      await translateErrors(client.query(statements)).catch((error: unknown) => {
        throw statements.startsWith('begin') && readOnlyServer.has((error as pg.DatabaseError).code ?? '')
          ? new ConnectionLost('The database only reads.', { cause: error })
          : error;
      });
    },
  });
  client.on('error', () => {
    session.isBroken = true;
  });
  return session;
}

/** Error codes of a standby that rejects a writing transaction. */
const readOnlyServer: ReadonlySet<string> = new Set(['0A000', '25006']);

/** Error codes for a table whose columns changed and for statements dropped by a component in between; a new connection fixes both. */
const stalePlan: ReadonlySet<string> = new Set(['0A000', '26000']);

/**
 * Throws for a pooler that assigns a connection per transaction. The tenant and the names of prepared statements belong to a session: behind such a pooler another
 * caller would act with this one's tenant. The check queries two connections in turn; a real session keeps its settings, statements and process throughout.
 */
export async function assertSessionPooling([one, other]: readonly [pg.ClientBase, pg.ClientBase]): Promise<void> {
  const mark = randomBytes(8).toString('hex');
  const ask = async (client: pg.ClientBase, text: string) => (await client.query<{ value: string }>(text)).rows[0]?.value;
  const processOf = (client: pg.ClientBase) => ask(client, 'select pg_backend_pid()::text as value');
  try {
    const first = await processOf(one);
    await one.query({ name: `probe_${mark}`, text: 'select 1' });
    await one.query(`set marquee.probe = '${mark}'`);
    // While `other` is inside a transaction it occupies a server process, which behind a pooler may be the one that `one` has used.
    await other.query('begin');
    const second = await processOf(other);
    const keepsSession =
      first !== second &&
      (await processOf(one)) === first &&
      (await ask(one, "select current_setting('marquee.probe', true) as value")) === mark &&
      (await ask(one, `select count(*)::text as value from pg_prepared_statements where name = 'probe_${mark}'`)) === '1';
    await other.query('commit');
    const isIsolated = ((await ask(other, "select current_setting('marquee.probe', true) as value")) ?? '') !== mark;
    if (!keepsSession || !isIsolated) throw new TransactionPoolerError();
    await one.query(`deallocate probe_${mark}; reset marquee.probe`);
  } catch (error) {
    // A statement that is missing, or exists already, shows that another caller's process answered.
    throw /^(26000|42P05)$/.test((error as pg.DatabaseError).code ?? '') ? new TransactionPoolerError() : error;
  }
}

class TransactionPoolerError extends Error {
  constructor() {
    super(
      'DATABASE_URL points to a pooler in transaction mode, which cannot keep tenants apart. Set its pool_mode to session (PgBouncer), or point DATABASE_URL to PostgreSQL itself.',
    );
  }
}
