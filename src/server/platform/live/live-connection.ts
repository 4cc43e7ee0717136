import { Readable } from 'node:stream';
import type { Principal } from '../principal/principal.ts';
import { formatEvent, isRecipient, type LiveEvent } from './live-event.ts';

/** Maximum bytes waiting for a console that does not read; beyond it the connection is closed, and the console resumes. */
const maxWaitingBytes = 256 * 1024;

/** Connection of one listening console. */
export class LiveConnection {
  readonly stream: Readable;
  /** Events published before `begin` has run. */
  private heldBack: LiveEvent[] | undefined = [];
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
    if (this.stream.readableEnded || this.stream.destroyed) return;
    if (this.stream.readableLength + text.length > maxWaitingBytes) this.stream.destroy();
    else this.stream.push(text);
  }

  /** Ends the stream regularly. */
  end(): void {
    if (!this.stream.destroyed) this.stream.push(null);
  }
}
