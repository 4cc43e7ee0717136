import { Readable } from 'node:stream';
import type { Principal } from '../auth/principal.ts';
import { concerns, frameOf, type LiveEvent } from './live-event.ts';

/** Bytes that may wait for a console which does not read; one that lets more pile up is cut off and resumes. */
const mostWaiting = 256 * 1024;

/** One console that listens. */
export class LiveConnection {
  readonly stream: Readable;
  /** What is published while the beginning is still being read. */
  private held: LiveEvent[] | undefined = [];
  /** Plugins that were off when it was last told which are. */
  off: readonly string[] | undefined;
  /** What was sent as missed and may be heard of once more. */
  private readonly told = new Set<string>();

  constructor(
    /** Who listens, as far as it is known; reviewed when it may have changed. */
    public principal: Principal,
    /** Asks anew who it is; nothing when they may no longer listen. */
    readonly review: () => Promise<Principal | undefined>,
  ) {
    this.stream = new Readable({ read: () => undefined });
  }

  /** The opening, then what was missed, then what came meanwhile; from here on events are sent as they come. */
  begin(opening: string, missed: readonly LiveEvent[]): void {
    this.send(opening);
    for (const event of missed) {
      this.told.add(event.id);
      this.send(frameOf(event));
    }
    const { held = [] } = this;
    this.held = undefined;
    for (const event of held) this.tell(event, frameOf(event));
  }

  /** `text` is the event's frame, made once for all who hear it. */
  tell(event: LiveEvent, text: string): void {
    if (this.told.has(event.id) || !concerns(event, this.principal)) return;
    if (this.held) this.held.push(event);
    else this.send(text);
  }

  send(text: string): void {
    if (this.stream.readableEnded || this.stream.destroyed) return;
    if (this.stream.readableLength + text.length > mostWaiting) this.stream.destroy();
    else this.stream.push(text);
  }

  /** Ends the connection in good order. */
  end(): void {
    if (!this.stream.destroyed) this.stream.push(null);
  }
}
