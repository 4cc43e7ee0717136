import { sql } from 'drizzle-orm';
import { Dept, Post } from '#plugins/organization/contract';
import { createAdministrator, type Database, queryRows, repositoryOf, treeRepositoryOf } from '#server';
import type { FormOf } from '#shared/contract';
import type { TenantRow } from '../contract.ts';

/** Name of the first account of each tenant. */
export const firstAccount = 'admin';

/** Generated password of the first account, with the number of days it is valid. */
interface FirstPassword {
  readonly hash: string;
  readonly days: number;
}

/** Creates the root department, first position, administrator role and first account of a tenant; the account must change its password at first sign-in. Returns the role's id. */
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
    const { userId, roleId } = await createAdministrator(db, {
      tenantId,
      deptId: dept.id,
      account: firstAccount,
      name: linkman ?? tenantName,
      role: { title: ['管理员', 'Tenant administrator'], alias: 'admin' },
      password: { hash: passwordHash, expiresAfterDays: days },
    });
    await queryRows(db, sql`insert into user_post (user_id, post_id) values (${userId}, ${post.id})`);
    return roleId;
  });
}
