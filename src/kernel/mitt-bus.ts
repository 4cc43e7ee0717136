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

/** The console's bus over mitt. */
export class MittBus extends Bus {
  private readonly emitter: Emitter<Record<string, unknown>> = mitt();
  private readonly faults = new Subject<ListenerFault>();
  readonly faults$ = this.faults.asObservable();

  emit<Payload>(event: EventToken<Payload>, payload: Payload): void {
    this.emitter.emit(event.name, payload);
  }

  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void, pluginId?: string): Undo {
    const guarded = (payload: unknown) => {
      try {
        listener(payload as Payload);
      } catch (error) {
        this.faults.next({ error, event: event.name, pluginId });
      }
    };
    this.emitter.on(event.name, guarded);
    return () => {
      this.emitter.off(event.name, guarded);
      if (this.emitter.all.get(event.name)?.length === 0) this.emitter.all.delete(event.name);
    };
  }

  stream<Payload>(event: EventToken<Payload>): Observable<Payload> {
    return new Observable((subscriber) => this.on(event, (payload) => subscriber.next(payload)));
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
