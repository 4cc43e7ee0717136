import type { Observable } from 'rxjs';
import type { TokenInput, TokenReply, UserFacts, UserInfo } from '#shared/auth';
import { event } from '#shared/contract';
import type { SessionEnding } from '#shared/session-ended';

/** Someone signed in; kernel services load what is theirs. */
export const SignedIn = event<{ userId: string; tenantId: string }>('auth:signed-in');
/** The session ended here: by choice, by a 401, by an empty token or in another browser tab. */
export const SignedOut = event<{ reason: 'chosen' | 'refused' | 'elsewhere'; ending?: SessionEnding | undefined }>('auth:signed-out');

/** Somebody else has signed in in another tab of this browser, and this tab is theirs now; the names are people's. */
export const SwitchedElsewhere = event<{ from: string; to: string }>('auth:switched-elsewhere');

/** The signed-in user's roles or department are others than before: chosen, or changed by an administrator and learnt with a refresh. */
export const RolesChanged = event<{ userId: string; tenantId: string }>('auth:roles-changed');

/** One of one's departments and one of one's roles. */
export interface ActingAs {
  readonly deptId: string;
  readonly roleId: string;
}

/** What an operator types to sign in. */
export interface Credentials {
  readonly tenantId: string;
  readonly username: string;
  readonly password: string;
  readonly captcha?: { readonly key: string; readonly code: string };
}

/** Any grant of the token endpoint but a refresh. */
export type SignInGrant = TokenInput & { readonly grant_type: string; readonly tenantId: string };

/** A failure's message has already been toasted, unless there is a way on. */
export type SignInOutcome =
  | { readonly success: true; readonly passwordExpired: boolean }
  | {
      readonly success: false;
      readonly message: string;
      /** The password was right; the grant `totp` goes on with this. */
      readonly secondFactor?: string;
      /** An identity that is nobody's yet: its holder may ask for an account with this. */
      readonly guest?: TokenReply;
    };

/** A failure's message has already been toasted. */
export type PasswordOutcome = { readonly success: true } | { readonly success: false; readonly message: string };

/** Who is signed in in this browser. Tokens are kept in cookies and local storage; only the header authenticates. */
export abstract class Session {
  abstract readonly user$: Observable<UserInfo | undefined>;
  /** `password_expired` stays true until `changePassword` has succeeded. */
  abstract readonly user: UserInfo | undefined;
  /** Empty when nobody is signed in. */
  abstract readonly accessToken: string;
  /** True when the operator has signed in since this window was loaded, false when it found them signed in. */
  abstract readonly hasBegunHere: boolean;
  abstract signIn(credentials: Credentials): Promise<SignInOutcome>;
  /** Signs in by something else than account and password. */
  abstract signInBy(grant: SignInGrant): Promise<SignInOutcome>;
  /** Clears tokens, menus, roles, tabs and lock at once, here and in every browser tab; resolves when the server has been told. */
  abstract signOut(): Promise<void>;
  /** Clears the session here without asking the server: a 401, an empty token, or the server has said why. */
  abstract end(reason: 'refused' | 'elsewhere', ending?: SessionEnding): void;
  /** One flight shared by the timer, every 401 and every browser tab; false when the session cannot be continued, rejects with a `TransportError` when nobody could say. */
  abstract refresh(): Promise<boolean>;
  /** Has nothing but this department and this role count from now on; the token is refreshed for it. False when the session cannot be continued, rejects as `refresh` does. */
  abstract actAs(chosen: ActingAs): Promise<boolean>;
  /** Looks at the stored token, as the routing guard does: an empty one ends the session here, another account's takes its place. True when somebody is signed in. */
  abstract verify(): boolean;
  /** The server has taken a change of one's profile: every screen shows it from now on. */
  abstract noteProfile(change: Partial<Pick<UserInfo, 'avatar' | 'nick_name'>>): void;
  /** The server has said in which roles one is here from now on: menu and codes are asked for again, in every tab of this browser. */
  abstract noteRoles(facts: UserFacts): void;
  abstract changePassword(oldPassword: string, newPassword: string, again: string): Promise<PasswordOutcome>;
}
