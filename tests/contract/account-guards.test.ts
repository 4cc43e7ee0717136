import { beforeAll, expect } from '@rstest/core';
import type { TObject } from 'typebox';
import type { Call } from '#shared/contract';
import { sample } from '../kit/fixtures.ts';
import { isEveryPluginChecked } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { census } from './census.ts';
import { contractServer, productTest, ruleTest } from './contract-server.ts';

/** Tables with rows of an account, and their column for its id. A call that changes any of these rows has changed the account. */
const tables: Readonly<Record<string, string>> = {
  user_account: 'id',
  user_role: 'user_id',
  user_dept: 'user_id',
  user_post: 'user_id',
  user_oauth: 'user_id',
  second_factor: 'user_id',
  recovery_code: 'user_id',
  session: 'user_id',
};

interface Victim {
  readonly userId: string;
  readonly account: string;
  /** Ids of the account and of each of its rows that has one. */
  readonly ids: readonly string[];
}

let server: TestServer;
let administrator: Record<string, string>;
let victims: Victim[];

/** Type of the bundler's `require.context`. */
type Context = (path: string, options: { recursive: boolean; regExp: RegExp }) => { keys(): string[]; (file: string): Record<string, unknown> };
const shared = (import.meta as unknown as { webpackContext: Context }).webpackContext('../../src/shared', { recursive: true, regExp: /\/[\w-]+\.ts$/ });
const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'method' in value && 'input' in value && 'reply' in value;

/** Calls of the kernel, which are declared in `src/shared`. */
const kernelCalls = shared
  .keys()
  .flatMap((file) => Object.values(shared(file)))
  .flatMap((value) => (isCall(value) ? [value] : typeof value === 'object' && value !== null ? Object.values(value).filter(isCall) : []))
  .map((call) => ({ name: `kernel ${call.path}`, call }));

/** Returns every writing call with an id in its input, of the plugins under test and, where it is under test too, of the kernel. */
const writes = () =>
  [...census().calls, ...(isEveryPluginChecked ? kernelCalls : [])].filter(({ call }) => call.method === 'POST' && !call.upload && idFields(call).length > 0);

function idFields({ input }: Call): readonly { readonly name: string; readonly isList: boolean }[] {
  const { properties = {} } = input as TObject;
  const fields = Object.entries(properties as Record<string, { format?: string; items?: { format?: string } }>);
  return fields.filter(([, field]) => (field.format ?? field.items?.format) === 'int64').map(([name, { items }]) => ({ name, isList: items !== undefined }));
}

