import { and, type SQL, sql } from 'drizzle-orm';
import {
  ApiError,
  assignOneTimePassword,
  collectPassword,
  currentActor,
  type Database,
  endSessions,
  idArray,
  invalidatePrincipals,
  type Passwords,
  problems,
  publishPicture,
  queryRows,
  type Repository,
  repositoryOf,
  type ServerContext,
} from '#server';
import type { ListInput } from '#shared/contract';
import { registrationProblems } from '#shared/registration';
import { UserAccount, type UserRow, type UserSubmit } from '../contract.ts';
import { userCreated } from '../webhook-contract.ts';
import type { AccountRules } from './account-rules.ts';

/** Fields written to an account; an edit contains only the changed ones. */
export type AccountForm = Partial<UserSubmit>;
export type Accounts = Repository<typeof UserAccount, AccountForm>;

interface AccountsDeps extends Pick<ServerContext, 'db' | 'parameters' | 'webhooks'> {
  readonly passwords: Passwords;
  readonly rules: AccountRules;
}

/** Repository of accounts with their roles, departments and positions; changes apply with the next request. */
export function accountsOf(deps: AccountsDeps): Accounts {
  const { db, rules, webhooks } = deps;
  const accounts: Accounts = repositoryOf<typeof UserAccount, AccountForm>(db, UserAccount, {
    unique: [{ fields: ['account'], problem: registrationProblems.accountTaken }],
    complete: async (form, { before }) => {
      if (before) await rules.assertManageable([before.id]);
      if (form.account) await assertUniqueAccount(db, form.account, before?.id);
      await rules.assertAssignable(form as Partial<UserRow>, before);
      // Avatars are published, because they are shown wherever the account is named, long after a signed link has expired.
      const avatar = form.avatar ? await publishPicture(db, form.avatar, currentActor()?.userId ?? '0') : undefined;
      return avatar ? { avatar } : {};
    },
    saved: async (after, before) => {
      const password = before ? undefined : await assignOneTimePassword(deps, after.id, { onlyNew: true });
      if (password) collectPassword(password);
      const isNew = password !== undefined;
      // Roles, departments and positions of a restored account may have been deleted meanwhile.
      if (!before && !isNew) {
        await rules.assertAssignable(after, undefined);
        await relinkIdentities(db, after.id);
      }
      await writeLinks(db, after, isNew);
      if (before) await rules.assertAdministratorRemains();
      await invalidatePrincipals(db, { userId: after.id });
      if (isNew) await webhooks.send(userCreated, [{ id: after.id }]);
    },
    beforeRemove: async (rows) => {
      const ids = rows.map(({ id }) => id);
      rules.assertNotSelf(ids);
      await rules.assertManageable(ids);
    },
    removed: async (rows) => {
      const ids = rows.map(({ id }) => id);
      await endSessions(db, sql`user_id in ${ids}`, 'access-withdrawn');
      // Linked identities are released, so that their owners can request another account.
      await queryRows(db, sql`update user_oauth set freed_from = user_id, user_id = null where user_id in ${ids}`);
      await rules.assertAdministratorRemains();
    },
  });
  return withDepartments(accounts);
}

/** Refuses account names that differ from another only in case. */
async function assertUniqueAccount(db: Database, account: string, id: string | undefined): Promise<void> {
  const [duplicate] = await queryRows(
    db,
    sql`select 1 from user_account where lower(account) = lower(${account}) and is_deleted = 0 and id is distinct from ${id ?? null}::bigint limit 1`,
  );
  if (duplicate) throw new ApiError(registrationProblems.accountTaken, {}, { field: 'account' });
}

/** Links the identities of a restored account again, if they are still unlinked. */
async function relinkIdentities(db: Database, id: string): Promise<void> {
  await queryRows(
    db,
    sql`update user_oauth set user_id = freed_from, freed_from = null where freed_from = ${id}::bigint and user_id is null and is_deleted = 0`,
  );
}

async function writeLinks(db: Database, { id, roleId, deptId, postId }: UserRow, isNew: boolean): Promise<void> {
  const user = sql`${id}::bigint`;
  const write = async (ids: readonly string[] | null, statements: (list: SQL) => { readonly remove: SQL; readonly insert: SQL }) => {
    const { remove, insert } = statements(idArray(ids ?? []));
    if (!isNew) await queryRows(db, remove);
    if (ids && ids.length > 0) await queryRows(db, insert);
  };
  await write(roleId, (list) => ({
    remove: sql`delete from user_role where user_id = ${user} and role_id <> all(${list})`,
    insert: sql`insert into user_role (user_id, role_id) select ${user}, unnest(${list}) on conflict do nothing`,
  }));
  await write(postId, (list) => ({
    remove: sql`delete from user_post where user_id = ${user} and post_id <> all(${list})`,
    insert: sql`insert into user_post (user_id, post_id) select ${user}, unnest(${list}) on conflict do nothing`,
  }));
  await write(deptId, (list) => ({
    remove: sql`delete from user_dept where user_id = ${user} and dept_id <> all(${list})`,
    insert: sql`insert into user_dept (user_id, dept_id, sort) select ${user}, dept_id, place from unnest(${list}) with ordinality as listed(dept_id, place)
               on conflict (tenant_id, user_id, dept_id) do update set sort = excluded.sort`,
  }));
}

/** Adds the filter `deptId` to lists and exports: users of the department or its descendants. */
function withDepartments(accounts: Accounts): Accounts {
  return Object.assign(Object.create(accounts) as Accounts, {
    page(input: ListInput, where?: SQL) {
      const { query, condition } = departmentFilter(input);
      return accounts.page(query, and(where, condition));
    },
    walk(input: ListInput, walk: { readonly where?: SQL } = {}) {
      const { query, condition } = departmentFilter(input);
      const where = and(walk.where, condition);
      return accounts.walk(query, where ? { ...walk, where } : walk);
    },
  });
}

function departmentFilter({ deptId, deptId_equal, ...query }: ListInput): { query: ListInput; condition: SQL | undefined } {
  const requestedDept = String(deptId || deptId_equal || '');
  if (requestedDept === '') return { query, condition: undefined };
  if (!/^\d{1,18}$/.test(requestedDept)) throw new ApiError(problems.wrongParameter, { name: 'deptId' });
  return {
    query,
    condition: sql`user_account.id in (
      select ud.user_id from user_dept ud join dept d on d.id = ud.dept_id
      where d.id = ${requestedDept}::bigint or ${requestedDept}::text = any (string_to_array(d.ancestors, ',')))`,
  };
}
