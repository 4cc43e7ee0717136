import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Banner, MiniappSetting } from '#plugins/miniapp/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/oms-system/miniapp';
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['miniapp', 'settings'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

const post = (call: string, form: object, headers = admin) => server.post(`${path}/${call}`, form, { headers });
const get = async (call: string, query: Record<string, string> = {}, headers = admin) => (await server.get(`${path}/${call}`, { headers, query })).data;
const image = 'https://cdn.example.cn/a.png';
const add = async (fields: object) => (await post('addbanner', { title: '横幅', image, ...fields })).data;
const titles = (rows: { title: string }[]) => rows.map(({ title }) => title);

test('the tables match the entities', async () => {
  for (const entity of [Banner, MiniappSetting]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('a new banner is last in its position, and all banners of a position are reordered together or not at all', async () => {
  const [one, two, three] = [await add({ title: '一' }), await add({ title: '二' }), await add({ title: '三' })];
  const elsewhere = await add({ title: '别处', position: 'mine' });
  expect([one, two, three, elsewhere].map(({ sort }) => sort)).toEqual([1, 2, 3, 1]);
  expect(await post('banner/order', { position: 'home', ids: [three.id, one.id, two.id] })).toMatchObject({ code: 200 });
  expect(titles((await get('bannerlist', { position: 'home' })).records)).toEqual(['三', '一', '二']);
  for (const ids of [
    [one.id, two.id],
    [one.id, two.id, three.id, elsewhere.id],
    [one.id, one.id, two.id],
  ])
    expect(await post('banner/order', { position: 'home', ids })).toMatchObject({ status: 409 });
  await post('banner/remove', { ids: [two.id] });
  expect(await post('banner/order', { position: 'home', ids: [one.id, two.id, three.id] })).toMatchObject({ status: 409 });
  expect(titles((await get('bannerlist', { position: 'home' })).records)).toEqual(['三', '一']);
});

test('the mini-app shows enabled banners within their period', async () => {
  const wanted = { position: 'task' };
  await add({ ...wanted, title: '现在', start_at: '2020-01-01 00:00:00', end_at: '2099-01-01 00:00:00' });
  await add({ ...wanted, title: '以后', start_at: '2099-01-01 00:00:00' });
  await add({ ...wanted, title: '以前', end_at: '2099-01-01 00:00:00' });
  await server.sql(`update banner set end_at = '2020-01-01 00:00:00' where title = '以前'`);
  await add({ ...wanted, title: '停用', status: 0 });
  await server.createUser({ account: 'claimer' });
  const claimer = await server.signIn('claimer');
  const shown = (await get('banner/showing', {}, claimer)) as { title: string; position: string }[];
  expect(titles(shown.filter(({ position }) => position === 'task'))).toEqual(['现在']);
  const { records } = await get('bannerlist', wanted);
  expect(records.map(({ phase }: { phase: string }) => phase)).toEqual(['showing', 'waiting', 'over', 'off']);
});

test.each([
  [{ link_type: 1, link: 'pages/index' }, '跳转地址与跳转方式不符'],
  [{ link_type: 2, link: 'javascript:alert(1)' }, '跳转地址与跳转方式不符'],
  [{ link_type: 2, link: 'http://example.cn/' }, '跳转地址与跳转方式不符'],
  [{ link_type: 3, link: '/pages/task' }, '跳转地址与跳转方式不符'],
  [{ link_type: 2 }, '请输入跳转地址'],
  [{ start_at: '2026-02-01 00:00:00', end_at: '2026-01-01 00:00:00' }, '结束时间须晚于开始时间'],
  [{ image: '' }, '请上传图片'],
])('%j is refused: %s', async (fields, msg) => expect(await post('addbanner', { title: '错', image, ...fields })).toMatchObject({ status: 400, msg }));

test('a banner without a link has no address', async () => {
  const made = await add({ link_type: 2, link: 'https://example.cn/a?b=1' });
  expect(made.link).toBe('https://example.cn/a?b=1');
  const { data } = await post('addbanner', { id: made.id, title: made.title, image, link_type: 0, link: 'https://example.cn/' });
  expect(data.link).toBeNull();
});

test('the mini-app gets its appearance and permissions, and no other settings', async () => {
  await server.sql(`insert into param (param_name, param_key, param_value) values ('时限', 'task.submitHours', '36')`);
  expect(await get('getsetting')).toMatchObject({ submit_hours: 36, audit_hours: 24 });
  await server.createUser({ account: 'reader' });
  const reader = await server.signIn('reader');
  const shown = await get('setting/showing', {}, reader);
  expect(shown).toMatchObject({ app_name: '小程序', submit_hours: 36, privacy: null });
  for (const kept of ['id', 'auto_pay', 'createUser', 'updateTime']) expect(shown).not.toHaveProperty(kept);
  expect(await server.get(`${path}/getsetting`, { headers: reader })).toMatchObject({ status: 403 });
});

test('each tenant has one row of settings, and saving after another user’s change is refused', async () => {
  const first = await get('getsetting');
  expect(first).toMatchObject({ id: '0', min_withdraw: 100 });
  const saved = await post('updatesetting', { app_name: '任务帮', min_withdraw: 200, withdraw_rate: 6, agreement: '<p>好<script>1</script></p>' });
  expect(saved.data).toMatchObject({ app_name: '任务帮', min_withdraw: 200, submit_hours: 24, agreement: '<p>好</p>' });
  await server.sql(`update miniapp_setting set update_time = update_time - interval '1 minute'`);
  const read = await get('getsetting');
  expect(await post('updatesetting', { app_name: '甲', updated_at: read.updated_at })).toMatchObject({ code: 200 });
  expect(await post('updatesetting', { app_name: '乙', updated_at: read.updated_at })).toMatchObject({ status: 409 });
  expect((await get('getsetting')).app_name).toBe('甲');
  expect(await server.sql('select count(*)::integer as rows from miniapp_setting')).toEqual([{ rows: 1 }]);
  expect(await post('updatesetting', { app_name: '丙', min_withdraw: 1.5 })).toMatchObject({ status: 400 });
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['miniapp_setting'], roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect((await get('getsetting', {}, rival)).id).toBe('0');
  expect(await post('updatesetting', { app_name: '偷' }, rival)).toMatchObject({ status: 403 });
});