beforeAll(async () => {
  ({ server, headers: administrator } = await contractServer());
  const codes = (await server.sql('select code from menu where is_deleted = 0')).map(({ code }) => String(code));
  const { userId, roleId } = await server.createUser({ account: 'subordinate', codes });
  // Signs in often, and for less work than the administrator of the deployment.
  await server.createUser({ account: 'chief', roleAlias: 'administrator' });
  const [dept] = await server.sql(`select id::text as id from dept where tenant_id = '000000' limit 1`);
  await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${dept?.id})`);
  // A user with more permissions in the same scope, and one with none outside of it.
  const superior = await server.createUser({ account: 'superior', codes, roleAlias: 'admin' });
  const stranger = await server.createUser({ account: 'stranger' });
  await server.sql(`update user_account set create_dept = ${dept?.id} where id = ${superior.userId}`);
  await server.sql(`update user_account set create_dept = null where id = ${stranger.userId}`);
  await server.signIn('superior');
  await server.signIn('stranger');
  for (const { userId: id } of [superior, stranger]) {
    await server.sql(`insert into second_factor (tenant_id, user_id, secret, confirmed_at) values ('000000', ${id}, 'sealed', now())`);
    await server.sql(`insert into user_oauth (tenant_id, source, uuid, user_id) values ('000000', 'github', 'of ${id}', ${id})`);
  }
  const [page] = await server.sql(`select id::text as id from menu where code = 'user'`);
  const scope = {
    menuId: page?.id,
    scopeName: '本部门',
    resourceCode: 'own_dept',
    scopeType: 3,
    scopeColumn: 'createDept',
    scopeField: '*',
    scopeClass: 'user_account',
  };
  const { data, msg } = await server.post('/api/blade-system/data-scope/submit', scope, { headers: administrator });
  if (!data?.id) throw new Error(msg);
  const menuIds = (await server.sql(`select menu_id::text as id from role_menu where role_id = ${roleId}`)).map(({ id }) => id);
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], menuIds, dataScopeIds: [data.id] }, { headers: administrator });
  const seen = await server.get('/api/oms-system/user/userlist', { headers: await server.signIn('subordinate') });
  expect(seen.data.records.map(({ account }: { account: string }) => account)).toEqual(expect.arrayContaining(['superior']));
  expect(seen.data.records.map(({ account }: { account: string }) => account)).not.toContain('stranger');
  victims = [];
  for (const [account, id] of [
    ['superior', superior.userId],
    ['stranger', stranger.userId],
  ] as const) {
    const sessions = await server.sql(`select row_id::text as id from session where user_id = ${id}`);
    const identities = await server.sql(`select id::text as id from user_oauth where user_id = ${id}`);
    victims.push({ account, userId: id, ids: [id, ...[...sessions, ...identities].map((row) => String(row.id))] });
  }
});

/** Returns all rows of an account and its counted failures as PostgreSQL JSON text, since ids exceed JavaScript numbers. */
async function stateOf({ userId, account }: Victim): Promise<Record<string, string>> {
  const rows = (table: string, which: string) =>
    `(select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]')::text from ${table} t where ${which}) as ${table}`;
  const held = Object.entries(tables).map(([table, column]) => rows(table, `${column} = ${userId}`));
  const failures = rows('login_failure', `subject in ('000000/${account}', '000000#${userId}')`);
  const [state] = await server.sql(`select ${[...held, failures].join(', ')}`);
  return state as Record<string, string>;
}

/** Restores the rows of an account. */
async function restore({ userId, account }: Victim, state: Record<string, string>): Promise<void> {
  const literal = (table: string) => `'${(state[table] ?? '[]').replaceAll("'", "''")}'::jsonb`;
  const listed = await server.sql(
    `select column_name as name from information_schema.columns where table_name = 'user_account' and is_generated = 'NEVER' and column_name <> 'id'`,
  );
  const columns = listed.map(({ name }) => `"${name}"`).join(', ');
  await server.sql(
    `update user_account set (${columns}) = (select ${columns} from jsonb_populate_recordset(null::user_account, ${literal('user_account')})) where id = ${userId}`,
  );
  for (const [table, column] of Object.entries(tables).filter(([name]) => name !== 'user_account')) {
    await server.sql(`delete from ${table} where ${table === 'user_oauth' ? `uuid = 'of ${userId}'` : `${column} = ${userId}`}`);
    await server.sql(`insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, ${literal(table)})`);
  }
  await server.sql(`delete from login_failure where subject in ('000000/${account}', '000000#${userId}')`);
  await server.sql(`insert into login_failure select * from jsonb_populate_recordset(null::login_failure, ${literal('login_failure')})`);
}

/** Records failures that only an unlock removes. */
async function fail({ account, userId }: Victim): Promise<void> {
  await server.sql(`delete from login_failure where subject in ('000000/${account}', '000000#${userId}')`);
  await server.sql(
    `insert into login_failure values ('account', '000000/${account}', 3, now() + interval '20 minutes'), ('proof', '000000#${userId}', 3, now() + interval '20 minutes')`,
  );
}

