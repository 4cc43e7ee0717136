import { sql } from 'drizzle-orm';
import { type Database, idArray, invalidatePrincipals, queryRows, recordChange } from '#server';

/**
 * Roles that providers give by the groups of a user. `provided_role` marks them: a role without a mark was given by hand, and stays. Call all but `rolesOf` in a
 * transaction of the tenant.
 */
export class MappedRoles {
  constructor(private readonly db: Database) {}

  /** Returns the roles that the provider gives to members of groups. Names of directories are compared regardless of case. */
  rolesOf(tenantId: string, providerId: string, groups: readonly string[], { ignoresCase }: { readonly ignoresCase: boolean }): Promise<readonly string[]> {
    return this.db.read({ tenantId }, async () => {
      const rows = await queryRows<{ name: string; roleId: string }>(
        this.db,
        sql`select g.group_name as name, g.role_id::text as "roleId" from identity_provider_group g
            join role r on r.id = g.role_id and r.is_deleted = 0 where g.provider_id = ${providerId}::bigint and g.is_deleted = 0`,
      );
      const key = (name: string) => (ignoresCase ? name.trim().toLowerCase() : name);
      const own = new Set(groups.map(key));
      return [...new Set(rows.filter(({ name }) => own.has(key(name))).map(({ roleId }) => roleId))];
    });
  }

  /** Gives the user these roles and withdraws all others that the provider has given; returns true if the roles of the user have changed. */
  async apply(userId: string, providerId: string, roleIds: readonly string[]): Promise<boolean> {
    const { db } = this;
    const user = sql`${userId}::bigint`;
    const provider = sql`${providerId}::bigint`;
    await queryRows(db, sql`select id from user_account where id = ${user} for update`);
    const before = await this.roleIdsOf(userId);
    const wanted = idArray(roleIds);
    const outdated = await queryRows<{ roleId: string }>(
      db,
      sql`delete from provided_role where user_id = ${user} and provider_id = ${provider} and role_id <> all(${wanted}) returning role_id::text as "roleId"`,
    );
    // Another provider may still give the role.
    await queryRows(
      db,
      sql`delete from user_role ur where ur.user_id = ${user} and ur.role_id = any(${idArray(outdated.map(({ roleId }) => roleId))})
            and not exists (select from provided_role p where p.user_id = ur.user_id and p.role_id = ur.role_id)`,
    );
    const added = await queryRows<{ roleId: string }>(
      db,
      sql`insert into user_role (user_id, role_id) select ${user}, unnest(${wanted}) on conflict do nothing returning role_id::text as "roleId"`,
    );
    await queryRows(
      db,
      sql`insert into provided_role (user_id, role_id, provider_id)
          select ${user}, w.role_id, ${provider} from unnest(${wanted}) as w(role_id)
          where w.role_id = any(${idArray(added.map(({ roleId }) => roleId))})
            or exists (select from provided_role p where p.user_id = ${user} and p.role_id = w.role_id)
          on conflict do nothing`,
    );
    const after = await this.roleIdsOf(userId);
    if (before.join() === after.join()) return false;
    await queryRows(db, sql`update user_account set update_time = date_trunc('second', now()) where id = ${user}`);
    recordChange({ entity: 'user_account', id: userId, before: { roleId: before }, after: { roleId: after } });
    await invalidatePrincipals(db, { userId });
    return true;
  }

  /** Withdraws the roles that the provider has given to anyone. */
  async withdrawAll(providerId: string): Promise<void> {
    const users = await queryRows<{ id: string }>(
      this.db,
      sql`select distinct user_id::text as id from provided_role where provider_id = ${providerId}::bigint order by id`,
    );
    for (const { id } of users) await this.apply(id, providerId, []);
  }

  private async roleIdsOf(userId: string): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(this.db, sql`select role_id::text as id from user_role where user_id = ${userId}::bigint order by role_id`);
    return rows.map(({ id }) => id);
  }
}
