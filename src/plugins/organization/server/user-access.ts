import { eq, sql } from 'drizzle-orm';
import {
  ApiError,
  assignOneTimePassword,
  endSessions,
  hasId,
  invalidatePrincipals,
  type Passwords,
  problems,
  recordChange,
  type ServerContext,
  tableOf,
} from '#server';
import type { InputOf } from '#shared/contract';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { organizationProblems, UserAccount, type UserRow, type user, userStatus } from '../contract.ts';
import type { PasswordEmails } from '../server-extension.ts';
import { userDisabled, userEnabled } from '../webhook-contract.ts';
import type { AccountRules } from './account-rules.ts';
import type { Accounts } from './accounts.ts';

const users = tableOf(UserAccount);

/** Services that reset passwords and change the status of accounts. */
export interface UserAccess extends Pick<ServerContext, 'db' | 'parameters' | 'webhooks'> {
  readonly passwords: Passwords;
  readonly rules: AccountRules;
  readonly accounts: Accounts;
}

/** Returns the ids of the accounts whose passwords are reset. */
export function requestedAccounts({ id, userIds = [] }: InputOf<typeof user.resetPassword>): string[] {
  const ids = [...new Set(id ? [id, ...userIds] : userIds)];
  if (ids.length === 0) throw new ApiError(problems.missingParameter, { name: 'id' }, { field: 'id' });
  return ids.sort();
}

/** Gives each account a generated password, which is returned only here and must be changed at the next sign-in, and ends its sessions. Either all accounts are reset or none. */
export async function resetPassword(access: UserAccess, ids: readonly string[]): Promise<{ passwords: OneTimePassword[] }> {
  const { db, rules, accounts } = access;
  rules.assertNotSelf(ids);
  // Reading the account applies the data scope of the caller: an account outside of it is not found.
  for (const id of ids) await accounts.detail(id);
  await rules.assertManageable(ids);
  const passwords: OneTimePassword[] = [];
  for (const id of ids) {
    const password = await assignOneTimePassword(access, id);
    if (!password) throw new ApiError(problems.notFound);
    passwords.push(password);
    await endSessions(db, sql`user_id = ${id}::bigint`, 'password-changed');
    await invalidatePrincipals(db, { userId: id });
  }
  return { passwords };
}

/** Gives each account a generated password and e-mails it. Either all accounts are reset or none. */
export async function mailPasswords(access: UserAccess, emails: PasswordEmails | undefined, ids: readonly string[]): Promise<void> {
  const tenantId = access.db.tenantId ?? '';
  if (!emails || !(await emails.isOffered(tenantId))) throw new ApiError(organizationProblems.noMailServer);
  const { passwords } = await resetPassword(access, [...new Set(ids)].sort());
  const mailed = new Set(await emails.send(tenantId, passwords));
  const unreachable = passwords.find(({ id }) => !mailed.has(id));
  if (unreachable) throw new ApiError(organizationProblems.noAddress, { name: unreachable.realName || unreachable.account });
}

/** Enables or disables all of the accounts or none. Disabling an account ends its sessions at once. */
export async function setStatus({ db, rules, accounts, webhooks }: UserAccess, ids: readonly string[], status: UserRow['status']): Promise<void> {
  const uniqueIds = [...new Set(ids)];
  await rules.lockAdministrators();
  rules.assertNotSelf(uniqueIds);
  await db.sql.select({ id: users.id }).from(users).where(hasId(users, uniqueIds)).orderBy(users.id).for('update');
  // Reading the account applies the data scope of the caller: an account outside of it is not found.
  const rows: UserRow[] = [];
  for (const id of uniqueIds) rows.push(await accounts.detail(id));
  if (rows.some((row) => row.status === userStatus.awaitingApproval)) throw new ApiError(organizationProblems.awaitingApproval);
  await rules.assertManageable(uniqueIds);
  const changed = rows.filter((row) => row.status !== status);
  for (const before of changed) {
    const { id } = before;
    const updateTime = sql`date_trunc('second', now())`;
    await db.sql.update(users).set({ status, updateTime }).where(eq(users.id, id));
    recordChange({ entity: 'user_account', id, before, after: await accounts.detail(id) });
    if (status === userStatus.disabled) await endSessions(db, sql`user_id = ${id}::bigint`, 'access-withdrawn');
    await invalidatePrincipals(db, { userId: id });
  }
  await rules.assertAdministratorRemains();
  await webhooks.send(
    status === userStatus.enabled ? userEnabled : userDisabled,
    changed.map(({ id }) => ({ id })),
  );
}
