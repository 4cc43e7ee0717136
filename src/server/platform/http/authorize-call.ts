import type { Call } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { registrationProblems } from '#shared/registration';
import { freshProofSeconds } from '#shared/second-factor';
import { isEmpty } from '#shared/text';
import type { Principal } from '../principal/principal.ts';
import type { Route } from './route.ts';

/** Principal of a request without a session. Its tenant cannot exist, so row level security shows it platform rows at most. */
export const anonymous: Principal = {
  sessionId: '',
  userId: '',
  tenantId: 'anonymous',
  account: '',
  deptId: undefined,
  roleIds: [],
  roles: [],
  codes: new Set(),
  passwordExpired: false,
  locked: false,
};

type AuthorizableRoute = Pick<
  Route,
  'call' | 'aliases' | 'assertPluginEnabled' | 'allowExpiredPassword' | 'allowMissingSecondFactor' | 'allowLocked' | 'allowPreview' | 'writes'
>;

/** Authorizes a request before its body is read. 401 means "sign in", 403 means "signed in, but not allowed"; the two are never mixed. */
export function authorize(route: AuthorizableRoute, principal: Principal | undefined): void {
  const {
    call,
    aliases = [],
    assertPluginEnabled,
    allowExpiredPassword,
    allowMissingSecondFactor,
    allowLocked,
    allowPreview,
    writes = call.method !== 'GET',
  } = route;
  const { access, path } = call;
  if (access === 'open') {
    assertPluginEnabled?.(principal);
    return;
  }
  if (!principal) throw new ApiError(problems.unauthorized);
  if (principal.guest) throw new ApiError(registrationProblems.guest);
  if (principal.locked && !allowLocked) throw new ApiError(problems.locked);
  if (principal.passwordExpired && !allowExpiredPassword) throw new ApiError(problems.passwordExpired);
  if (principal.secondFactorMissing && !allowMissingSecondFactor) throw new ApiError(problems.secondFactorMissing);
  assertPluginEnabled?.(principal);
  if (principal.preview && allowPreview) return;
  if (principal.preview && writes) throw new ApiError(problems.previewing);
  if (!isWithinApiScopes({ path, aliases }, principal)) throw new ApiError(problems.forbidden);
  const enough = requiredCodes(access);
  if (enough.length > 0 && !enough.some((code) => principal.codes.has(code))) throw new ApiError(problems.forbidden);
  assertProof(call, principal);
}

/**
 * Throws unless the user has proved their identity as recently as the call requires. Work without a session continues what a call has ordered that was authorized
 * itself.
 */
export function assertProof({ proof }: Pick<Call, 'proof'>, { sessionId, provenAt = 0 }: Principal): void {
  if (proof === 'fresh' && sessionId !== '' && provenAt + freshProofSeconds < Date.now() / 1000) throw new ApiError(problems.proofRequired);
}

/** Tests whether API scopes allow a principal to make a call. */
export const isWithinApiScopes = (
  { path, aliases = [] }: { readonly path: string; readonly aliases?: readonly string[] | undefined },
  { mayCall }: Principal,
): boolean => mayCall === undefined || mayCall([path, ...aliases]);

/** Lists the codes of which a call requires one; empty if a session is enough. */
export const requiredCodes = (access: Call['access']): readonly string[] =>
  typeof access === 'string' ? [] : 'code' in access ? [access.code] : [access.add, access.edit];

/** Authorizes a request once its body is known: a submit with an id updates a row, one without an id adds one. */
export function authorizeInput({ access }: Call, principal: Principal, params: object): void {
  if (typeof access !== 'object' || !('add' in access)) return;
  const edits = !isEmpty((params as { id?: unknown }).id);
  if (!principal.codes.has(edits ? access.edit : access.add)) throw new ApiError(problems.forbidden);
}

/** Builds the current principal of a user; undefined if the user can no longer sign in. */
export type FindPrincipal = (tenantId: string, userId: string) => Promise<Principal | undefined>;

/** Users on whose behalf background work runs, with the permissions they have now. */
export class Principals {
  private source: FindPrincipal = async () => undefined;

  setSource(source: FindPrincipal): void {
    this.source = source;
  }

  /** Builds the current principal of a user; undefined if the user can no longer sign in. */
  find(tenantId: string, userId: string): Promise<Principal | undefined> {
    return this.source(tenantId, userId);
  }

  /** Returns the principal, or throws an `ApiError` unless it may make the call. */
  authorize(principal: Principal | undefined, call: Call): Principal {
    authorize({ call, writes: false }, principal);
    return principal ?? anonymous;
  }
}
