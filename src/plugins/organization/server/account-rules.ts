import { sql } from 'drizzle-orm';
import { ApiError, assertManageable, currentActor, type Database, platformTenant, problems, queryRows, rolesForCaller } from '#server';
import { organizationProblems, type UserRow, userStatus } from '../contract.ts';

/** Rules for changing accounts: users cannot change accounts with more permissions, and only some things about their own. The server's own jobs are not limited. */
export class AccountRules {
  constructor(private readonly db: Database) {}

  /** Serializes changes that could remove the last platform administrator. Call before locking any row. */
  async lockAdministrators(): Promise<void> {
    if (this.db.scope?.tenantId === platformTenant) await this.db.lock('administrators of the platform');
  }

  /** Returns the tenant's roles, each with whether the caller can grant and revoke it; the server itself can grant all. */
  roles() {
    return rolesForCaller(this.db);
  }

  /** Refuses users with more permissions than the caller or outside their data scope; the caller's own account is ignored. */
  assertManageable(ids: readonly string[]): Promise<void> {
    return assertManageable(this.db, ids);
  }

  assertNotSelf(ids: readonly string[]): void {
    const actor = currentActor();
    if (actor && ids.includes(actor.userId)) throw new ApiError(organizationProblems.ownAccount);
  }

  /** Checks roles, departments and positions of a form: roles must be within the caller's own, and all must exist. */
  async assertAssignable(form: Partial<UserRow>, before: UserRow | undefined): Promise<void> {
    await this.assertGrantable(form.roleId, before);
    await this.assertExist('deptId', form.deptId, before, (ids) => sql`select id from dept where id in ${ids} and is_deleted = 0 order by id for share`);
    await this.assertExist('postId', form.postId, before, (ids) => sql`select id from post where id in ${ids} and is_deleted = 0 order by id for share`);
  }

  /** Refuses to leave the platform without an enabled administrator. */
  async assertAdministratorRemains(): Promise<void> {
    if (this.db.scope?.tenantId !== platformTenant) return;
    const [left] = await queryRows(
      this.db,
      sql`select 1 from user_role ur
          join role r on r.id = ur.role_id and r.role_alias = 'administrator' and r.is_deleted <> 1
          join user_account u on u.id = ur.user_id and u.is_deleted = 0 and u.status = ${userStatus.enabled}
          where ur.tenant_id = ${platformTenant} limit 1`,
    );
    if (!left) throw new ApiError(organizationProblems.lastAdministrator);
  }

  private async assertGrantable(requested: UserRow['roleId'] | undefined, before: UserRow | undefined): Promise<void> {
    if (requested === undefined) return;
    const current = before?.roleId ?? [];
    const changed = [...added(requested, current), ...added(current, requested)];
    if (changed.length === 0) return;
    if (before && before.id === currentActor()?.userId) throw new ApiError(organizationProblems.ownAccount, {}, { field: 'roleId' });
    const roles = await this.roles();
    const rolesById = new Map(roles.map((role) => [role.id, role]));
    if (added(requested, current).some((id) => rolesById.get(id)?.isArchived !== false))
      throw new ApiError(problems.wrongParameter, { name: 'roleId' }, { field: 'roleId' });
    if (changed.some((id) => rolesById.get(id)?.isGrantable === false)) throw new ApiError(organizationProblems.roleNotGrantable, {}, { field: 'roleId' });
  }

  private async assertExist(
    name: 'deptId' | 'postId',
    requested: UserRow['deptId'] | undefined,
    before: UserRow | undefined,
    find: (ids: readonly string[]) => ReturnType<typeof sql>,
  ): Promise<void> {
    const addedIds = added(requested ?? [], before?.[name] ?? []);
    if (addedIds.length === 0) return;
    const found = await queryRows(this.db, find(addedIds));
    if (found.length !== addedIds.length) throw new ApiError(problems.wrongParameter, { name }, { field: name });
  }
}

const added = (requested: readonly string[] | null, current: readonly string[] | null) => [...new Set(requested ?? [])].filter((id) => !current?.includes(id));
