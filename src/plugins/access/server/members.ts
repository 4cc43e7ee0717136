import { sql } from 'drizzle-orm';
import { type CallRequest, type Database, forgetPrincipals, grantableRoles, type Principal, problems, Refusal, rowsOf } from '#server';
import { type role, roleProblems } from '../contract.ts';
import { heldRole, listOf } from './grants.ts';
import { countOf, peopleWith } from './people.ts';

type Members = (typeof role)['members'];

/** Who has a role, by account, as far as whoever asks may see them. */
export async function membersOf(db: Database, { roleId, current = 1, size = 10 }: CallRequest<Members>['input']) {
  const { people, total } = await peopleWith(db, { roleId, current, size });
  return { records: people, total, totalExact: true, size, current, pages: Math.ceil(total / size) };
}

/** Gives a role to people besides what they have, to all of them or to none; who has it already keeps it. */
export async function enlist(db: Database, principal: Principal, roleId: string, userIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(userIds)];
  await mayChange(db, principal, roleId, wanted);
  await rowsOf(db, sql`insert into user_role (user_id, role_id) select unnest(${listOf(wanted)}), ${roleId}::bigint on conflict do nothing`);
  for (const userId of wanted) await forgetPrincipals(db, { userId });
}

/** Takes a role from people, from all of them or from none. */
export async function dismiss(db: Database, principal: Principal, roleId: string, userIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(userIds)];
  await mayChange(db, principal, roleId, wanted);
  const gone = await rowsOf(db, sql`delete from user_role where role_id = ${roleId}::bigint and user_id in ${wanted} returning user_id`);
  if (gone.length !== wanted.length) throw new Refusal(problems.notFound);
  for (const userId of wanted) await forgetPrincipals(db, { userId });
}

/** Nobody gives or takes what they could not grant, deals with somebody who may do more, or changes their own roles. */
async function mayChange(db: Database, principal: Principal, roleId: string, userIds: readonly string[]): Promise<void> {
  await heldRole(db, principal, roleId);
  if (userIds.includes(principal.userId)) throw new Refusal(roleProblems.oneself);
  if ((await countOf(db, userIds)) !== userIds.length) throw new Refusal(problems.notFound);
  const roles = await grantableRoles(db, principal.roleIds);
  const mayGive = new Set(roles.filter(({ isGrantable }) => isGrantable).map(({ id }) => id));
  const held = await rowsOf<{ id: string }>(
    db,
    sql`select distinct ur.role_id::text as id from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0 where ur.user_id in ${userIds}`,
  );
  if ([{ id: roleId }, ...held].some(({ id }) => !mayGive.has(id))) throw new Refusal(roleProblems.beyond);
}
