import type { Observable } from 'rxjs';
import type { EventToken } from '#shared/contract';

/** Events that the server pushes to this console. One connection serves all tabs of a browser; each event arrives once in each tab. */
export abstract class Live {
  /** Emits the payloads that the server publishes for this user from now on, and never errors. `LiveOpened` with `resumed: false` means that earlier ones may be missing. */
  abstract stream<Payload>(event: EventToken<Payload>): Observable<Payload>;
  /** Id of the console build that the server delivers. The first value arrives with the first connection, another one after an upgrade. */
  abstract readonly build$: Observable<string>;
}
