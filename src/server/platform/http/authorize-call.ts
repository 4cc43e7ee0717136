import type { Call } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { registrationProblems } from '#shared/registration';
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

type AuthorizableRoute = Pick<Route, 'call' | 'aliases' | 'assertPluginEnabled' | 'allowExpiredPassword' | 'allowLocked' | 'allowPreview' | 'writes'>;

/** Authorizes a request before its body is read. 401 means "sign in", 403 means "signed in, but not allowed"; the two are never mixed. */
export function authorize(asked: AuthorizableRoute, principal: Principal | undefined): void {
  const { call, aliases = [], assertPluginEnabled, allowExpiredPassword, allowLocked, allowPreview, writes = call.method !== 'GET' } = asked;
  const { who, path } = call;
  if (who === 'open') {
    assertPluginEnabled?.(principal);
    return;
  }
  if (!principal) throw new Refusal(problems.unauthorized);
  if (principal.guest) throw new Refusal(registrationProblems.guest);
  if (principal.locked && !allowLocked) throw new Refusal(problems.locked);
  if (principal.passwordExpired && !allowExpiredPassword) throw new Refusal(problems.passwordExpired);
  assertPluginEnabled?.(principal);
  if (principal.preview && allowPreview) return;
  if (principal.preview && writes) throw new Refusal(problems.previewing);
  if (!isWithinApiScopes({ path, aliases }, principal)) throw new Refusal(problems.forbidden);
  const enough = requiredCodes(who);
  if (enough.length > 0 && !enough.some((code) => principal.codes.has(code))) throw new Refusal(problems.forbidden);
}

/** Tests whether API scopes allow a principal to make a call. */
export const isWithinApiScopes = (
  { path, aliases = [] }: { readonly path: string; readonly aliases?: readonly string[] | undefined },
  { mayCall }: Principal,
): boolean => mayCall === undefined || mayCall([path, ...aliases]);

/** Lists the codes of which a call requires one; empty if a session is enough. */
export const requiredCodes = (who: Call['who']): readonly string[] => (typeof who === 'string' ? [] : 'code' in who ? [who.code] : [who.add, who.edit]);

/** Authorizes a request once its body is known: a submit with an id updates a row, one without an id adds one. */
export function admitInput({ who }: Call, principal: Principal, entered: object): void {
  if (typeof who !== 'object' || !('add' in who)) return;
  const edits = !isEmpty((entered as { id?: unknown }).id);
  if (!principal.codes.has(edits ? who.edit : who.add)) throw new Refusal(problems.forbidden);
}
