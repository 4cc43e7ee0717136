import type { RowScope } from '../db/row-scope.ts';
import type { MayCall } from '../permission/api-scopes.ts';

/** Who makes a request, as the verified token and the database say; the browser adds nothing to it. */
export interface Principal {
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly account: string;
  readonly deptId: string | undefined;
  /** All their departments, the first of them `deptId`. */
  readonly deptIds?: readonly string[];
  /** What they see of entities, by name; all of what is not in it. */
  readonly dataScopes?: ReadonlyMap<string, RowScope>;
  /** Whether API scopes let them make a call; all of them where there is none. */
  readonly mayCall?: MayCall;
  readonly roleIds: readonly string[];
  /** Role aliases; `administrator` is the platform's, `admin` a tenant's. */
  readonly roles: readonly string[];
  /** Pages and buttons granted, in one namespace. */
  readonly codes: ReadonlySet<string>;
  /** True: only the password may be changed. */
  readonly passwordExpired: boolean;
  /** True: the screen is locked; only unlocking, signing out and refreshing are answered. */
  readonly locked: boolean;
  /** They look at the console as roles that are not theirs, and change nothing meanwhile; these are theirs. */
  readonly preview?: { readonly roleIds: readonly string[] };
  /** Somebody whose identity elsewhere is no user's here: they may ask for an account and nothing else. */
  readonly guest?: Guest;
}

/** An identity elsewhere that has been proved and is nobody's here. */
export interface Guest {
  readonly tenantId: string;
  readonly oauthId: string;
}
