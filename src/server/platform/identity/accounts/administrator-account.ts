import { sql } from 'drizzle-orm';
import type { LocalizedText } from '#shared/text';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** First account of a tenant, with the role that administers it. */
export interface AdministratorAccount {
  readonly tenantId: string;
  readonly deptId: string;
  readonly account: string;
  readonly name: string;
  readonly role: { readonly title: LocalizedText; readonly alias: string };
  /** A password that expires must be changed at the first sign-in. */
  readonly password: { readonly hash: string; readonly expiresAfterDays: number | undefined };
}

/** Creates the administrator's role and the first account of a tenant in its department. Runs inside a transaction that may write the tenant's rows. */
export async function createAdministrator(db: Database, created: AdministratorAccount): Promise<{ readonly userId: string; readonly roleId: string }> {
  const { tenantId, deptId, account, name, role, password } = created;
  const { hash, expiresAfterDays = null } = password;
  const [ids] = await queryRows<{ user: string; role: string }>(db, sql`select next_id()::text as user, next_id()::text as role`);
  const { user: userId = '', role: roleId = '' } = ids ?? {};
  const statements = [
    sql`insert into role (id, tenant_id, role_name, role_name_en, role_alias) values (${roleId}, ${tenantId}, ${role.title[0]}, ${role.title[1]}, ${role.alias})`,
    sql`insert into user_account (id, tenant_id, account, password_hash, password_expired, password_expires_at, name, real_name, create_dept)
        values (${userId}, ${tenantId}, ${account}, ${hash}, ${expiresAfterDays !== null}, now() + make_interval(days => ${expiresAfterDays}::integer), ${name}, ${name}, ${deptId})`,
    sql`insert into user_role (tenant_id, user_id, role_id) values (${tenantId}, ${userId}, ${roleId})`,
    sql`insert into user_dept (tenant_id, user_id, dept_id) values (${tenantId}, ${userId}, ${deptId})`,
  ];
  for (const statement of statements) await queryRows(db, statement);
  return { userId, roleId };
}
