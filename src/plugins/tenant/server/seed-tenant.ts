import { sql } from 'drizzle-orm';
import { Dept, Post } from '#plugins/organization/contract';
import { type Database, repositoryOf, rowsOf, treeRepositoryOf } from '#server';
import type { FormOf } from '#shared/contract';
import type { TenantRow } from '../contract.ts';

/** Name of the first account of each tenant. */
export const firstAccount = 'admin';

/** Generated password of the first account, with the number of days it is valid. */
interface FirstPassword {
  readonly hash: string;
  readonly days: number;
}

/** Writes root department, first post, administrator role and first account of a tenant; the account must change its password at first sign-in. Returns the role's id. */
export function seedTenant(db: Database, { tenantId, tenantName, linkman }: TenantRow, { hash: passwordHash, days }: FirstPassword): Promise<string> {
  return db.write({ tenantId }, async () => {
    const dept = await treeRepositoryOf<typeof Dept, Omit<FormOf<typeof Dept>, 'ancestors'>>(db, Dept).save({
      parentId: '0',
      deptName: tenantName,
      fullName: tenantName,
      deptCategory: '1',
      sort: 1,
    });
    const post = await repositoryOf(db, Post).save({ category: '1', postCode: 'ceo', postName: '首席执行官', sort: 1 });
    const [ids] = await rowsOf<{ user: string; role: string }>(db, sql`select next_id()::text as user, next_id()::text as role`);
    const { user = '', role = '' } = ids ?? {};
    const name = linkman ?? tenantName;
    const statements = [
      sql`insert into role (id, role_name, role_alias) values (${role}, '管理员', 'admin')`,
      sql`insert into user_account (id, account, password_hash, password_expired, password_expires_at, name, real_name, create_dept)
          values (${user}, ${firstAccount}, ${passwordHash}, true, now() + make_interval(days => ${days}), ${name}, ${name}, ${dept.id})`,
      sql`insert into user_role (user_id, role_id) values (${user}, ${role})`,
      sql`insert into user_dept (user_id, dept_id) values (${user}, ${dept.id})`,
      sql`insert into user_post (user_id, post_id) values (${user}, ${post.id})`,
    ];
    for (const statement of statements) await rowsOf(db, statement);
    return role;
  });
}
