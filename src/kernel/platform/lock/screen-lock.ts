import type { Observable } from 'rxjs';

/** Result of locking or unlocking. The caller shows the message of a failure. */
export type LockOutcome = { readonly success: true } | { readonly success: false; readonly message: string };

/** The lock of the operator's screen, in every browser tab at once. The server stores the password and refuses the session until it is entered. */
export abstract class ScreenLock {
  abstract readonly isLocked$: Observable<boolean>;
  abstract readonly isLocked: boolean;
  /** Without a lock password the account's password unlocks the screen. */
  abstract lock(password?: string): Promise<LockOutcome>;
  /** Locks the screen of an idle operator at once, without waiting for the server to confirm. Does nothing when the screen is already locked. */
  abstract lockIdle(): Promise<void>;
  abstract unlock(password: string): Promise<LockOutcome>;
}
