import { sql } from 'drizzle-orm';
import { currentActor, type Database, grantableRoles, problems, Refusal, rowsOf } from '#server';
import { organizationProblems, type UserRow, userStatus } from '../contract.ts';

const platform = '000000';

/** What whoever works may do to accounts: nothing to somebody who may do more, and some things not to oneself. The server's own work may do everything. */
export class AccountRules {
  constructor(private readonly db: Database) {}

  /** Taken before any row, by whatever may take an administrator away. */
  async takeTurn(): Promise<void> {
    if (this.db.scope?.tenantId === platform) await this.db.lock('administrators of the platform');
  }

  /** Roles the caller may give and take; all where nobody asks. */
  async roles(): Promise<{ readonly id: string; readonly name: string; readonly isGrantable: boolean }[]> {
    const actor = currentActor();
    const own = actor
      ? await rowsOf<{ id: string }>(
          this.db,
          sql`select ur.role_id::text as id from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
              where ur.user_id = ${actor.userId}::bigint and (r.role_alias <> 'administrator' or ${actor.tenantId} = ${platform})`,
        )
      : [];
    const roles = await grantableRoles(
      this.db,
      own.map(({ id }) => id),
    );
    return actor ? roles : roles.map((role) => ({ ...role, isGrantable: true }));
  }

  /** Refuses whoever may do less than one of these users; oneself is none of them. */
  async mayManage(ids: readonly string[]): Promise<void> {
    const actor = currentActor();
    const others = ids.filter((id) => id !== actor?.userId);
    if (others.length === 0) return;
    const held = await rowsOf<{ id: string }>(
      this.db,
      sql`select distinct ur.role_id::text as id from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0 where ur.user_id in ${others}`,
    );
    const roles = await this.roles();
    const isBeyond = held.some(({ id }) => !roles.some((role) => role.id === id && role.isGrantable));
    if (isBeyond) throw new Refusal(organizationProblems.accountBeyond);
  }

  refuseOneself(ids: readonly string[]): void {
    const actor = currentActor();
    if (actor && ids.includes(actor.userId)) throw new Refusal(organizationProblems.oneself);
  }

  /** What an account is given and loses: roles within the caller's own, departments and posts that are there. */
  async mayStand(form: Partial<UserRow>, before: UserRow | undefined): Promise<void> {
    await this.mayHold(form.roleId, before);
    await this.mustBeThere('deptId', form.deptId, before, (ids) => sql`select id from dept where id in ${ids} and is_deleted = 0 order by id for share`);
    await this.mustBeThere('postId', form.postId, before, (ids) => sql`select id from post where id in ${ids} and is_deleted = 0 order by id for share`);
  }

  /** The platform is never without somebody who can see to it. */
  async keepAdministrator(): Promise<void> {
    if (this.db.scope?.tenantId !== platform) return;
    const [left] = await rowsOf(
      this.db,
      sql`select 1 from user_role ur
          join role r on r.id = ur.role_id and r.role_alias = 'administrator' and r.is_deleted = 0
          join user_account u on u.id = ur.user_id and u.is_deleted = 0 and u.status = ${userStatus.enabled}
          where ur.tenant_id = ${platform} limit 1`,
    );
    if (!left) throw new Refusal(organizationProblems.lastAdministrator);
  }

  private async mayHold(wanted: UserRow['roleId'] | undefined, before: UserRow | undefined): Promise<void> {
    if (wanted === undefined) return;
    const held = before?.roleId ?? [];
    const changed = [...added(wanted, held), ...added(held, wanted)];
    if (changed.length === 0) return;
    if (before) {
      if (before.id === currentActor()?.userId) throw new Refusal(organizationProblems.oneself, {}, { field: 'roleId' });
    }
    const roles = await this.roles();
    const known = new Map(roles.map((role) => [role.id, role]));
    if (added(wanted, held).some((id) => !known.has(id))) throw new Refusal(problems.wrongParameter, { name: 'roleId' }, { field: 'roleId' });
    if (changed.some((id) => known.get(id)?.isGrantable === false)) throw new Refusal(organizationProblems.roleBeyond, {}, { field: 'roleId' });
  }

  private async mustBeThere(
    name: 'deptId' | 'postId',
    wanted: UserRow['deptId'] | undefined,
    before: UserRow | undefined,
    find: (ids: readonly string[]) => ReturnType<typeof sql>,
  ): Promise<void> {
    const fresh = added(wanted ?? [], before?.[name] ?? []);
    if (fresh.length === 0) return;
    const found = await rowsOf(this.db, find(fresh));
    if (found.length !== fresh.length) throw new Refusal(problems.wrongParameter, { name }, { field: name });
  }
}

const added = (wanted: readonly string[] | null, held: readonly string[] | null) => [...new Set(wanted ?? [])].filter((id) => !held?.includes(id));
