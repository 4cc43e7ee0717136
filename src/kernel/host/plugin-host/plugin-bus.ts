import { Observable, type Subscription } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { Bus, type Disposer } from '../../base/bus/bus.ts';
import type { MittBus } from '../../base/bus/mitt-bus.ts';

/** Wraps the bus for one plugin: its listeners are attributed to it and end with it, its streams complete. */
export class PluginBus extends Bus {
  constructor(
    private readonly bus: MittBus,
    private readonly pluginId: string,
    private readonly lifetime: Subscription,
  ) {
    super();
  }

  emit<Payload>(event: EventToken<Payload>, payload: Payload): void {
    this.bus.emit(event, payload, this.pluginId);
  }

  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): Disposer {
    if (this.lifetime.closed) return () => undefined;
    const undo = this.bus.on(event, listener, this.pluginId);
    this.lifetime.add(undo);
    return () => {
      this.lifetime.remove(undo);
      undo();
    };
  }

  stream<Payload>(event: EventToken<Payload>): Observable<Payload> {
    return new Observable((subscriber) => {
      const complete = () => subscriber.complete();
      this.lifetime.add(complete);
      subscriber.add(() => this.lifetime.remove(complete));
      return this.on(event, (payload) => subscriber.next(payload));
    });
  }
}
