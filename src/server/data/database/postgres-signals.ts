import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { ConnectionLost } from './connection-lost.ts';

const channel = 'marquee';
const heartbeatMs = 1000;
/** Time after which a waiting probe makes the server not ready. */
const unreadyMs = 1000;
/** Time without an answer after which the database counts as lost and all queries are rejected. */
const lostMs = 4000;
const connectMs = 2000;

/**
 * A separate connection that receives the signals of all replicas and checks every second whether the database answers. If it does not, the connection is reopened
 * until it does; `onLost` listeners drop every other connection meanwhile.
 */
export class Signals {
  /** True from the moment the database was found silent, closed or read-only until it is back. */
  isLost = false;
  private client: pg.Client | undefined;
  private closed = false;
  private reopenTimer: NodeJS.Timeout | undefined;
  private runningProbe: Promise<void> | undefined;
  private heartbeatTimer: NodeJS.Timeout | undefined;
  private readonly listeners: ((topic: string, payload: string) => void)[] = [];
  private readonly lossListeners: (() => void)[] = [];

  constructor(
    private readonly url: string,
    private readonly log: Log,
  ) {}

  static notification(this: void, topic: string, payload: string): { text: string; parameters: unknown[] } {
    return { text: 'select pg_notify($1, $2)', parameters: [channel, JSON.stringify([topic, payload])] };
  }

  listen(listener: (topic: string, payload: string) => void): void {
    this.listeners.push(listener);
  }

  onLost(listener: () => void): void {
    this.lossListeners.push(listener);
  }

  /** Opens the connection; `verify` runs on it first and may refuse the server. */
  async connect(verify: (client: pg.Client) => Promise<void>): Promise<void> {
    await this.open(verify);
    this.heartbeatTimer = setInterval(() => void this.heartbeat(), heartbeatMs).unref();
  }

  /** Rejects within two seconds if the database does not answer. */
  async check(): Promise<void> {
    if (this.isLost) throw new ConnectionLost('The database does not answer.');
    await withTimeout(unreadyMs, this.heartbeat());
    if (this.isLost) throw new ConnectionLost('The database does not answer.');
  }

  /** Probes immediately instead of at the next second, after a connection was lost. */
  async heartbeat(): Promise<void> {
    const { client } = this;
    if (!client || this.isLost || this.closed) return;
    this.runningProbe ??= probe(client, lostMs)
      .catch((error: unknown) => this.lose(client, error))
      .finally(() => (this.runningProbe = undefined));
    await this.runningProbe;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reopenTimer);
    clearInterval(this.heartbeatTimer);
    await withTimeout(connectMs, this.client?.end()).catch(() => undefined);
  }

  private async open(verify?: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'marquee signals', keepAlive: true, connectionTimeoutMillis: connectMs });
    client.on('error', (error) => this.log.warn(error, 'the database connection for notifications failed'));
    client.on('notification', ({ payload }) => this.notifyListeners(payload ?? ''));
    try {
      await client.connect();
      await probe(client, connectMs);
      await verify?.(client);
      await withTimeout(connectMs, client.query(`listen ${channel}`));
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    client.on('end', () => this.lose(client, new ConnectionLost('Connection terminated.')));
    this.client = client;
  }

  private notifyListeners(message: string): void {
    const [topic, payload] = JSON.parse(message) as [string, string];
    for (const listener of this.listeners) listener(topic, payload);
  }

  private lose(client: pg.Client, error: unknown): void {
    if (this.closed || this.isLost || this.client !== client) return;
    this.isLost = true;
    this.log.warn(error, 'the database is unavailable; calls are refused until it is back');
    void client.end().catch(() => undefined);
    for (const listener of this.lossListeners) listener();
    this.reopen();
  }

  /** Reopens the connection after a random delay, so that replicas do not return all at once. */
  private reopen(): void {
    const open = async () => {
      try {
        await this.open();
        this.isLost = false;
        this.log.info({}, 'the database is back');
        if (this.closed) await this.close();
      } catch {
        if (!this.closed) this.reopen();
      }
    };
    this.reopenTimer = setTimeout(() => void open(), 250 + Math.random() * 500);
  }
}

/** Probes the database; a server that only reads is a standby or shutting down. */
async function probe(client: pg.Client, milliseconds: number): Promise<void> {
  const { rows } = await withTimeout(milliseconds, client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby'));
  if (rows[0]?.standby) throw new ConnectionLost('The database is a standby, which only reads.');
}

/** Rejects if the work takes longer. A short grace period lets a process that was busy itself read an answer that has arrived meanwhile. */
async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result>;
async function withTimeout<Result>(milliseconds: number, work: Promise<Result> | undefined): Promise<Result | undefined>;
async function withTimeout<Result>(milliseconds: number, work: Promise<Result> | undefined): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = async () => {
    await pause(milliseconds, undefined, { signal: stop.signal, ref: false });
    await pause(100, undefined, { signal: stop.signal, ref: false });
    throw new ConnectionLost(`The database has not answered for ${milliseconds / 1000} s.`);
  };
  const timeout = late();
  timeout.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    stop.abort();
    work?.catch(() => undefined);
  }
}
