import type { RowScope } from '../../data/context/actor.ts';

/** Tests whether API scopes allow a call that is served at these paths. */
export type MayCall = (paths: readonly string[]) => boolean;

/** The user of a request, according to the verified token and the database; nothing comes from the browser. */
export interface Principal {
  readonly sessionId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly account: string;
  /** Client application that began the session. */
  readonly clientId?: string;
  readonly deptId: string | undefined;
  /** All departments of the user; the first is `deptId`. */
  readonly deptIds?: readonly string[];
  /** Row scopes by entity name; entities without an entry are unrestricted. */
  readonly dataScopes?: ReadonlyMap<string, RowScope>;
  /** Tests API scopes; undefined allows every call. */
  readonly mayCall?: MayCall;
  readonly roleIds: readonly string[];
  /** Role aliases; `administrator` is the platform's, `admin` a tenant's. */
  readonly roles: readonly string[];
  /** Codes of granted pages and buttons, in one namespace. */
  readonly codes: ReadonlySet<string>;
  /** True if the user may only change the password. */
  readonly passwordExpired: boolean;
  /** True if a role of the user requires a second factor and there is none: the user may only set one up. */
  readonly secondFactorMissing?: boolean;
  /** Time of the last proof of identity in the session, in seconds since 1970. */
  readonly provenAt?: number | undefined;
  /** True if the screen is locked; only unlocking, signing out and refreshing are answered. */
  readonly locked: boolean;
  /** The user's own roles during a preview of other roles, in which nothing can be changed. */
  readonly preview?: { readonly roleIds: readonly string[] };
  /** An external identity without an account here; it may only request an account. */
  readonly guest?: UnlinkedIdentity;
}

/** A verified external identity that is linked to no account. */
export interface UnlinkedIdentity {
  readonly tenantId: string;
  readonly oauthId: string;
}

const administratorRoles = new Set(['administrator', 'admin']);

/** Tests whether a principal administers the platform or their tenant. */
export const administers = ({ roles }: Principal): boolean => roles.some((role) => administratorRoles.has(role));
