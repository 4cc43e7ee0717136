import { eq, sql } from 'drizzle-orm';
import { type CallRequest, isStrong, type Prepared, problems, Refusal, rowsOf, type ServerContext, tableOf } from '#server';
import { signInProblems } from '#shared/auth-problems';
import { organizationProblems, UserAccount, type UserRow, type UserSubmit, user } from '../contract.ts';
import { AccountRules } from './account-rules.ts';
import { accountsOf } from './accounts.ts';
import { InitialPassword } from './initial-password.ts';
import { type Access, accountsNamed, nextPassword, resetPassword, setStatus } from './user-access.ts';
import { userSheets } from './user-sheet.ts';

/** Where other consoles of the family ask for users. */
const family = '/api/blade-system/user';

/** The calls about users. */
export function serveUsers(context: ServerContext): void {
  const { serve, serveCrud, db, passwords } = context;
  const rules = new AccountRules(db);
  const initial = new InitialPassword(context);
  const accounts = accountsOf({ db, rules, initial });
  const access: Access = { db, passwords, rules, initial, accounts };

  serveCrud(user, accounts, { also: [family], sheets: userSheets(access) });
  serve(user.list, ({ input }) => accounts.page(input), { aliases: [`${family}/list`, `${family}/page`] });
  serve(user.choices, async ({ input }) => (await accounts.page({ ...input, current: 1, size: 200 })).records);
  serve(user.all, ({ input }) => accounts.page(input));
  serve(user.submit, submit, { prepare: ({ input }) => firstHash(input), aliases: [`${family}/submit`, `${family}/update`] });
  serve(
    user.remove,
    async ({ input }) => {
      await rules.takeTurn();
      await accounts.remove(input.ids);
      return null;
    },
    { aliases: [`${family}/remove`] },
  );
  serve(user.roles, async ({ input: { ids } }) => {
    const wanted = ids?.split(',');
    const roles = await rules.roles();
    return roles.filter(({ id, isGrantable }) => (wanted ? wanted.includes(id) : isGrantable)).map(({ id, name }) => ({ id, name }));
  });
  serve(user.info, ({ principal }) => oneself(principal.userId));
  serve(user.resetPassword, ({ input, prepared }) => resetPassword(access, accountsNamed(input), prepared), {
    aliases: [`${family}/reset-password`],
    prepare: (request: CallRequest<typeof user.resetPassword>) => nextPassword(access, request.input),
    tellsSecret: true,
  });
  serve(user.updateStatus, ({ input }) => setStatus(access, input));
  serve(user.grant, async ({ input: { userIds, roleIds } }) => {
    await rules.takeTurn();
    for (const id of [...new Set(userIds)].sort()) await accounts.save({ id, roleId: roleIds.length > 0 ? roleIds : null });
    return null;
  });
  serve(user.updatePlatform, async ({ input: { userId, userType, userExt } }) => {
    await accounts.save({ id: userId, userType });
    await rowsOf(db, sql`update user_account set user_ext = ${userExt || null} where id = ${userId}::bigint`);
    return null;
  });
  serve(user.platformDetail, async ({ input }) => {
    const { id, account, userType, userExt } = await accounts.detail(input.id);
    return { id, account, userType, userExt };
  });

  /** Everybody sees themselves, whatever they see of others. */
  async function oneself(id: string): Promise<UserRow> {
    const table = tableOf(UserAccount);
    const [row] = await db.sql.select().from(table).where(eq(table.id, id));
    if (!row) throw new Refusal(problems.notFound);
    return row as UserRow;
  }

  /** The hash of the password a new account is given; made while no transaction waits for it. */
  async function firstHash({ id, password }: UserSubmit): Promise<string | undefined> {
    if (id) return undefined;
    if (!password) {
      await initial.hash();
      return undefined;
    }
    const read = passwords.read(password);
    if (!isStrong(read)) throw new Refusal(signInProblems.weakPassword, {}, { field: 'password' });
    return passwords.hash(read);
  }

  async function submit({ input: { password, ...form }, prepared: hash }: CallRequest<typeof user.submit> & Prepared<string | undefined>) {
    if (form.id && password) throw new Refusal(organizationProblems.passwordOnEdit);
    if (form.id) await rules.takeTurn();
    const row = await accounts.save(form);
    if (hash) await rowsOf(db, sql`update user_account set password_hash = ${hash} where id = ${row.id}::bigint`);
    return form.id ? row : accounts.detail(row.id);
  }
}
