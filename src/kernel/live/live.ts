import type { Observable } from 'rxjs';
import type { EventToken } from '#shared/contract';

/** What the server tells this console while it happens. One connection serves all tabs of a browser; each event arrives once in each. */
export abstract class Live {
  /** Facts as the server published them for this user, from now on; never errors. After `LiveOpened` with `resumed: false` some may be missing. */
  abstract stream<Payload>(event: EventToken<Payload>): Observable<Payload>;
  /** Names the console the server delivers: its first value when the server is first heard, another after an upgrade. */
  abstract readonly build$: Observable<string>;
}
