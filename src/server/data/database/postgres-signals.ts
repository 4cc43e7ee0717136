import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { ConnectionLostError } from './connection-lost.ts';

const channel = 'marquee';
const heartbeatMs = 1000;
/** Time after which a waiting probe makes the server not ready. */
const unreadyMs = 1000;
/** Time without an answer after which the database counts as lost and all queries are rejected. */
const lostMs = 4000;
const connectMs = 2000;
/** Pause between two statements that send signals; the signals of this time are sent together. */
const gatherMs = 5;
const maxPerStatement = 500;
/** Signals that wait while the database is lost; beyond this number the oldest are dropped. */
const maxWaiting = 10_000;

/**
 * A separate connection that sends and receives the signals of all replicas and checks every second whether the database answers. If it does not, the connection is
 * reopened until it does; `onLost` listeners drop every other connection meanwhile.
 */
export class Signals {
  /** True from the moment the database was found silent, closed or read-only until it is back. */
  isLost = false;
  private client: pg.Client | undefined;
  private closed = false;
  private reopenTimer: NodeJS.Timeout | undefined;
  private runningProbe: Promise<void> | undefined;
  private heartbeatTimer: NodeJS.Timeout | undefined;
  /** Messages to send, oldest first. */
  private waiting: string[] = [];
  private sentCount = 0;
  private sending: Promise<void> | undefined;
  private readonly listeners: ((topic: string, payload: string) => void)[] = [];
  private readonly lossListeners: (() => void)[] = [];

  constructor(
    private readonly url: string,
    private readonly log: Log,
  ) {}

  /**
   * Sends a signal soon, together with others of the same moment, and never inside the transaction of the caller: a commit that notifies holds a lock of the whole server.
   * While the database is lost signals wait for it.
   */
  send(topic: string, payload: string): void {
    const isWakeUp = payload === '';
    if (isWakeUp && this.waiting.some((message) => message.startsWith(`[${JSON.stringify(topic)},"",`))) return;
    // The number makes each message unique: PostgreSQL drops repeated ones within a transaction, also if another state came between.
    this.waiting.push(JSON.stringify([topic, payload, ++this.sentCount]));
    if (this.waiting.length > maxWaiting) this.waiting.splice(0, this.waiting.length - maxWaiting);
    this.sendWaiting();
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
    if (this.isLost) throw new ConnectionLostError('The database does not answer.');
    await withTimeout(unreadyMs, this.heartbeat());
    if (this.isLost) throw new ConnectionLostError('The database does not answer.');
  }

  /** Returns the first value of a statement on this connection, which no other work occupies. */
  async value(statement: string): Promise<string> {
    if (!this.client || this.isLost) throw new ConnectionLostError('The database does not answer.');
    const { rows } = await withTimeout(lostMs, this.client.query<{ value: string }>(statement));
    return rows[0]?.value ?? '';
  }

  /** Probes immediately instead of at the next second, after a connection was lost. */
  async heartbeat(): Promise<void> {
    const { client } = this;
    if (!client || this.isLost || this.closed) return;
    this.runningProbe ??= probe(client, lostMs)
      .then(() => this.sendWaiting())
      .catch((error: unknown) => this.lose(client, error))
      .finally(() => (this.runningProbe = undefined));
    await this.runningProbe;
  }

  async close(): Promise<void> {
    if (!this.isLost) await withTimeout(connectMs, this.sending).catch(() => undefined);
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
      // A signal need not survive a crash, so its commit waits neither for the disk nor for a standby.
      await withTimeout(connectMs, client.query(`set synchronous_commit = off; listen ${channel}`));
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    client.on('end', () => this.lose(client, new ConnectionLostError('Connection terminated.')));
    this.client = client;
  }

  private sendWaiting(): void {
    if (this.closed) return;
    this.sending ??= this.sendAll()
      .catch((error: unknown) => this.log.warn(error, 'signals could not be sent yet'))
      .finally(() => {
        this.sending = undefined;
      });
  }

  private async sendAll(): Promise<void> {
    // Signals of one commit are added one after another.
    await Promise.resolve();
    while (this.client && !this.isLost && this.waiting.length > 0) {
      const messages = this.waiting.slice(0, maxPerStatement);
      this.waiting = this.waiting.slice(messages.length);
      try {
        await withTimeout(lostMs, this.client.query('select pg_notify($1, message) from unnest($2::text[]) as message', [channel, messages]));
      } catch (error) {
        // Every probe that succeeds, and the connection that is opened next, sends them again.
        this.waiting = [...messages, ...this.waiting];
        throw error;
      }
      await pause(gatherMs);
    }
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
        this.sendWaiting();
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
  if (rows[0]?.standby) throw new ConnectionLostError('The database is a standby, which only reads.');
}

/** Rejects if the work takes longer. A short grace period lets a process that was busy itself read an answer that has arrived meanwhile. */
export async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result>;
export async function withTimeout<Result>(milliseconds: number, work: Promise<Result> | undefined): Promise<Result | undefined>;
export async function withTimeout<Result>(milliseconds: number, work: Promise<Result> | undefined): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = async () => {
    await pause(milliseconds, undefined, { signal: stop.signal, ref: false });
    await pause(100, undefined, { signal: stop.signal, ref: false });
    throw new ConnectionLostError(`The database has not answered for ${milliseconds / 1000} s.`);
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
