import { BehaviorSubject } from 'rxjs';
import type { BusTrace, MittBus } from '../../base/bus/mitt-bus.ts';

/** One emitted event with its cause and its listeners. */
export interface LoggedEvent {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: string;
  readonly payload: unknown;
  /** Id of the plugin that emitted it; `undefined` for the console itself. */
  readonly by: string | undefined;
  /** Number of the event whose listener emitted this one, if any. */
  readonly cause: number | undefined;
  readonly receivedBy: readonly (string | undefined)[];
}

const maxEvents = 500;
const logs = new WeakMap<MittBus, EventLog>();

/** Records the events since the log was first opened, latest first. */
export class EventLog implements BusTrace {
  private readonly subject = new BehaviorSubject<readonly LoggedEvent[]>([]);
  readonly events$ = this.subject.asObservable();
  private readonly inProgress: { number: number; receivedBy: (string | undefined)[] }[] = [];
  private count = 0;

  /** Returns the log of a bus; the first call starts it. */
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
    const cause = this.inProgress.at(-1)?.number;
    const receivedBy: (string | undefined)[] = [];
    this.inProgress.push({ number, receivedBy });
    try {
      send();
    } finally {
      this.inProgress.pop();
      const entry = { number, at: Date.now(), event, payload, by, cause, receivedBy };
      this.subject.next([...this.events, entry].sort((one, other) => other.number - one.number).slice(0, maxEvents));
    }
  }

  delivered(pluginId: string | undefined, deliver: () => void): void {
    this.inProgress.at(-1)?.receivedBy.push(pluginId);
    deliver();
  }

  clear(): void {
    this.subject.next([]);
  }
}
