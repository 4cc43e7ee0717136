import { eq, sql } from 'drizzle-orm';
import { WorkGrants } from '#plugins/access/server-extension';
import {
  ApiError,
  type CallRequest,
  collectPasswords,
  crudRoutes,
  currentActor,
  idArray,
  Passwords,
  type PluginRoute,
  type Prepared,
  problems,
  queryRows,
  route,
  runBatch,
  type SearchedFields,
  type ServerContext,
  tableOf,
} from '#server';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { type Language, localize } from '#shared/text';
import { organizationProblems, UserAccount, type UserRow, type UserSubmit, user, userStatus } from '../contract.ts';
import { PasswordEmails } from '../server-extension.ts';
import { workCalls, workProblems } from '../work-contract.ts';
import { AccountRules } from './account-rules.ts';
import { type AccountForm, accountsOf } from './accounts.ts';
import { mailPasswords, requestedAccounts, resetPassword, setStatus, type UserAccess } from './user-access.ts';
import { userSheets } from './user-sheet.ts';

/** Path of the user calls of BladeX-compatible clients. */
const bladeUserPath = '/api/blade-system/user';

/** Fields by which users are found. */
const userSearch: SearchedFields<typeof UserAccount> = {
  fields: ['realName', 'account', 'name', 'phone'],
  subtitle: ['account', 'deptId'],
  actions: { user_edit: true, user_role: true, user_reset: true },
};

/** Serves the calls of users. */
export function userRoutes(context: ServerContext): PluginRoute[] {
  const { db, parameters, webhooks, get } = context;
  const passwords = get(Passwords);
  const rules = new AccountRules(db);
  const accounts = accountsOf({ db, passwords, parameters, rules, webhooks });
  const access: UserAccess = { db, passwords, parameters, rules, accounts, webhooks };
  const emails = () => context.find(PasswordEmails);

  return [
    ...workRoutes(access, context),
    crudRoutes(user, accounts, { pathPrefixes: [bladeUserPath], sheets: userSheets(access), search: userSearch }),
    route(user.list, ({ input }) => accounts.page(input), { aliases: [`${bladeUserPath}/list`, `${bladeUserPath}/page`] }),
    route(user.choices, async ({ input }) => (await accounts.page({ ...input, current: 1, size: 200 })).records),
    route(user.all, ({ input }) => accounts.page(input)),
    route(user.submit, ({ input, prepared }: CallRequest<typeof user.submit> & Prepared<string | undefined>) => submit(access, input, prepared, emails()), {
      prepare: ({ input }) => hashInitialPassword(access, input),
      aliases: [`${bladeUserPath}/submit`, `${bladeUserPath}/update`],
      noStore: true,
    }),
    route(
      user.remove,
      (request) =>
        runBatch(db, UserAccount, request, async (ids) => {
          await rules.lockAdministrators();
          await accounts.remove(ids);
        }),
      { aliases: [`${bladeUserPath}/remove`] },
    ),
    route(user.roles, ({ input, language }) => grantableRoles(rules, language, input.ids)),
    route(user.info, ({ principal }) => ownRow(access, principal.userId)),
    route(
      user.resetPassword,
      async ({ input, language }) => {
        const newPasswords: OneTimePassword[] = [];
        const result = await runBatch(db, UserAccount, { input: { ...input, ids: requestedAccounts(input) }, language }, async (ids) => {
          newPasswords.push(...(await resetPassword(access, ids)).passwords);
        });
        return { passwords: await markMailable(db, emails(), newPasswords), ...result };
      },
      { aliases: [`${bladeUserPath}/reset-password`], noStore: true },
    ),
    route(user.mailPasswords, (request) => runBatch(db, UserAccount, request, (ids) => mailPasswords(access, emails(), ids))),
    route(user.updateStatus, (request) => runBatch(db, UserAccount, request, (ids) => setStatus(access, ids, request.input.status))),
    route(user.grant, ({ input: { userIds, roleIds, ...input }, language }) =>
      runBatch(db, UserAccount, { input: { ...input, ids: userIds }, language }, async (ids) => {
        await rules.lockAdministrators();
        for (const id of [...new Set(ids)].sort()) await accounts.save({ id, roleId: roleIds.length > 0 ? roleIds : null });
      }),
    ),
    route(user.updatePlatform, async ({ input: { userId, userType, userExt } }) => {
      await accounts.save({ id: userId, userType });
      await queryRows(db, sql`update user_account set user_ext = ${userExt || null} where id = ${userId}::bigint`);
    }),
    route(user.platformDetail, async ({ input }) => {
      const { id, account, userType, userExt } = await accounts.detail(input.id);
      return { id, account, userType, userExt };
    }),
  ];
}