/** Returns the names of the calls that change the account when its ids, and the ids of its rows, are put wherever an input takes an id. */
async function changedBy(actor: string, victim: Victim, calls: readonly { readonly name: string; readonly call: Call }[]): Promise<string[]> {
  await fail(victim);
  const before = await stateOf(victim);
  const changed: string[] = [];
  const compare = async (name: string) => {
    const after = await stateOf(victim);
    const differing = Object.keys(before).filter((table) => after[table] !== before[table]);
    if (differing.length === 0) return;
    changed.push(`${name}: ${differing.join(', ')}`);
    await restore(victim, before);
  };
  let headers = await server.signIn(actor);
  for (const { name, call } of calls) {
    const inputs = victim.ids.flatMap((id) => inputsWith(call, victim, id));
    const replies = await Promise.all(inputs.map((input) => server.post(call.path, input, { headers })));
    if (replies.every(({ status }) => status >= 300)) continue;
    await compare(name);
    // Some calls change the session that makes them: a preview, another department.
    headers = await server.signIn(actor);
  }
  await compare('a call that was refused');
  return changed;
}

/** Returns inputs with the id in each place alone and in all at once, because `roleId` and `ids` of one call seldom name the same type of row. */
function inputsWith(call: Call, { account }: Victim, id: string): Record<string, unknown>[] {
  const fields = idFields(call);
  const placed = (name: string, isList: boolean) => ({ [name]: isList ? [id] : id });
  const alone = fields.map(({ name, isList }) => ({ ...given, ...placed(name, isList) }));
  const all = Object.assign({}, ...fields.map(({ name, isList }) => placed(name, isList)));
  const extra = { account, realName: '改名', name: 'changed', status: 2, userType: 2, values: { name: 'changed' } };
  return (fields.length > 1 ? [all, ...alone] : alone).map((ids) => ({ ...sample(call.input), ...extra, ...ids }));
}

/** A role that may be granted, for calls that take one in addition to the account. */
let given: Record<string, unknown> = {};
beforeAll(async () => {
  const { roleId } = await server.createUser({ account: 'holder', codes: ['post'] });
  given = { roleId, roleIds: [roleId] };
});

ruleTest(
  'account-guard',
  'no call of any plugin changes an account with more permissions or outside the data scope of the caller',
  async () => {
    const touching = new Set<string>();
    for (const victim of victims) {
      expect({ victim: victim.account, changed: await changedBy('subordinate', victim, writes()) }).toEqual({ victim: victim.account, changed: [] });
      // The administrator's calls succeed with the same inputs, which proves that the failures above are refusals.
      for (const name of await changedBy(
        'chief',
        victim,
        writes().filter(({ name }) => /user|online|addMembers|removeMembers|kernel/i.test(name)),
      ))
        touching.add(name);
    }
    const known = ['resetPassword', 'updateStatus', 'grant', 'updatePlatform', 'remove', 'bulkSubmit', 'onlineUsers.kick', 'addMembers', 'reset-mfa', 'unlock'];
    if (isEveryPluginChecked) expect(known.filter((part) => ![...touching].some((name) => name.includes(part)))).toEqual([]);
  },
  300_000,
);

productTest('a sheet of users changes no account with more permissions or outside the data scope of the caller', async () => {
  const cover = async (actor: string, { account }: Victim) => {
    const sheet = { name: 'users.csv', content: `账户,姓名,手机\n${account},改名,13900008888` };
    return server.upload('/api/blade-system/user/import-user', sheet, { headers: await server.signIn(actor), query: { isCovered: '1' } });
  };
  for (const victim of victims) {
    const before = await stateOf(victim);
    const refused = await cover('subordinate', victim);
    expect({ account: victim.account, success: refused.success, state: await stateOf(victim) }).toEqual({
      account: victim.account,
      success: false,
      state: before,
    });
    // The administrator's import of the same sheet succeeds, which proves that the failure above is a refusal.
    expect(await cover('chief', victim)).toMatchObject({ code: 200, data: { good: 1 } });
    expect((await stateOf(victim)).user_account).not.toBe(before.user_account);
    await restore(victim, before);
  }
});
