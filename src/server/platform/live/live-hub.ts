import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { ApiError, problems } from '#shared/errors';
import { LiveOpened, type LiveOpening, liveHeartbeatMs, PermissionChanged } from '#shared/live';
import { SessionEnded, type SessionEnding } from '#shared/sessions';
import type { Log } from '../../base/log.ts';
import type { Principal } from '../principal/principal.ts';
import { isStale, type PrincipalInvalidation } from '../principal/principal-cache.ts';
import { formatEvent, isRecipient, type LiveEvent, type LiveEvents, positionBefore } from './live-events.ts';

const maxPerUser = 30;
/** Number of heartbeats between two reviews of a listener, for changes that no signal has announced. */
const heartbeatsPerReview = 20;
const maxSentIds = 5000;

/** Position from which a console resumes: after the event of an id, or this many milliseconds ago; '' for neither. */
export interface ResumePosition {
  readonly after: string;
  readonly since: string;
}

/** The live connections of one replica. */
export class LiveHub {
  private readonly connections = new Set<LiveConnection>();
  /** Ids of events already sent, oldest first. */
  private readonly sentIds = new Set<string>();
  private readonly disposers: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private heartbeats = 0;
  private closed = false;

  constructor(
    private readonly events: LiveEvents,
    private readonly deps: {
      /** Id of the console that this server delivers now. */
      readonly build: () => string;
      readonly log: Log;
      readonly safe: boolean;
      /** Returns the ids of the plugins that are disabled in a tenant. */
      readonly offIn: (tenantId: string) => readonly string[];
      readonly mayMissSignals: boolean;
      readonly onHeartbeat: () => void;
    },
  ) {
    this.disposers.push(events.onPublished((event) => this.broadcast(event)));
  }

  /** Number of connected consoles. */
  get size(): number {
    return this.connections.size;
  }

  /** Opens a stream that begins with `LiveOpened` and resumes from `begin` if that position has not expired. */
  async open(principal: Principal, begin: ResumePosition, review: LiveConnection['review']): Promise<LiveConnection['stream']> {
    const own = [...this.connections].filter((connection) => connection.principal.userId === principal.userId);
    if (own.length >= maxPerUser) throw new ApiError(problems.tooManyRequests);
    const connection = new LiveConnection(principal, review);
    this.add(connection);
    try {
      const now = await this.events.now();
      const since = begin.after === '' ? positionBefore(now, begin.since) : undefined;
      const missed = await this.events.since(since ?? begin.after, principal);
      const off = this.offFor(connection);
      const opening: LiveOpening = {
        build: this.deps.build(),
        permissions: fingerprint(principal),
        off,
        ...(this.deps.safe ? { safe: true } : {}),
        resumed: missed !== undefined,
      };
      connection.begin(formatEvent({ id: missed ? since : now, name: LiveOpened.name, payload: opening }), missed ?? []);
    } catch (error) {
      this.remove(connection);
      throw error;
    }
    return connection.stream;
  }

  /** Reviews listeners whose permissions have changed or whose session has ended. */
  async reviewStale(stale: PrincipalInvalidation): Promise<void> {
    for (const connection of [...this.connections]) {
      if (isStale(stale, connection.principal)) await this.review(connection, { notifies: !('sessionId' in stale), reason: stale.reason });
    }
  }

  /** Notifies each console whose set of disabled plugins differs from the one last reported. */
  notifySwitched(): void {
    for (const connection of this.connections) {
      const before = connection.off;
      const off = this.offFor(connection);
      if (before !== undefined && before.join() !== off.join()) connection.send(formatEvent({ name: PluginsSwitched.name, payload: { off } }));
    }
  }

  /** Sends an event to the consoles of a user that are connected to this replica now; it is not repeated to one that reconnects. */
  sendTo(userId: string, name: string, payload: unknown): void {
    const text = formatEvent({ name, payload });
    for (const connection of this.connections) if (connection.principal.userId === userId) connection.send(text);
  }

  /** Ends every connection and tells consoles to reconnect, which leads them to another replica. */
  close(): void {
    this.closed = true;
    for (const undo of this.disposers.splice(0)) undo();
    this.reconnect();
  }

  /** Makes every console connect again, so that it learns of another build. */
  reconnect(): void {
    for (const connection of [...this.connections]) {
      connection.send('retry: 1000\n\n');
      connection.end();
      this.remove(connection);
    }
  }

