import mitt, { type Emitter } from 'mitt';
import { Observable, Subject } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { Bus, type Disposer } from './bus.ts';

/** A listener that threw, with its event and its plugin, if any. */
export interface ListenerError {
  readonly error: unknown;
  readonly event: string;
  readonly pluginId: string | undefined;
}

/** Traces emitted events and their listeners; the implementation must call `send` and `deliver`. */
export interface BusTrace {
  emitted(event: string, payload: unknown, pluginId: string | undefined, send: () => void): void;
  delivered(pluginId: string | undefined, deliver: () => void): void;
}

/** Implements `Bus` over mitt. */
export class MittBus extends Bus {
  private readonly emitter: Emitter<Record<string, unknown>> = mitt();
  private readonly listenerErrors = new Subject<ListenerError>();
  readonly listenerErrors$ = this.listenerErrors.asObservable();
  /** Plugin ids by listener. */
  private readonly owners = new Map<unknown, string | undefined>();
  /** Set while events are recorded for diagnosis. */
  trace: BusTrace | undefined;

  emit<Payload>(event: EventToken<Payload>, payload: Payload, pluginId?: string): void {
    const send = () => this.emitter.emit(event.name, payload);
    if (this.trace) this.trace.emitted(event.name, payload, pluginId, send);
    else send();
  }

  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void, pluginId?: string): Disposer {
    const guarded = (payload: unknown) => {
      try {
        if (this.trace) this.trace.delivered(pluginId, () => listener(payload as Payload));
        else listener(payload as Payload);
      } catch (error) {
        this.listenerErrors.next({ error, event: event.name, pluginId });
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

  /** Returns the listeners of every event: ids of plugins, `undefined` for the console itself. */
  get listeners(): ReadonlyMap<string, readonly (string | undefined)[]> {
    return new Map([...this.emitter.all].map(([name, all]) => [String(name), (all ?? []).map((listener) => this.owners.get(listener))]));
  }

  /** Number of listeners. */
  get size(): number {
    return [...this.emitter.all.values()].reduce((sum, listeners) => sum + (listeners?.length ?? 0), 0);
  }

  dispose(): void {
    this.emitter.all.clear();
    this.listenerErrors.complete();
  }
}
