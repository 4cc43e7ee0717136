import type { Call } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { registrationProblems } from '#shared/registration';
import { isEmpty } from '#shared/text';
import type { Principal } from '../auth/principal.ts';
import type { Route } from './route.ts';

/** Nobody: of a tenant that cannot exist, so row level security shows them the platform's rows at most. */
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

type Admitting = Pick<Route, 'call' | 'aliases' | 'refuseOff' | 'despiteExpiredPassword' | 'despiteLock' | 'despitePreview' | 'writes'>;

/** The admit room before the body is read. 401 is "sign in", 403 is "signed in, not allowed"; the two are never mixed. */
export function admit(asked: Admitting, principal: Principal | undefined): void {
  const { call, aliases = [], refuseOff, despiteExpiredPassword, despiteLock, despitePreview, writes = call.method !== 'GET' } = asked;
  const { who, path } = call;
  if (who === 'open') {
    refuseOff?.(principal);
    return;
  }
  if (!principal) throw new Refusal(problems.unauthorized);
  if (principal.guest) throw new Refusal(registrationProblems.guest);
  if (principal.locked && !despiteLock) throw new Refusal(problems.locked);
  if (principal.passwordExpired && !despiteExpiredPassword) throw new Refusal(problems.passwordExpired);
  refuseOff?.(principal);
  if (principal.preview && despitePreview) return;
  if (principal.preview && writes) throw new Refusal(problems.previewing);
  if (!isWithinApiScopes({ path, aliases }, principal)) throw new Refusal(problems.forbidden);
  const enough = codesAsked(who);
  if (enough.length > 0 && !enough.some((code) => principal.codes.has(code))) throw new Refusal(problems.forbidden);
}

/** Whether API scopes leave a call to somebody. */
export const isWithinApiScopes = (
  { path, aliases = [] }: { readonly path: string; readonly aliases?: readonly string[] | undefined },
  { mayCall }: Principal,
): boolean => mayCall === undefined || mayCall([path, ...aliases]);

/** The codes one of which a call asks for; none where being signed in is enough. */
export const codesAsked = (who: Call['who']): readonly string[] => (typeof who === 'string' ? [] : 'code' in who ? [who.code] : [who.add, who.edit]);

/** The admit room once the body is known: a submit that names a row edits, one that names none adds. */
export function admitInput({ who }: Call, principal: Principal, entered: object): void {
  if (typeof who !== 'object' || !('add' in who)) return;
  const edits = !isEmpty((entered as { id?: unknown }).id);
  if (!principal.codes.has(edits ? who.edit : who.add)) throw new Refusal(problems.forbidden);
}
