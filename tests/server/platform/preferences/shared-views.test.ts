import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { preference } from '#shared/preferences';
import { sharedViews, viewLimits, viewsKey } from '#shared/views';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

type Headers = Record<string, string>;
const biz = '/api/blade-system/dict-biz/list';
const view = {
  version: 1,
  filters: { paramName: '邮件', createTime: ['2026-01-01 00:00:00', null] },
  conditions: [],
  columns: [{ name: 'paramKey', hidden: true }],
};

let server: TestServer;
let admin: Headers;
let owner: Headers;
let reader: Headers;
let stranger: Headers;
let rival: Headers;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary'] });
  admin = await server.signIn();
  await server.createTenant('rivals');
  for (const [account, codes, tenantId] of [
    ['owner', ['dict_biz'], '000000'],
    ['reader', ['dict_biz'], '000000'],
    ['stranger', [], '000000'],
    ['rival', ['dict_biz'], 'rivals'],
  ] as const)
    await server.createUser({ account, codes, tenantId });
  owner = await server.signIn('owner');
  reader = await server.signIn('reader');
  stranger = await server.signIn('stranger');
  rival = await server.signIn('rival', 'rivals');
});
afterAll(() => server.stop());

const share = (name: string, headers: Headers, given: object = view, of = biz) => server.post(sharedViews.share.path, { of, name, view: given }, { headers });
const list = (headers: Headers, of = biz) => server.get(sharedViews.list.path, { query: { of }, headers });
const withdraw = (id: string, headers: Headers) => server.post(sharedViews.withdraw.path, { id }, { headers });

test('a shared view is offered to users who can see its list, with its owner and permitted actions', async () => {
  expect(await share('邮件', owner)).toMatchObject({ code: 200 });
  expect((await list(owner)).data).toEqual([{ id: expect.any(String), name: '邮件', view, owner: 'owner', isOwn: true, mayWithdraw: true }]);
  expect((await list(reader)).data).toMatchObject([{ name: '邮件', view, isOwn: false, mayWithdraw: false }]);
  expect((await list(admin)).data).toMatchObject([{ name: '邮件', isOwn: false, mayWithdraw: true }]);
});

test('users who cannot see a list can neither read nor share its views; unknown lists have none; tenants are separate', async () => {
  expect(await list(stranger)).toMatchObject({ code: 403 });
  expect(await share('陌生', stranger)).toMatchObject({ code: 403 });
  expect(await list(owner, '/api/no/list')).toMatchObject({ code: 403 });
  expect(await share('提交', owner, view, '/api/blade-system/dict-biz/submit')).toMatchObject({ code: 403 });
  expect(await list({})).toMatchObject({ code: 401 });
  expect((await list(rival)).data).toEqual([]);
});

test('sharing again replaces the user’s own view of that name only', async () => {
  await share('排序', owner);
  await share('排序', reader);
  await share('排序', owner, { ...view, sort: { field: 'paramKey', direction: 'desc' } });
  const named = (await list(owner)).data.filter(({ name }: { name: string }) => name === '排序');
  expect(named).toMatchObject([
    { isOwn: true, view: { sort: { direction: 'desc' } } },
    { isOwn: false, view },
  ]);
});

test('a default shared view is used in its current state, until it is withdrawn or its list is not accessible', async () => {
  await share('开始', owner);
  const { id } = (await list(reader)).data.find(({ name }: { name: string }) => name === '开始');
  const key = viewsKey(biz);
  const storedPreference = async (headers: Headers) => (await server.get(preference.list.path, { query: { prefix: key }, headers })).data[0]?.value;
  const savePreference = (value: unknown, headers: Headers, under = key) => server.post(preference.submit.path, { key: under, version: 1, value }, { headers });
  for (const headers of [reader, stranger, rival]) await savePreference({ views: [], follows: id, followed: { ...view, filters: { old: 1 } } }, headers);
  await savePreference({ views: [], follows: id }, reader, viewsKey('/api/another/list'));
  await share('开始', owner, { ...view, filters: { paramName: '短信' } });
  expect(await storedPreference(reader)).toEqual({ views: [], follows: id, followed: { ...view, filters: { paramName: '短信' } } });
  expect(await storedPreference(stranger)).toEqual({ views: [], follows: id });
  expect(await storedPreference(rival)).toEqual({ views: [], follows: id });
  const all = (await server.get(preference.list.path, { headers: reader })).data as { key: string; value: unknown }[];
  expect(all.find((one) => one.key === viewsKey('/api/another/list'))?.value).toEqual({ views: [], follows: id });
  await savePreference({ views: [], follows: "1' or '1'='1" }, stranger);
  expect(await storedPreference(stranger)).toEqual({ views: [], follows: "1' or '1'='1" });
  await withdraw(id, owner);
  expect(await storedPreference(reader)).toEqual({ views: [], follows: id });
});

test('only its owner or an administrator can withdraw a view', async () => {
  const idOf = async (headers: Headers) => (await list(headers)).data.find(({ name }: { name: string }) => name === '邮件')?.id;
  const id = await idOf(owner);
  for (const other of [reader, stranger, rival]) expect(await withdraw(id, other)).toMatchObject({ code: 404 });
  expect(await idOf(reader)).toBe(id);
  expect(await withdraw(id, owner)).toMatchObject({ code: 200 });
  expect(await idOf(reader)).toBeUndefined();
  await share('邮件', reader);
  expect(await withdraw(await idOf(admin), admin)).toMatchObject({ code: 200 });
  expect(await idOf(reader)).toBeUndefined();
});

test('an invalid view, a view that is too large and a view beyond the limit are rejected', async () => {
  const conditions = [null];
  expect(await share('空', owner, { ...view, conditions })).toMatchObject({ code: 400 });
  expect(await share('空', owner, { ...view, filters: { paramName: { nested: true } } })).toMatchObject({ code: 400 });
  expect(await share('x'.repeat(viewLimits.name + 1), owner)).toMatchObject({ code: 400 });
  const long = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`field${index}`, '长'.repeat(1000)]));
  expect(await share('长', owner, { ...view, filters: long })).toMatchObject({ code: 413 });
  await server.sql(
    `insert into shared_view (tenant_id, list, name, user_id, view) select '000000', '${biz}', 'many ' || n, u.id, '{}' from generate_series(1, ${viewLimits.perList}) n, user_account u where u.account = 'reader'`,
  );
  expect(await share('再一个', owner)).toMatchObject({ code: 409 });
});
