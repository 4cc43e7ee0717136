import type { EventToken } from '#shared/contract';

/** Recipients of an event: one user, the users of a role (by its alias), or a whole tenant. The tenant defaults to that of the current work. */
export type Audience =
  | { readonly user: string; readonly tenant?: string }
  | { readonly role: string; readonly tenant?: string }
  | { readonly tenant: string }
  | { readonly everyone: true };

/** Sends events to consoles, regardless of the replica they are connected to. */
export abstract class Live {
  /**
   * Publishes an event once the current transaction has committed, or immediately without one; a disconnected console receives it after reconnecting. The payload is
   * limited to 6,000 bytes of JSON.
   */
  abstract publish<Payload>(event: EventToken<Payload>, payload: Payload, audience: Audience): Promise<void>;
}
