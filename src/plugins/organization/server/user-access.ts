import { sql } from 'drizzle-orm';
import { endSessions, forgetPrincipals, generatedPassword, problems, Refusal, recordChange, rowsOf, type ServerContext } from '#server';
import type { InputOf } from '#shared/contract';
import { organizationProblems, type UserRow, type user, userStatus } from '../contract.ts';
import type { AccountRules } from './account-rules.ts';
import type { Accounts } from './accounts.ts';
import type { InitialPassword } from './initial-password.ts';

/** What letting people in and keeping them out takes. */
export interface Access extends Pick<ServerContext, 'db' | 'passwords'> {
  readonly rules: AccountRules;
  readonly initial: InitialPassword;
  readonly accounts: Accounts;
}

/** A password to reset to, hashed while no transaction waits for it; its text where it was made up. */
export async function nextPassword({ passwords, initial }: Access, input: InputOf<typeof user.resetPassword>): Promise<NextPassword> {
  const { generate } = input;
  if (generate && accountsNamed(input).length > 1) throw new Refusal(problems.wrongParameter, { name: 'generate' }, { field: 'generate' });
  const password = generate ? generatedPassword() : null;
  return { password, hash: password ? await passwords.hash(passwords.read(password)) : await initial.hash() };
}

interface NextPassword {
  readonly password: string | null;
  readonly hash: string;
}

/** Whose password is meant. */
export function accountsNamed({ id, userIds = [] }: InputOf<typeof user.resetPassword>): string[] {
  const ids = [...new Set(id ? [id, ...userIds] : userIds)];
  if (ids.length === 0) throw new Refusal(problems.missingParameter, { name: 'id' }, { field: 'id' });
  return ids.sort();
}

/** Every session of the accounts ends, and the password must be changed at the next sign-in; all or none. */
export async function resetPassword(access: Access, ids: readonly string[], next: NextPassword): Promise<{ password: string | null }> {
  for (const id of ids) await resetOne(access, id, next);
  return { password: next.password };
}

async function resetOne({ db, rules, accounts }: Access, id: string, { hash }: NextPassword): Promise<void> {
  rules.refuseOneself([id]);
  await accounts.detail(id);
  await rules.mayManage([id]);
  const changed = await rowsOf(
    db,
    sql`update user_account set password_hash = ${hash}, password_expired = true, update_time = now() where id = ${id}::bigint and is_deleted = 0 returning 1`,
  );
  if (changed.length === 0) throw new Refusal(problems.notFound);
  await endSessions(db, sql`user_id = ${id}::bigint`, 'password-changed');
  await forgetPrincipals(db, { userId: id });
}

/** Lets accounts in or keeps them out, all or none; whoever is kept out is signed out at once. */
export async function setStatus({ db, rules, accounts }: Access, { ids, status }: InputOf<typeof user.updateStatus>): Promise<null> {
  const wanted = [...new Set(ids)];
  await rules.takeTurn();
  rules.refuseOneself(wanted);
  await rowsOf(db, sql`select 1 from user_account where id in ${wanted} order by id for update`);
  // One by one, as whoever asks may see them: who is out of sight is not there.
  const rows: UserRow[] = [];
  for (const id of wanted) rows.push(await accounts.detail(id));
  if (rows.some((row) => row.status === userStatus.awaitingApproval)) throw new Refusal(organizationProblems.awaitingApproval);
  await rules.mayManage(wanted);
  for (const before of rows.filter((row) => row.status !== status)) {
    const { id } = before;
    await rowsOf(db, sql`update user_account set status = ${status}, update_time = date_trunc('second', now()) where id = ${id}::bigint`);
    recordChange({ entity: 'user_account', id, before, after: await accounts.detail(id) });
    if (status === userStatus.disabled) await endSessions(db, sql`user_id = ${id}::bigint`, 'access-withdrawn');
    await forgetPrincipals(db, { userId: id });
  }
  await rules.keepAdministrator();
  return null;
}
