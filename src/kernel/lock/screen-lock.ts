import type { Observable } from 'rxjs';

/** A failure's message has already been said. */
export type LockOutcome = { readonly success: true } | { readonly success: false; readonly message: string };

/** The lock of the operator's screen, in every browser tab at once. The server holds the password and refuses the session until it is given. */
export abstract class ScreenLock {
  abstract readonly isLocked$: Observable<boolean>;
  abstract readonly isLocked: boolean;
  /** Without a password it is unlocked with the one of the account. */
  abstract lock(password?: string): Promise<LockOutcome>;
  /** Locks the screen of somebody who has gone: at once, and on the server as soon as it answers. Locked already, it does nothing. */
  abstract leave(): Promise<void>;
  abstract unlock(password: string): Promise<LockOutcome>;
}
