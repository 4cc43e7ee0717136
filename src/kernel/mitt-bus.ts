import mitt, { type Emitter } from 'mitt';
import { Observable, Subject } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { Bus, type Undo } from './bus.ts';

/** A listener that threw: at which event, and whose it was when a plugin's. */
export interface ListenerFault {
  readonly error: unknown;
  readonly event: string;
  readonly pluginId: string | undefined;
}

/** Follows what is emitted and who hears it; each piece of work is done where it is told of. */
export interface BusTrace {
  emitted(event: string, payload: unknown, pluginId: string | undefined, send: () => void): void;
  heard(pluginId: string | undefined, hear: () => void): void;
}

/** The console's bus over mitt. */
export class MittBus extends Bus {
  private readonly emitter: Emitter<Record<string, unknown>> = mitt();
  private readonly faults = new Subject<ListenerFault>();
  readonly faults$ = this.faults.asObservable();
  /** Whose each listener is. */
  private readonly owners = new Map<unknown, string | undefined>();
  /** Set while somebody looks. */
  trace: BusTrace | undefined;

  emit<Payload>(event: EventToken<Payload>, payload: Payload, pluginId?: string): void {
    const send = () => this.emitter.emit(event.name, payload);
    if (this.trace) this.trace.emitted(event.name, payload, pluginId, send);
    else send();
  }

  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void, pluginId?: string): Undo {
    const guarded = (payload: unknown) => {
      try {
        if (this.trace) this.trace.heard(pluginId, () => listener(payload as Payload));
        else listener(payload as Payload);
      } catch (error) {
        this.faults.next({ error, event: event.name, pluginId });
      }
    };
    this.emitter.on(event.name, guarded);
    this.owners.set(guarded, pluginId);
    return () => {
      this.owners.delete(guarded);
      this.emitter.off(event.name, guarded);
      if (this.emitter.all.get(event.name)?.length === 0) this.emitter.all.delete(event.name);
    };
  }

  stream<Payload>(event: EventToken<Payload>): Observable<Payload> {
    return new Observable((subscriber) => this.on(event, (payload) => subscriber.next(payload)));
  }

  /** Every event somebody listens to, and who: ids of plugins, nothing for the console itself. */
  get listeners(): ReadonlyMap<string, readonly (string | undefined)[]> {
    return new Map([...this.emitter.all].map(([name, all]) => [String(name), (all ?? []).map((listener) => this.owners.get(listener))]));
  }

  /** How many listeners there are. */
  get size(): number {
    return [...this.emitter.all.values()].reduce((sum, listeners) => sum + (listeners?.length ?? 0), 0);
  }

  dispose(): void {
    this.emitter.all.clear();
    this.faults.complete();
  }
}
