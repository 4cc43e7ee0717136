import type { Observable } from 'rxjs';
import type { UserInfo } from '#shared/auth';
import { event } from '#shared/contract';

/** Someone signed in; kernel services load what is theirs. */
export const SignedIn = event<{ userId: string; tenantId: string }>('auth:signed-in');
/** The session ended here: by choice, by a 401, by an empty token or in another browser tab. */
export const SignedOut = event<{ reason: 'chosen' | 'refused' | 'elsewhere' }>('auth:signed-out');

/** What an operator types to sign in. */
export interface Credentials {
  readonly tenantId: string;
  readonly username: string;
  readonly password: string;
  readonly captcha?: { readonly key: string; readonly code: string };
}

/** A failure's message has already been toasted. */
export type SignInOutcome = { readonly success: true; readonly passwordExpired: boolean } | { readonly success: false; readonly message: string };

/** A failure's message has already been toasted. */
export type PasswordOutcome = { readonly success: true } | { readonly success: false; readonly message: string };

/** Who is signed in in this browser. Tokens are kept in cookies and local storage; only the header authenticates. */
export abstract class Session {
  abstract readonly user$: Observable<UserInfo | undefined>;
  /** `password_expired` stays true until `changePassword` has succeeded. */
  abstract readonly user: UserInfo | undefined;
  /** Empty when nobody is signed in. */
  abstract readonly accessToken: string;
  abstract signIn(credentials: Credentials): Promise<SignInOutcome>;
  /** Tells the server, then clears tokens, menus, roles, tabs and lock here and in every browser tab. */
  abstract signOut(): Promise<void>;
  /** Clears the session here without asking the server: a 401, an empty token. */
  abstract end(reason: 'refused' | 'elsewhere'): void;
  /** One flight shared by the timer, every 401 and every browser tab; false when the session cannot be continued, rejects with a `TransportError` when nobody could say. */
  abstract refresh(): Promise<boolean>;
  /** Looks at the stored token, as the routing guard does: an empty one ends the session here, another account's takes its place. True when somebody is signed in. */
  abstract verify(): boolean;
  abstract changePassword(oldPassword: string, newPassword: string, again: string): Promise<PasswordOutcome>;
}
