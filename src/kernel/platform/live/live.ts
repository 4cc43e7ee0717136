import type { Observable } from 'rxjs';
import type { EventToken } from '#shared/contract';

/** Events the server pushes to this console. One connection serves all tabs of a browser; each event arrives once in each tab. */
export abstract class Live {
  /** Emits the payloads the server publishes for this user from now on; never errors. After `LiveOpened` with `resumed: false` some may be missing. */
  abstract stream<Payload>(event: EventToken<Payload>): Observable<Payload>;
  /** Id of the console build the server delivers: the first value arrives with the first connection, another one after an upgrade. */
  abstract readonly build$: Observable<string>;
}
