import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { secretHash } from './auth/clients.ts';
import { generatedPassword, type Passwords } from './auth/passwords.ts';
import type { Configuration } from './configuration.ts';
import type { Database } from './db/database.ts';
import { seedSampleMessages } from './inbox/sample-messages.ts';
import { rowsOf } from './rows.ts';
import { platformTenant } from './tenancy/identity.ts';

/** How the first administrator signs in; told once, on the start that made the account. */
export interface FirstSignIn {
  readonly account: string;
  /** Absent when `ADMIN_PASSWORD` gave it. */
  readonly password: string | undefined;
}

const sampleClientSecret = 'sryx_secret';
const administrator = 'admin';
const grants = ['captcha', 'password', 'refresh_token', 'sms_code', 'social', 'authorization_code', 'register'];

/** What a first start is told. */
export interface FirstStart extends Pick<Configuration, 'adminPassword' | 'clientSecret' | 'dataDirectory'> {
  /** The console's client, as the manifest names it. */
  readonly clientId: string;
}

/** The file stands in the data directory from before the first account is made until the server listens. A start that is interrupted between has shown its password to nobody. */
const unfinishedFile = (dataDirectory: string) => join(dataDirectory, 'first-start.unfinished');

/** The server listens, so whoever started it is shown the first sign-in. */
export function finishFirstStart(dataDirectory: string): void {
  rmSync(unfinishedFile(dataDirectory), { force: true });
}

/**
 * Gives a new database its platform tenant, department and administrator; an older one is left as it is, but for the console's client. Where the start that made
 * the administrator was interrupted before its password was shown, the account gets another one.
 */
export async function seedFirstStart(db: Database, passwords: Passwords, firstStart: FirstStart): Promise<FirstSignIn | undefined> {
  const { adminPassword, clientSecret, clientId, dataDirectory } = firstStart;
  const known = await db.asPlatform('whether a database is new concerns no tenant', () => rowsOf(db, sql`select 1 from tenant limit 1`));
  await seedConsoleClient(db, clientId, clientSecret);
  const isNew = known.length === 0;
  if (!isNew && !existsSync(unfinishedFile(dataDirectory))) return undefined;
  if (isNew) markUnfinished(dataDirectory);
  const password = adminPassword ?? generatedPassword();
  const hash = await passwords.hash(passwords.read(password));
  const isGenerated = adminPassword === undefined;
  const made = await db.asPlatform('the first tenant is made before there is any', () => (isNew ? insertFirstRows : renewPassword)(db, hash, isGenerated));
  if (!made) return undefined;
  return { account: administrator, password: isGenerated ? password : undefined };
}

/** With a PostgreSQL of its own a server may run on a read-only disk. */
function markUnfinished(dataDirectory: string): void {
  try {
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(unfinishedFile(dataDirectory), '');
  } catch {}
}

/** False when the administrator has a password of their own by now. */
async function renewPassword(db: Database, hash: string, expired: boolean): Promise<boolean> {
  const renewed = await rowsOf(
    db,
    sql`update user_account set password_hash = ${hash}, password_expired = ${expired}
        where tenant_id = ${platformTenant} and account = ${administrator} and password_expired returning id`,
  );
  return renewed.length > 0;
}

/** False when another replica was first: the unique index on the tenant's code settles it. */
async function insertFirstRows(db: Database, hash: string, expired: boolean): Promise<boolean> {
  const [ids] = await rowsOf<{ user: string; role: string; dept: string }>(
    db,
    sql`insert into tenant (tenant_id, tenant_name) values (${platformTenant}, '管理组') on conflict do nothing
        returning next_id()::text as user, next_id()::text as role, next_id()::text as dept`,
  );
  if (!ids) return false;
  const { user, role, dept } = ids;
  const statements = [
    sql`insert into dept (id, tenant_id, dept_name, full_name) values (${dept}, ${platformTenant}, '总公司', '总公司')`,
    sql`insert into role (id, tenant_id, role_name, role_alias) values (${role}, ${platformTenant}, '超级管理员', 'administrator')`,
    sql`insert into user_account (id, tenant_id, account, password_hash, password_expired, name, real_name, create_dept)
        values (${user}, ${platformTenant}, ${administrator}, ${hash}, ${expired}, '管理员', '管理员', ${dept})`,
    sql`insert into user_role (tenant_id, user_id, role_id) values (${platformTenant}, ${user}, ${role})`,
    sql`insert into user_dept (tenant_id, user_id, dept_id) values (${platformTenant}, ${user}, ${dept})`,
  ];
  for (const statement of statements) await db.sql.execute(statement);
  await seedSampleMessages(db, { userId: user, tenantId: platformTenant });
  return true;
}

/** The console cannot do without its client: made where it is missing. `CLIENT_SECRET` is its secret on every start that names it. */
async function seedConsoleClient(db: Database, clientId: string, secret: string | undefined): Promise<void> {
  await db.asPlatform('the console client belongs to the platform', async () => {
    await rowsOf(
      db,
      sql`insert into client (client_id, secret_hash, is_public, authorized_grant_types)
          values (${clientId}, ${secretHash(secret ?? sampleClientSecret)}, true, ${JSON.stringify(grants)}::jsonb)
          on conflict (client_id) where is_deleted = 0 do nothing`,
    );
    if (!secret) return;
    await rowsOf(
      db,
      sql`update client set secret_hash = ${secretHash(secret)} where client_id = ${clientId} and is_deleted = 0 and secret_hash <> ${secretHash(secret)}`,
    );
  });
}
