import { BehaviorSubject } from 'rxjs';
import type { BusTrace, MittBus } from '../mitt-bus.ts';

/** One event that was emitted, the one it came of, and who heard it. */
export interface LoggedEvent {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: string;
  readonly payload: unknown;
  /** Whose it is: a plugin's id, nothing for the console itself. */
  readonly by: string | undefined;
  /** The number of the event whose listener emitted it, where it was one. */
  readonly cause: number | undefined;
  readonly heardBy: readonly (string | undefined)[];
}

const mostEvents = 500;
const logs = new WeakMap<MittBus, EventLog>();

/** What has been emitted since somebody first looked, latest first. */
export class EventLog implements BusTrace {
  private readonly subject = new BehaviorSubject<readonly LoggedEvent[]>([]);
  readonly events$ = this.subject.asObservable();
  private readonly underWay: { number: number; heardBy: (string | undefined)[] }[] = [];
  private count = 0;

  /** The log of a bus, begun when it is first asked for. */
  static of(bus: MittBus): EventLog {
    const log = logs.get(bus) ?? new EventLog();
    logs.set(bus, log);
    bus.trace = log;
    return log;
  }

  get events(): readonly LoggedEvent[] {
    return this.subject.value;
  }

  emitted(event: string, payload: unknown, by: string | undefined, send: () => void): void {
    const number = ++this.count;
    const cause = this.underWay.at(-1)?.number;
    const heardBy: (string | undefined)[] = [];
    this.underWay.push({ number, heardBy });
    try {
      send();
    } finally {
      this.underWay.pop();
      const entry = { number, at: Date.now(), event, payload, by, cause, heardBy };
      this.subject.next([...this.events, entry].sort((one, other) => other.number - one.number).slice(0, mostEvents));
    }
  }

  heard(pluginId: string | undefined, hear: () => void): void {
    this.underWay.at(-1)?.heardBy.push(pluginId);
    hear();
  }

  clear(): void {
    this.subject.next([]);
  }
}
