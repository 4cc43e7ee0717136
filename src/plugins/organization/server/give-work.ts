import { WorkGrants } from '#plugins/access/server-extension';
import { ApiError, type CallRequest, collectPasswords, type PluginRoute, problems, route, type ServerContext } from '#server';
import { type UserRow, userStatus } from '../contract.ts';
import { workCalls, workProblems } from '../work-contract.ts';
import type { AccountForm } from './accounts.ts';
import type { UserAccess } from './user-access.ts';

type GiveRequest = CallRequest<typeof workCalls.give>;

/** Serves the calls that give users work. */
export function workRoutes(access: UserAccess, { find }: Pick<ServerContext, 'find'>): PluginRoute[] {
  const grants = () => {
    const found = find(WorkGrants);
    if (!found) throw new ApiError(problems.notFound);
    return found;
  };

  return [
    route(workCalls.works, (request) => grants().offer(request)),
    route(workCalls.give, (request) => giveWork(access, grants(), request), { noStore: true }),
  ];
}

/** Gives the work in the current transaction: all of it or nothing. */
async function giveWork({ accounts, rules }: UserAccess, grants: WorkGrants, request: GiveRequest) {
  const { userId, works, limits = [], account, realName, phone } = request.input;
  const isNew = Boolean(account && realName);
  if ((userId === undefined) !== isNew) throw new ApiError(workProblems.person, {}, { field: 'userId' });
  if (isNew && !request.principal.codes.has('user_add')) throw new ApiError(problems.forbidden);
  await rules.lockAdministrators();
  const roleIds = await requestedRoles(grants, request, works);
  const { result: user, passwords } = await collectPasswords(async (): Promise<UserRow> => {
    if (!userId) return accounts.save({ account, realName, name: realName, phone, userType: 1, status: userStatus.enabled, roleId: roleIds } as AccountForm);
    const id = userId;
    const held = (await accounts.detail(id)).roleId ?? [];
    return accounts.save({ id, roleId: [...new Set([...held, ...roleIds])] });
  });
  if (limits.length > 0) await grants.limit(request, user.id, { works, limits });
  const [oneTimePassword] = passwords;
  return { id: user.id, account: user.account, realName: user.realName, ...(oneTimePassword ? { oneTimePassword } : {}) };
}

async function requestedRoles(grants: WorkGrants, request: GiveRequest, works: readonly string[]): Promise<string[]> {
  const idsOf = (kind: 'role:' | 'page:') => works.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length));
  const pages = idsOf('page:');
  return [...idsOf('role:'), ...(pages.length > 0 ? [await grants.roleFor(request, pages)] : [])];
}
