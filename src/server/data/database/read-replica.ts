import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { ConnectionLostError } from './connection-lost.ts';
import { assertSessionPooling } from './pooler-check.ts';
import { SessionPool } from './postgres-driver.ts';
import { withTimeout } from './postgres-signals.ts';
import type { ConnectionCounts, DatabaseSession } from './session.ts';

/** Interval at which the positions of both servers are compared. */
const pollMs = 200;
/** Time without an answer after which the replica is not used. */
const lostMs = 1000;
const connectMs = 2000;
/** Lag beyond which all reads go to the primary. */
const maxLagMs = 5000;
/** Tenant of changes that concern all tenants. */
const everyTenant = '*';

interface ReplicaOptions {
  readonly url: string;
  /** True if a pooler that assigns a connection to each transaction may be in front of it. */
  readonly isPooled: boolean;
  readonly timeZone: string;
  readonly poolSize: number;
  readonly statementSeconds: number;
  readonly log: Log;
  /** Reads the position of the primary's log, and the identifier of its cluster with the name of its database. */
  readonly primary: { position(): Promise<string>; identifier(): Promise<string> };
}

/** Statement that identifies a database and its copies. */
export const identifierStatement = "select (select system_identifier from pg_control_system()) || ' ' || current_database() as value";

/**
 * A standby of the database for reads that may be a moment old. One connection polls how far it has replayed the log of the primary; while it does not answer, lags or is
 * no standby of this database, it is not used. Nothing waits for it.
 */
export class ReadReplica {
  isLost = true;
  private readonly sessions: SessionPool;
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  /** True once no pooler was found that mixes up sessions. */
  private keepsSessions = false;
  private replayed = 0n;
  /** Time of the latest known position of the primary that the replica has replayed. */
  private freshAt = Number.NEGATIVE_INFINITY;
  /** Times of announced changes by tenant, which the replica must have replayed. */
  private readonly announced = new Map<string, number>();
  private readonly lossListeners: (() => void)[] = [];
  private reportedError = '';

  constructor(private readonly options: ReplicaOptions) {
    this.sessions = new SessionPool(options, this);
    this.poll();
  }

  /** Tests whether it may answer reads of a tenant by a caller who has seen this position of the primary. */
  covers(tenantId: string, position: string): boolean {
    const now = performance.now();
    if (this.isLost || now - this.freshAt > maxLagMs || !/^\d{1,20}$/.test(position) || this.replayed < BigInt(position)) return false;
    const announced = Math.max(this.announced.get(tenantId) ?? 0, this.announced.get(everyTenant) ?? 0);
    return this.freshAt > announced;
  }

  /** Makes reads of a tenant, or of all for `*`, go to the primary until the replica has replayed what is committed now. */
  announce(tenantId: string): void {
    this.announced.set(tenantId, performance.now());
  }

  use<Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
    return this.sessions.use(work);
  }

  counts(): ConnectionCounts {
    return this.sessions.counts();
  }

  /** Seconds by which it may be older than the primary; undefined while it does not answer. */
  get lagSeconds(): number | undefined {
    return this.isLost ? undefined : Math.max(0, performance.now() - this.freshAt - pollMs) / 1000;
  }

  onLost(listener: () => void): void {
    this.lossListeners.push(listener);
  }

  /** Polls immediately, after a connection was lost. */
  async heartbeat(): Promise<void> {
    this.poll();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    void this.client?.end().catch(() => undefined);
    await Promise.race([this.sessions.end(), new Promise((resolve) => setTimeout(resolve, connectMs).unref())]);
  }

  private poll(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    const pollLater = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.poll(), this.isLost ? 5 * pollMs : pollMs).unref();
    };
    this.compare()
      .catch((error: Error) => this.lose(error))
      .finally(pollLater);
  }

  private async compare(): Promise<void> {
    const client = this.client ?? (await this.open());
    const at = performance.now();
    // While the primary does not answer, the replica ages until it is not used.
    const position = await this.options.primary.position().catch(() => undefined);
    const { rows } = await withTimeout(
      lostMs,
      client.query<{ replayed: string | null }>("select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as replayed where pg_is_in_recovery()"),
    );
    if (rows[0]?.replayed == null) throw new ConnectionLostError('It is no standby.');
    this.replayed = BigInt(rows[0].replayed);
    if (position !== undefined && this.replayed >= BigInt(position)) this.freshAt = at;
    for (const [tenantId, since] of this.announced) if (since < this.freshAt) this.announced.delete(tenantId);
    if (this.isLost) this.options.log.info({}, 'the read replica answers');
    this.isLost = false;
    this.reportedError = '';
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.options.url, application_name: 'marquee replica', connectionTimeoutMillis: connectMs });
    client.on('error', () => undefined);
    try {
      await withTimeout(connectMs, client.connect());
      const { rows } = await withTimeout(connectMs, client.query<{ value: string }>(identifierStatement));
      if (rows[0]?.value !== (await this.options.primary.identifier())) throw new Error('DATABASE_READ_URL is no copy of DATABASE_URL.');
      if (!this.options.isPooled && !this.keepsSessions) {
        await withTimeout(
          connectMs,
          this.sessions.withNewClient((other) => assertSessionPooling('DATABASE_READ_URL', [client, other])),
        );
        this.keepsSessions = true;
      }
      // `close` cannot end a connection that is not known yet.
      if (this.closed) throw new ConnectionLostError('The read replica is closed.');
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    client.on('end', () => {
      if (this.client === client) this.lose(new ConnectionLostError('Connection terminated.'));
    });
    this.client = client;
    return client;
  }

  private lose(error: Error): void {
    if (this.closed) return;
    const { client } = this;
    this.client = undefined;
    void client?.end().catch(() => undefined);
    if (this.reportedError !== error.message) this.options.log.warn(error, 'the read replica is not used; all reads go to the primary');
    this.reportedError = error.message;
    this.freshAt = Number.NEGATIVE_INFINITY;
    if (this.isLost) return;
    this.isLost = true;
    for (const listener of this.lossListeners) listener();
  }
}
