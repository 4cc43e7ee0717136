import type { Observable } from 'rxjs';
import type { EventToken } from '#shared/contract';

/** Undoes a registration. Calling it twice does nothing. */
export type Disposer = () => void;

/** Event bus of the plugins. A listener that throws is reported with its plugin; the other listeners still run. */
export abstract class Bus {
  abstract emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  abstract on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): Disposer;
  /** Returns the same events as a stream; it never errors. */
  abstract stream<Payload>(event: EventToken<Payload>): Observable<Payload>;
}
