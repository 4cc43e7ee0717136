import type { Call } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
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
};

/** The admit room before the body is read. 401 is "sign in", 403 is "signed in, not allowed"; the two are never mixed. */
export function admit({ call: { who }, despiteExpiredPassword }: Pick<Route, 'call' | 'despiteExpiredPassword'>, principal: Principal | undefined): void {
  if (who === 'open') return;
  if (!principal) throw new Refusal(problems.unauthorized);
  if (principal.passwordExpired && !despiteExpiredPassword) throw new Refusal(problems.passwordExpired);
  if (who === 'signedIn') return;
  const enough = 'code' in who ? [who.code] : [who.add, who.edit];
  if (!enough.some((code) => principal.codes.has(code))) throw new Refusal(problems.forbidden);
}

/** The admit room once the body is known: a submit that names a row edits, one that names none adds. */
export function admitInput({ who }: Call, principal: Principal, entered: object): void {
  if (typeof who !== 'object' || !('add' in who)) return;
  const edits = !isEmpty((entered as { id?: unknown }).id);
  if (!principal.codes.has(edits ? who.edit : who.add)) throw new Refusal(problems.forbidden);
}
