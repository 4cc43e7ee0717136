import type { Observable } from 'rxjs';
import type { TokenInput, TokenReply, UserFacts, UserInfo } from '#shared/auth';
import { event } from '#shared/contract';
import type { SecondFactorKind } from '#shared/second-factor';
import type { SessionEnding } from '#shared/session-ended';

/** Emitted when a user has signed in; kernel services load the user's data then. */
export const SignedIn = event<{ userId: string; tenantId: string }>('auth:signed-in');
/** Emitted when the session has ended here: by choice, by a 401, by an empty token or in another browser tab. */
export const SignedOut = event<{ reason: 'chosen' | 'refused' | 'elsewhere'; ending?: SessionEnding | undefined }>('auth:signed-out');

/** Emitted when another user has signed in in another tab of this browser and this tab has changed to that user; `from` and `to` are their names. */
export const SwitchedElsewhere = event<{ from: string; to: string }>('auth:switched-elsewhere');

/** Emitted when the roles or the department of the signed-in user have changed: by choice, or by an administrator and noticed with a refresh. */
export const RolesChanged = event<{ userId: string; tenantId: string }>('auth:roles-changed');

/** One department and one role of the signed-in user. */
export interface ActingAs {
  readonly deptId: string;
  readonly roleId: string;
}

/** Input of the sign-in form. */
export interface Credentials {
  readonly tenantId: string;
  readonly username: string;
  readonly password: string;
  readonly captcha?: { readonly key: string; readonly code: string };
}

/** Any grant of the token endpoint but a refresh. */
export type SignInGrant = TokenInput & { readonly grant_type: string; readonly tenantId: string };

/** Sign-in whose password was right, with the second factors of the account. */
export interface SecondFactorRequest {
  readonly token: string;
  readonly methods: readonly SecondFactorKind[];
}

/** The message of a failure has already been shown as a toast, unless `secondFactor` or `guest` offers a next step. */
export type SignInOutcome =
  | { readonly success: true; readonly passwordExpired: boolean }
  | {
      readonly success: false;
      readonly message: string;
      /** Set when the password was right and a second factor is due: the grant `totp` or `passkey` continues with this token. */
      readonly secondFactor?: SecondFactorRequest;
      /** Set for an identity that is linked to no user; its holder can request an account with this reply. */
      readonly guest?: TokenReply;
    };

/** The message of a failure has already been shown as a toast. */
export type PasswordOutcome = { readonly success: true } | { readonly success: false; readonly message: string };

/** The session of the user signed in in this browser. Tokens are stored in cookies and local storage; only the header authenticates. */
export abstract class Session {
  abstract readonly user$: Observable<UserInfo | undefined>;
  /** `password_expired` stays true until `changePassword` has succeeded. */
  abstract readonly user: UserInfo | undefined;
  /** Empty when no user is signed in. */
  abstract readonly accessToken: string;
  /** True when the operator has signed in since this window was loaded, false when it found them signed in. */
  abstract readonly hasSignedInSinceLoad: boolean;
  abstract signIn(credentials: Credentials): Promise<SignInOutcome>;
  /** Signs in by a method other than account and password. */
  abstract signInBy(grant: SignInGrant): Promise<SignInOutcome>;
  /** Clears tokens, menus, roles, tabs and lock at once, here and in every browser tab; resolves when the server has been notified. */
  abstract signOut(): Promise<void>;
  /** Clears the session here without asking the server: after a 401, an empty token, or an ending the server has announced. */
  abstract end(reason: 'refused' | 'elsewhere', ending?: SessionEnding): void;
  /** Refreshes once for the timer, every 401 and every browser tab. Resolves false when the session cannot be continued; rejects with a `TransportError` without an answer. */
  abstract refresh(): Promise<boolean>;
  /** Restricts the session to this department and role and refreshes the token for them. Resolves false when the session cannot be continued; rejects as `refresh` does. */
  abstract actAs(selected: ActingAs): Promise<boolean>;
  /** Checks the stored token for the routing guard: an empty one ends the session here, another account's token replaces it. Returns true when a user is signed in. */
  abstract verify(): boolean;
  /** Updates the signed-in user after the server has accepted a change of the profile. */
  abstract updateProfile(change: Partial<Pick<UserInfo, 'avatar' | 'nick_name'>>): void;
  /** Updates the roles after the server has changed them; menu and permission codes are fetched again in every tab of this browser. */
  abstract updateRoles(facts: UserFacts): void;
  abstract changePassword(oldPassword: string, newPassword: string, again: string): Promise<PasswordOutcome>;
}
