import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { platform } from '../context/identity.ts';
import { ConnectionLostError, isConnectionLost, withConnectionCode } from './connection-lost.ts';
import { type PooledConnection, PooledSession, transactionSettings } from './pooled-session.ts';
import { assertSameDatabase, assertSessionPooling, carriesStatements } from './pooler-check.ts';
import { Signals, withTimeout } from './postgres-signals.ts';
import { PrecededQuery } from './preceded-query.ts';
import { Semaphore } from './semaphore.ts';
import { type ConnectionCounts, DatabaseSession, type Driver } from './session.ts';
import { StatementNames } from './statement-names.ts';
import { ensureTenantRole } from './tenant-role.ts';

const asText = (value: string) => value;
const types = new pg.TypeOverrides();
for (const type of [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP, pg.types.builtins.TIMESTAMPTZ, pg.types.builtins.INT8, pg.types.builtins.INTERVAL]) {
  types.setTypeParser(type, asText);
}

interface PoolOptions {
  readonly url: string;
  /** True behind a pooler that assigns a connection to each transaction. */
  readonly isPooled: boolean;
  readonly timeZone: string;
  readonly poolSize: number;
  /** Timeout of one statement in seconds; 0 for none. */
  readonly statementSeconds: number;
  readonly log: Log;
}

/** Address of the database, and of PostgreSQL itself where the first is that of a pooler. */
type PostgresOptions = Omit<PoolOptions, 'isPooled'> & { readonly directUrl: string | undefined };

/** Connections to PostgreSQL itself, for snapshots and for statements outside of transactions. */
const directConnections = 2;
/** Timeouts for opening a connection, and for waiting for a free one. */
const connectMs = 5000;
const waitMs = 10_000;
/** Timeout of the check of a pooler. */
const checkMs = 2000;
/** Additional time in which the server's own statement timeout must arrive. */
const graceMs = 5000;
/** Makes the server detect dead clients, so that it releases the locks of their connections. */
const keepAliveSettings = 'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** Keeps connections open through pauses between requests, and at least one always, because a new connection has neither tables nor plans cached. */
const poolOptions = { min: 1, idleTimeoutMillis: 600_000, keepAlive: true, keepAliveInitialDelayMillis: 60_000 };

/**
 * PostgreSQL as an external server: a pool of connections for work, and one more for signals, which also detects the loss of the server. With an address of its own, that
 * one does not go through the pooler.
 */