/** Returns the roles that the caller may grant, or those with the given ids, separated by commas, with their names in a language; archived ones are left out. */
async function grantableRoles(rules: AccountRules, language: Language, ids: string | undefined): Promise<{ id: string; name: string }[]> {
  const wanted = ids?.split(',');
  const roles = await rules.roles();
  return roles
    .filter(({ id, isGrantable, isArchived }) => !isArchived && (wanted ? wanted.includes(id) : isGrantable))
    .map(({ id, title }) => ({ id, name: localize(title, language) }));
}

/** Returns the user's own row, regardless of their data scope. */
async function ownRow({ db }: UserAccess, id: string): Promise<UserRow> {
  const table = tableOf(UserAccount);
  const [row] = await db.sql.select().from(table).where(eq(table.id, id));
  if (!row) throw new ApiError(problems.notFound);
  return row as UserRow;
}

/** Hashes the password of a new account before the transaction, because hashing is slow. */
async function hashInitialPassword({ passwords }: UserAccess, { id, password, ...form }: UserSubmit): Promise<string | undefined> {
  if (id || !password) return undefined;
  const read = passwords.read(password);
  await passwords.assertStrong(read, [form.account, form.name, form.realName, form.phone, form.email, currentActor()?.tenantId], 'password');
  return passwords.hash(read);
}

async function submit({ db, rules, accounts }: UserAccess, { password, ...form }: UserSubmit, hash: string | undefined, emails: PasswordEmails | undefined) {
  if (form.id && password) throw new ApiError(organizationProblems.passwordOnEdit);
  if (form.id) await rules.lockAdministrators();
  const { result: row, passwords: newPasswords } = await collectPasswords(() => accounts.save(form));
  if (hash) await queryRows(db, sql`update user_account set password_hash = ${hash} where id = ${row.id}::bigint`);
  if (form.id) return row;
  const [oneTimePassword] = hash ? [] : await markMailable(db, emails, newPasswords);
  return { ...(await accounts.detail(row.id)), ...(oneTimePassword ? { oneTimePassword } : {}) };
}

type GiveRequest = CallRequest<typeof workCalls.give>;

/** Serves the calls that give users work. */
function workRoutes(access: UserAccess, { find }: Pick<ServerContext, 'find'>): PluginRoute[] {
  const grants = () => {
    const found = find(WorkGrants);
    if (!found) throw new ApiError(problems.notFound);
    return found;
  };

  return [
    route(workCalls.works, (request) => grants().offer(request)),
    route(workCalls.give, (request) => giveWork(access, grants(), request), { noStore: true }),
  ];
}

/** Gives the work in the current transaction: all of it or nothing. */
async function giveWork({ accounts, rules }: UserAccess, grants: WorkGrants, request: GiveRequest) {
  const { userId, works, limits = [], account, realName, phone } = request.input;
  const isNew = Boolean(account && realName);
  if ((userId === undefined) !== isNew) throw new ApiError(workProblems.person, {}, { field: 'userId' });
  if (isNew && !request.principal.codes.has('user_add')) throw new ApiError(problems.forbidden);
  await rules.lockAdministrators();
  const roleIds = await requestedRoles(grants, request, works);
  const { result: user, passwords } = await collectPasswords(async (): Promise<UserRow> => {
    if (!userId) return accounts.save({ account, realName, name: realName, phone, userType: 1, status: userStatus.enabled, roleId: roleIds } as AccountForm);
    const id = userId;
    const held = (await accounts.detail(id)).roleId ?? [];
    return accounts.save({ id, roleId: [...new Set([...held, ...roleIds])] });
  });
  if (limits.length > 0) await grants.limit(request, user.id, { works, limits });
  const [oneTimePassword] = passwords;
  return { id: user.id, account: user.account, realName: user.realName, ...(oneTimePassword ? { oneTimePassword } : {}) };
}

async function requestedRoles(grants: WorkGrants, request: GiveRequest, works: readonly string[]): Promise<string[]> {
  const idsOf = (kind: 'role:' | 'page:') => works.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length));
  const pages = idsOf('page:');
  return [...idsOf('role:'), ...(pages.length > 0 ? [await grants.roleFor(request, pages)] : [])];
}

/** Marks the passwords of accounts to which new ones can be e-mailed. */
async function markMailable(db: ServerContext['db'], emails: PasswordEmails | undefined, passwords: readonly OneTimePassword[]): Promise<OneTimePassword[]> {
  if (passwords.length === 0 || !(await emails?.isOffered(db.tenantId ?? ''))) return [...passwords];
  const ids = idArray(passwords.map(({ id }) => id));
  const reachable = await queryRows<{ id: string }>(
    db,
    sql`select id::text as id from user_account where id = any(${ids}) and status = ${userStatus.enabled} and coalesce(email, '') <> ''`,
  );
  const mailable = new Set(reachable.map(({ id }) => id));
  return passwords.map((one) => (mailable.has(one.id) ? { ...one, isMailable: true } : one));
}
