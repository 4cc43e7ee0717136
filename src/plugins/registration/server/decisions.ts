import { sql } from 'drizzle-orm';
import {
  ApiError,
  approveAccount,
  type CallRequest,
  type Database,
  grantableRoles,
  type Identities,
  type Principal,
  problems,
  queryRows,
  removeApplicant,
  visibleRows,
} from '#server';
import { registrationStatuses } from '#shared/registration';
import { type Language, localize } from '#shared/text';
import { type registration, registrationDecisionProblems } from '../contract.ts';

/** Approves a registration with roles and departments, and returns the id of the account. */
export async function approve(db: Database, { input, principal, language }: CallRequest<typeof registration.approve>): Promise<string> {
  const { id, roleIds, deptIds } = input;
  const userId = await decide(db, id, { decision: registrationStatuses.approved, reason: null, by: principal.userId });
  const roles = await roleOptions(db, principal, language);
  if (roleIds?.some((roleId) => !roles.some((role) => role.id === roleId)))
    throw new ApiError(registrationDecisionProblems.roleNotGrantable, {}, { field: 'roleIds' });
  const departments = await departmentOptions(db);
  if (deptIds?.some((deptId) => !departments.some((dept) => dept.id === deptId)))
    throw new ApiError(problems.wrongParameter, { name: 'deptIds' }, { field: 'deptIds' });
  await queryRows(
    db,
    sql`update registration set role_ids = ${JSON.stringify(roleIds ?? [])}::jsonb, dept_ids = ${JSON.stringify(deptIds ?? [])}::jsonb where id = ${id}::bigint`,
  );
  for (const roleId of new Set(roleIds)) await queryRows(db, sql`insert into user_role (user_id, role_id) values (${userId}, ${roleId})`);
  for (const [index, deptId] of [...new Set(deptIds)].entries())
    await queryRows(db, sql`insert into user_dept (user_id, dept_id, sort) values (${userId}, ${deptId}, ${index + 1})`);
  await approveAccount(db, userId, { deptId: deptIds?.[0], by: principal.userId });
  return userId;
}

/** Refuses a registration; the applicant sees the reason. */
export async function refuse(db: Database, identities: Identities, { input, principal }: CallRequest<typeof registration.refuse>): Promise<void> {
  const reason = input.reason?.trim() || null;
  const userId = await decide(db, input.id, { decision: registrationStatuses.refused, reason, by: principal.userId });
  await removeApplicant(db, userId, principal.userId);
  await identities.unlink(userId);
}

interface RegistrationDecision {
  readonly decision: number;
  readonly reason: string | null;
  readonly by: string;
}

/** Records a decision and returns the account's id. The second of two concurrent decisions is refused. */
async function decide(db: Database, id: string, { decision, reason, by }: RegistrationDecision): Promise<string> {
  const [row] = await queryRows<{ userId: string; decision: number }>(
    db,
    sql`select user_id::text as "userId", decision from registration where id = ${id}::bigint and is_deleted = 0 for update`,
  );
  if (!row) throw new ApiError(problems.notFound);
  if (row.decision !== registrationStatuses.pending) throw new ApiError(registrationDecisionProblems.decidedAlready);
  await queryRows(
    db,
    sql`update registration set decision = ${decision}, reason = ${reason}, decided_at = now(), update_user = ${by}, update_time = now() where id = ${id}::bigint`,
  );
  return row.userId;
}

/** Role or department with its name. */
interface RoleOption {
  readonly id: string;
  readonly name: string;
}

/** Lists the roles the caller can grant, with their names in a language. */
export async function roleOptions(db: Database, { roleIds }: Principal, language: Language): Promise<RoleOption[]> {
  const roles = await grantableRoles(db, roleIds);
  return roles.filter(({ isGrantable }) => isGrantable).map(({ id, title }) => ({ id, name: localize(title, language) }));
}

/** Lists the departments of the tenant. */
export function departmentOptions(db: Database): Promise<RoleOption[]> {
  return queryRows<RoleOption>(
    db,
    sql`select id::text as id, full_name as name from dept where is_deleted = 0 and ${visibleRows(db, 'dept')} order by sort, id`,
  );
}
