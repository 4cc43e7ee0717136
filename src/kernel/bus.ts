import type { Observable } from 'rxjs';
import type { EventToken } from '#shared/contract';

/** Takes back what was registered. Calling it twice does nothing. */
export type Undo = () => void;

/** Where plugins tell each other what has happened. A listener that throws is reported with its plugin and silences nobody. */
export abstract class Bus {
  abstract emit<Payload>(event: EventToken<Payload>, payload: Payload): void;
  abstract on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): Undo;
  /** The same facts as a stream; it never errors. */
  abstract stream<Payload>(event: EventToken<Payload>): Observable<Payload>;
}