  private offFor(connection: LiveConnection): readonly string[] {
    connection.off = this.deps.offIn(connection.principal.tenantId);
    return connection.off;
  }

  private add(connection: LiveConnection): void {
    if (this.closed) throw new ApiError(problems.unavailable);
    this.connections.add(connection);
    connection.stream.once('close', () => this.remove(connection));
    this.timer ??= setInterval(() => void this.heartbeat(), liveHeartbeatMs).unref();
  }

  private remove(connection: LiveConnection): void {
    this.connections.delete(connection);
    if (this.connections.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private broadcast(event: LiveEvent): void {
    if (this.sentIds.has(event.id)) return;
    this.sentIds.add(event.id);
    if (this.sentIds.size > maxSentIds) this.sentIds.delete(this.sentIds.values().next().value as string);
    const text = formatEvent(event);
    for (const connection of this.connections) connection.sendEvent(event, text);
  }

  private async heartbeat(): Promise<void> {
    this.heartbeats += 1;
    this.deps.onHeartbeat();
    for (const connection of this.connections) connection.send(':\n\n');
    try {
      if (this.deps.mayMissSignals) for (const event of await this.events.latest()) this.broadcast(event);
      if (this.heartbeats % heartbeatsPerReview === 0) for (const connection of [...this.connections]) await this.review(connection, { notifies: false });
    } catch (error) {
      this.deps.log.warn({ err: error }, 'could not maintain live connections');
    }
  }

  private async review(
    connection: LiveConnection,
    { notifies, reason }: { readonly notifies: boolean; readonly reason?: SessionEnding | undefined },
  ): Promise<void> {
    const before = fingerprint(connection.principal);
    // A listener who cannot be reviewed now is disconnected, and identified again when reconnecting.
    const principal = await connection.review().catch(() => undefined);
    if (!principal) {
      if (reason) connection.send(formatEvent({ name: SessionEnded.name, payload: { reason } }));
      connection.end();
      this.remove(connection);
      return;
    }
    connection.principal = principal;
    if (notifies || fingerprint(principal) !== before) connection.send(formatEvent({ name: PermissionChanged.name, payload: {} }));
  }
}

/** Computes a value that changes with roles or codes. */
function fingerprint({ roles, codes }: Principal): string {
  return createHash('sha256')
    .update(JSON.stringify([[...roles].sort(), [...codes].sort()]))
    .digest('base64url')
    .slice(0, 16);
}

/** Maximum bytes waiting for a console that does not read; beyond it the connection is closed, and the console resumes. */
const maxWaitingBytes = 256 * 1024;

/** Connection of one listening console. */
export class LiveConnection {
  readonly stream: Readable;
  /** Events published before `begin` has run. */
  private heldBack: LiveEvent[] | undefined = [];
  /** True once `end` was called, possibly before the connection has begun. */
  private hasEnded = false;
  /** Disabled plugins as last reported to the console. */
  off: readonly string[] | undefined;
  /** Ids of events sent as missed, which may be published once more. */
  private readonly sentAsMissed = new Set<string>();

  constructor(
    /** The listening user as last identified; reviewed when it may have changed. */
    public principal: Principal,
    /** Identifies the user again; undefined if they may no longer listen. */
    readonly review: () => Promise<Principal | undefined>,
  ) {
    this.stream = new Readable({ read: () => undefined });
  }

  /** Sends the opening, then missed events, then those held back; from here on events are sent immediately. */
  begin(opening: string, missed: readonly LiveEvent[]): void {
    this.send(opening);
    for (const event of missed) {
      this.sentAsMissed.add(event.id);
      this.send(formatEvent(event));
    }
    const { heldBack = [] } = this;
    this.heldBack = undefined;
    for (const event of heldBack) this.sendEvent(event, formatEvent(event));
  }

  /** Sends an event if it is meant for this user; `text` is its frame, built once for all connections. */
  sendEvent(event: LiveEvent, text: string): void {
    if (this.sentAsMissed.has(event.id) || !isRecipient(event, this.principal)) return;
    if (this.heldBack) this.heldBack.push(event);
    else this.send(text);
  }

  send(text: string): void {
    if (this.hasEnded || this.stream.destroyed) return;
    if (this.stream.readableLength + text.length > maxWaitingBytes) this.stream.destroy();
    else this.stream.push(text);
  }

  /** Ends the stream regularly. */
  end(): void {
    if (!this.hasEnded && !this.stream.destroyed) this.stream.push(null);
    this.hasEnded = true;
  }
}