export async function postgresDriver({ directUrl, ...options }: PostgresOptions): Promise<Driver> {
  const signals = new Signals(directUrl ?? options.url, options.log);
  const sessions = new SessionPool({ ...options, isPooled: directUrl !== undefined }, signals);
  const direct = directUrl === undefined ? undefined : new SessionPool({ ...options, url: directUrl, isPooled: false, poolSize: directConnections }, signals);
  try {
    // The checks use the two connections that are needed anyway, because opening one costs more than all their statements.
    await signals.connect(async (client) => {
      const setting = direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
      await (direct ?? sessions).withNewClient((other) => assertSessionPooling(setting, [client, other]));
      if (direct) await sessions.checkPooler(client);
      await ensureTenantRole(async (statement) => (await client.query(statement)).rows);
    });
  } catch (error) {
    await Promise.allSettled([signals.close(), sessions.end(), direct?.end()]);
    throw withConnectionCode(error);
  }
  const checkPooler = () =>
    withTimeout(
      checkMs,
      sessions.use((session) => session.query(platform, 'select 1', [], 'arrays')),
    );
  return {
    engine: 'postgres',
    use: (work) => sessions.use(work),
    ...(direct ? { useDirect: (work) => direct.use(work) } : {}),
    check: async () => void (await Promise.all([signals.check(), direct && checkPooler()])),
    onNotification: (listener) => signals.listen(listener),
    signal: (topic, payload) => signals.send(topic, payload),
    connections: () => sessions.counts(),
    value: (statement) => signals.value(statement),
    isCopied: undefined,
    close: async () => {
      await signals.close();
      // A lost server never confirms the end of a connection.
      await Promise.race([Promise.all([sessions.end(), direct?.end()]), new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
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
  private readonly names: StatementNames;
  private readonly slots: Semaphore;
  private readonly leased = new Set<pg.PoolClient>();
  private sessions = new WeakMap<pg.PoolClient, DatabaseSession>();
  private readonly used = new WeakSet<pg.PoolClient>();

  constructor(
    private readonly options: PoolOptions,
    private readonly signals: Monitor,
  ) {
    const { url, poolSize, log, isPooled } = options;
    // Behind a pooler the next transaction may run on a connection that does not know the name.
    this.names = new StatementNames(!isPooled);
    this.pool = new pg.Pool({ connectionString: url, max: poolSize, types, connectionTimeoutMillis: connectMs, application_name: 'marquee', ...poolOptions });
    this.slots = new Semaphore(poolSize, waitMs);
    // The pool removes its own error listener when it hands out a connection, and a server that shuts down can report that in the packet that completes the connection.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', (error) => {
      log.warn(error, 'an idle database connection was lost');
      void signals.heartbeat();
    });
    // Connections open at the time of the loss are unreliable: those in use end now, the others before they are used again.
    signals.onLost(() => {
      this.sessions = new WeakMap();
      this.slots.rejectAll(new ConnectionLostError('The database does not answer.'));
      for (const client of this.leased) void (client as pg.Client).end().catch(() => undefined);
    });
  }

  async use<Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
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

  /** Checks that this pool leads to the database of a direct connection, and names statements if the pooler prepares them wherever they run. */
  async checkPooler(direct: pg.ClientBase): Promise<void> {
    await this.withNewClient((client) => assertSameDatabase(client, direct));
    const check = async (one: pg.ClientBase, other: pg.ClientBase) => {
      this.names.isOn = await carriesStatements(one, other);
    };
    // A pooler whose processes are all busy proves nothing.
    await this.withNewClient((one) => this.withNewClient((other) => check(one, other))).catch(() => undefined);
  }

  counts(): ConnectionCounts {
    return { open: this.pool.totalCount, busy: this.leased.size, waiting: this.slots.waiters };
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  private async withClient<Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
    const { timeZone, statementSeconds } = this.options;
    const client = await this.checkOut();
    let session = this.sessions.get(client);
    this.used.add(client);
    this.leased.add(client);
    try {
      if (!session) {
        session = sessionOf(client, this.names, this.options);
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

  /** Takes a connection from the pool, and discards those that were in use before the last loss of the server. */
  private async checkOut(): Promise<pg.PoolClient> {
    this.assertConnected();
    const client = await this.pool.connect().catch((error: unknown) => {
      throw withConnectionCode(error);
    });
    if (this.sessions.has(client) || !this.used.has(client)) return client;
    client.release(true);
    return this.checkOut();
  }

  private assertConnected(): void {
    if (this.signals.isLost) throw new ConnectionLostError('The database does not answer.');
  }
}

function sessionOf(client: pg.PoolClient, names: StatementNames, { isPooled, timeZone, statementSeconds }: PoolOptions): DatabaseSession {
  const query_timeout = statementSeconds === 0 ? undefined : statementSeconds * 1000 + graceMs;
  const translateErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      const { code = '' } = error as pg.DatabaseError;
      if (isConnectionLost(error) || stalePlan.has(code)) session.isBroken = true;
      if (isPooled && code === missingStatement) names.isOn = false;
      throw withConnectionCode(error);
    }
  };
  const connection: PooledConnection = {
    query: async (text, values, shape) => {
      const name = names.nameOf(text);
      const query = { text, values, ...(query_timeout ? { query_timeout } : {}), ...(name === undefined ? {} : { name }) };
      return shape === 'arrays'
        ? (await translateErrors(client.query({ ...query, rowMode: 'array' }))).rows
        : (await translateErrors(client.query(query))).rows;
    },
    queryAfter: async (first, text, values, shape) => {
      const named = { name: names.nameOf(text), text, values, ...(shape === 'arrays' ? { rowMode: 'array' as const } : {}) };
      const query = new PrecededQuery({ ...first, name: names.nameOf(first.text) }, named, query_timeout);
      const result = translateErrors(query.runOn(client));
      result.catch(() => {
        session.isBroken ||= query.introducesNames;
      });
      return (await result).rows;
    },
    script: async (statements) => {
      await translateErrors(client.query(statements)).catch((error: unknown) => {
        throw statements.startsWith('begin') && readOnlyServer.has((error as pg.DatabaseError).code ?? '')
          ? new ConnectionLostError('The database only reads.', { cause: error })
          : error;
      });
    },
  };
  const session = isPooled ? new PooledSession(connection, transactionSettings(timeZone, statementSeconds)) : new DatabaseSession(connection);
  client.on('error', () => {
    session.isBroken = true;
  });
  return session;
}

/** Error codes of a standby that rejects a writing transaction. */
const readOnlyServer: ReadonlySet<string> = new Set(['0A000', '25006']);

/** Error code for a statement that a component in between has dropped. */
const missingStatement = '26000';
/** Error codes that a new connection fixes: also that of a table whose columns changed. */
const stalePlan: ReadonlySet<string> = new Set(['0A000', missingStatement]);
