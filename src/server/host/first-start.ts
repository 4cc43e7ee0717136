import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Configuration } from '../base/configuration/configuration.ts';
import { platformTenant } from '../data/context/identity.ts';
import type { Database } from '../data/database/database.ts';
import { queryRows } from '../data/database/rows.ts';
import { createAdministrator } from '../platform/identity/accounts/administrator-account.ts';
import { ensureClient, setClientSecret } from '../platform/identity/accounts/clients.ts';
import { generatedPassword, type Passwords } from '../platform/identity/passwords/passwords.ts';

/** Sign-in of the first administrator; shown once, on the start that creates the account. */
export interface BootstrapCredentials {
  readonly account: string;
  /** Undefined if `ADMIN_PASSWORD` set it, or if it was written to a file. */
  readonly password: string | undefined;
  /**
   * Path of the file with the password, readable by its owner only and removed after the password is changed. Used if the output is not a terminal, because logs must
   * not contain passwords.
   */
  readonly passwordFile: string | undefined;
  /** Reason for which neither is present: the file could not be written. */
  readonly problem: string | undefined;
}

const noCredentials = { password: undefined, passwordFile: undefined, problem: undefined };

const oneTimePasswordDays = 7;
const expiryOf = (expired: boolean) => (expired ? sql`now() + make_interval(days => ${oneTimePasswordDays})` : sql`null`);

const sampleClientSecret = 'sryx_secret';
const administrator = 'admin';
const grants = ['captcha', 'password', 'refresh_token', 'sms_code', 'social', 'authorization_code', 'register', 'passkey', 'ldap'];

/** Settings of a first start. */
export interface FirstStart extends Pick<Configuration, 'adminPassword' | 'clientSecret' | 'dataDirectory'> {
  /** Client id of the console, from the manifest. */
  readonly clientId: string;
  /** True if the output is a terminal, which a person reads and nothing records. */
  readonly isTerminal: boolean;
}

/**
 * Marker file, present in the data directory from before the first account is created until the server listens. It shows that an interrupted start has not shown its
 * password to anyone.
 */
const unfinishedFile = (dataDirectory: string) => join(dataDirectory, 'first-start.unfinished');

/** Path of the file with the generated password when it is not printed. */
const passwordFile = (dataDirectory: string) => join(dataDirectory, 'initial-password');

/** Removes the password file after the password of the first account was changed; ignores other accounts. */
export function forgetFirstPassword(dataDirectory: string, { tenantId, account }: { readonly tenantId: string; readonly account: string }): void {
  if (tenantId === platformTenant && account === administrator) removePasswordFile(dataDirectory);
}

function removePasswordFile(dataDirectory: string): void {
  try {
    rmSync(passwordFile(dataDirectory), { force: true });
  } catch {
    // A disk without write access cannot contain the file either.
  }
}

/** Shows the generated password: on a terminal, or in a file that only its owner can read. */
function deliverPassword(
  password: string,
  { dataDirectory, isTerminal }: Pick<FirstStart, 'dataDirectory' | 'isTerminal'>,
): Omit<BootstrapCredentials, 'account'> {
  if (isTerminal) return { ...noCredentials, password };
  const file = passwordFile(dataDirectory);
  try {
    mkdirSync(dataDirectory, { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
    return { ...noCredentials, passwordFile: resolve(file) };
  } catch (error) {
    return { ...noCredentials, problem: (error as Error).message };
  }
}

/** Removes the marker of an unfinished first start; called once the server listens, since the first sign-in is shown then. */
export function finishFirstStart(dataDirectory: string): void {
  rmSync(unfinishedFile(dataDirectory), { force: true });
}

/**
 * Creates the platform tenant, department and administrator of a new database; in an existing database it only ensures the console's client. If the start that created
 * the administrator was interrupted before its password was shown, the account gets a new password.
 */
export async function seedFirstStart(db: Database, passwords: Passwords, firstStart: FirstStart): Promise<BootstrapCredentials | undefined> {
  const { adminPassword, clientSecret, clientId, dataDirectory } = firstStart;
  const tenantRows = await db.asPlatform('checks whether the database is new', () => queryRows(db, sql`select 1 from tenant limit 1`));
  await seedConsoleClient(db, clientId, clientSecret);
  const isNew = tenantRows.length === 0;
  if (!isNew && !existsSync(unfinishedFile(dataDirectory))) {
    if (existsSync(passwordFile(dataDirectory)) && (await isPasswordChanged(db))) removePasswordFile(dataDirectory);
    return undefined;
  }
  if (isNew) markUnfinished(dataDirectory);
  const password = adminPassword ?? generatedPassword();
  const hash = await passwords.hash(passwords.read(password));
  const isGenerated = adminPassword === undefined;
  const isWritten = await db.asPlatform('creates the first tenant', () =>
    isNew ? insertFirstRows(db, { hash, expired: isGenerated }) : renewPassword(db, hash, isGenerated),
  );
  if (!isWritten) return undefined;
  if (!isGenerated) return { account: administrator, ...noCredentials };
  return { account: administrator, ...deliverPassword(password, firstStart) };
}

/** Ignores failures: with an external PostgreSQL the server may run on a read-only disk. */
function markUnfinished(dataDirectory: string): void {
  try {
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(unfinishedFile(dataDirectory), '');
  } catch {}
}

async function isPasswordChanged(db: Database): Promise<boolean> {
  const waiting = await db.asPlatform('checks whether the first password is still in use', () =>
    queryRows(db, sql`select 1 from user_account where tenant_id = ${platformTenant} and account = ${administrator} and password_expired and is_deleted = 0`),
  );
  return waiting.length === 0;
}

/** Returns false if the administrator has already set a password. */
async function renewPassword(db: Database, hash: string, expired: boolean): Promise<boolean> {
  const renewed = await queryRows(
    db,
    sql`update user_account set password_hash = ${hash}, password_expired = ${expired}, password_expires_at = ${expiryOf(expired)}
        where tenant_id = ${platformTenant} and account = ${administrator} and password_expired returning id`,
  );
  return renewed.length > 0;
}

/** Returns false if another replica was first; the unique index on the tenant's code decides. */
async function insertFirstRows(db: Database, { hash, expired }: { readonly hash: string; readonly expired: boolean }): Promise<boolean> {
  const [ids] = await queryRows<{ dept: string }>(
    db,
    sql`insert into tenant (tenant_id, tenant_name) values (${platformTenant}, '管理组') on conflict do nothing returning next_id()::text as dept`,
  );
  if (!ids) return false;
  const { dept } = ids;
  await queryRows(db, sql`insert into dept (id, tenant_id, dept_name, full_name) values (${dept}, ${platformTenant}, '总公司', '总公司')`);
  await createAdministrator(db, {
    tenantId: platformTenant,
    deptId: dept,
    account: administrator,
    name: '管理员',
    role: { title: ['超级管理员', 'Administrator'], alias: 'administrator' },
    password: { hash, expiresAfterDays: expired ? oneTimePasswordDays : undefined },
  });
  return true;
}

/** Creates the console's client if it is missing, because the console cannot work without it. `CLIENT_SECRET` sets its secret on every start. */
async function seedConsoleClient(db: Database, clientId: string, secret: string | undefined): Promise<void> {
  await db.asPlatform('the console client belongs to the platform', async () => {
    await ensureClient(db, { clientId, secret: secret ?? sampleClientSecret, grants });
    if (secret) await setClientSecret(db, clientId, secret);
  });
}
