import type { EventToken } from '#shared/contract';

/** Who hears an event: one user, those who have a role (by its alias), or a whole tenant. The tenant is that of the work under way unless said. */
export type Audience =
  | { readonly user: string; readonly tenant?: string }
  | { readonly role: string; readonly tenant?: string }
  | { readonly tenant: string }
  | { readonly everyone: true };

/** Tells consoles what has happened, on whatever replica they listen. */
export abstract class Live {
  /** Heard once the transaction under way has committed, at once when there is none; a console that is cut off hears it when it is back. The payload may be 6,000 bytes of JSON. */
  abstract publish<Payload>(event: EventToken<Payload>, payload: Payload, audience: Audience): Promise<void>;
}
