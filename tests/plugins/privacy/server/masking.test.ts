import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';
import type { Reply } from '../../../support/test-server.ts';

const base = '/api/oms-system/base';
const users = '/api/oms-system/user';
const show = '/api/blade-system/personal/show';
const phone = '13912345678';
const masked = '139****5678';

let office: TaskOffice;
let id: string;
/** May read and change advertisers, and see no personal data. */
let clerk: Record<string, string>;
let manager: Record<string, string>;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access', 'transfers', 'log', 'privacy'] });
  const codes = ['advertiser', 'advertiser_add', 'advertiser_edit', 'advertiser_export', 'user', 'log_personal'];
  const users = [
    await office.server.createUser({ account: 'clerk', codes }),
    await office.server.createUser({ account: 'manager', codes: [...codes, 'advertiser_personal', 'user_personal'] }),
  ];
  const dept = (await office.post('/api/things-system/dept/submit', { parentId: '0', deptName: '公司', fullName: '公司', sort: 1 })).data.id;
  for (const { userId } of users) await office.server.sql(`insert into user_dept (tenant_id, user_id, dept_id, sort) values ('000000', ${userId}, ${dept}, 1)`);
  clerk = await office.server.signIn('clerk');
  manager = await office.server.signIn('manager');
  const reply = await office.post(`${base}/addadvertiser`, {
    name: '茶馆',
    contact_name: '陈茶',
    contact_phone: phone,
    address: '上海市浦东新区世纪大道100号',
  });
  expect(reply.code, reply.msg).toBe(200);
  id = reply.data.id;
  await office.server.sql(`update advertiser set create_dept = ${dept} where id = ${id}`);
  // The reply of the write is masked as well.
  expect(reply.data).toMatchObject({ contact_phone: masked, contact_name: '陈茶', address: '上海市浦东新***' });
});
afterAll(() => office.server.stop());

const listed = async (query: Record<string, string>, headers: Record<string, string>) => office.get(`${base}/advertiserlist`, query, headers);
const idsOf = (reply: Reply): string[] => reply.data.records.map((row: { id: string }) => row.id);
const stored = async () => (await office.server.sql(`select contact_phone, address, contact_name from advertiser where id = ${id}`))[0];
const log = async (): Promise<Record<string, unknown>[]> => (await office.get('/api/blade-log/personal/list', {}, manager)).data.records;

test('lists, details and histories contain masked values for every reader', async () => {
  for (const headers of [clerk, manager, office.admin]) {
    const [row] = (await listed({ ids: id }, headers)).data.records;
    expect(row).toMatchObject({ contact_phone: masked, contact_name: '陈茶', address: '上海市浦东新***' });
    expect((await office.get(`${base}/advertiser/detail`, { id }, headers)).data.contact_phone).toBe(masked);
  }
  const history = await office.get(`${base}/advertiser/history`, { id }, office.admin);
  expect(history.data.records[0].fields.contact_phone).toEqual([null, masked]);
});

test('a form that sends masked values back leaves the stored ones unchanged', async () => {
  const edit = await office.post(`${base}/addadvertiser`, { id, name: '新茶馆', contact_phone: masked, address: '上海市浦东新***' }, clerk);
  expect(edit.code, edit.msg).toBe(200);
  expect(await stored()).toEqual({ contact_phone: phone, address: '上海市浦东新区世纪大道100号', contact_name: '陈茶' });
  const added = await office.post(`${base}/addadvertiser`, { name: '假茶馆', contact_name: '无', contact_phone: masked }, clerk);
  expect(added).toMatchObject({ code: 400, msg: '该内容已隐藏，请输入完整内容' });
  const bulk = await office.post(`${base}/advertiser/bulk-submit`, { ids: [id], values: { address: '北京***' } }, clerk);
  expect(bulk.code).toBe(400);
  const changed = await office.post(`${base}/addadvertiser`, { id, contact_phone: '13912340000' }, clerk);
  expect(changed.code, changed.msg).toBe(200);
  expect((await stored())?.contact_phone).toBe('13912340000');
  await office.post(`${base}/addadvertiser`, { id, contact_phone: phone }, clerk);
});

test('without the permission a filter finds whole values only, and neither order nor groups tell more', async () => {
  for (const part of [{ contact_phone: '1391' }, { contact_phone_like: '2345' }, { contact_phone_likeright: '139123' }, { contact_phone_match: '1391' }])
    expect(idsOf(await listed(part as Record<string, string>, clerk)), JSON.stringify(part)).toEqual([]);
  expect(idsOf(await listed({ where: JSON.stringify({ or: [{ contact_phone_like: '1391' }] }) }, clerk))).toEqual([]);
  expect(idsOf(await listed({ contact_phone: phone }, clerk))).toEqual([id]);
  expect(idsOf(await listed({ contact_phone_equal: phone }, clerk))).toEqual([id]);
  expect((await listed({ contact_phone_ge: '139' }, clerk)).code).toBe(400);
  expect((await listed({ ascs: 'contact_phone' }, clerk)).code).toBe(400);
  expect((await listed({ groups: 'contact_phone' }, manager)).code).toBe(400);
  // The same filter of someone who may see the values does not share the statement.
  expect(idsOf(await listed({ contact_phone: '1391' }, manager))).toEqual([id]);
  expect(idsOf(await listed({ contact_phone: '1391' }, clerk))).toEqual([]);
});

test('the search of the console finds a masked value as a whole and shows it masked', async () => {
  const search = async (q: string, headers: Record<string, string>) => (await office.get('/api/things-system/search', { q }, headers)).data ?? [];
  const texts = (found: unknown) => JSON.stringify(found);
  expect(texts(await search('1391234', clerk))).not.toContain(id);
  const whole = texts(await search(phone, clerk));
  expect(whole).toContain(id);
  expect(whole).not.toContain(phone);
  const part = texts(await search('1391234', manager));
  expect(part).toContain(id);
  expect(part).not.toContain(phone);
});

test('one record is shown with the permission, and each reading is a line of the log', async () => {
  expect((await office.post(show, { entity: 'advertiser', id }, clerk)).code).toBe(403);
  expect((await office.post(show, { entity: 'advertiser', id, fields: ['balance'] }, manager)).code).toBe(400);
  expect((await office.post(show, { entity: 'tenant', id }, manager)).code).toBe(404);
  expect((await office.post(show, { entity: 'advertiser', id: '1' }, manager)).code).toBe(404);
  expect(await log()).toEqual([]);
  const shown = await office.post(show, { entity: 'advertiser', id, fields: ['contact_phone'] }, manager);
  expect(shown.data).toEqual({ values: { contact_phone: phone } });
  expect(await log()).toMatchObject([{ action: 'shown', entity: '广告主联系人', recordId: id, fields: '联系电话', rows: 1, userName: 'manager' }]);
  const inEnglish = { ...manager, 'accept-language': 'en' };
  const found = await office.get('/api/blade-log/personal/list', { entity_like: 'advert' }, inEnglish);
  expect(found.data.records).toMatchObject([{ entity: 'Contacts of advertisers', fields: 'Phone' }]);
  expect((await office.get('/api/blade-log/personal/list', { entity_like: '收款' }, manager)).data.records).toEqual([]);
  const all = await office.post(show, { entity: 'advertiser', id }, manager);
  expect(all.data.values).toEqual({ contact_phone: phone, address: '上海市浦东新区世纪大道100号' });
});

test('users see their own data, and the logs contain none of it', async () => {
  const own = await office.server.createUser({ account: 'owner', codes: ['user', 'user_edit'] });
  await office.server.sql(`update user_account set phone = '13700001234', email = 'owner@example.com' where id = ${own.userId}`);
  const owner = await office.server.signIn('owner');
  expect((await office.get(`/api/blade-system/user/info`, {}, owner)).data).toMatchObject({ phone: '13700001234', email: 'owner@example.com' });
  const rows = (await office.get(`${users}/userlist`, { account_equal: 'owner' }, owner)).data.records;
  expect(rows[0].phone).toBe('13700001234');
  expect((await office.get(`${users}/userlist`, { account_equal: 'owner' }, office.admin)).data.records[0]).toMatchObject({
    phone: '137****1234',
    email: 'o***@example.com',
  });
  await office.get(`${users}/userlist`, { phone: '13700001234' }, office.admin);
  await office.post(`${users}/submit`, { id: own.userId, phone: '13700005555' }, office.admin);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const logged = JSON.stringify(await office.server.sql('select params, changes from api_log union all select null, fields from record_change'));
  for (const secret of [phone, '13700001234', '13700005555', 'owner@example.com']) expect(logged).not.toContain(secret);
});

test('an export is masked, and with the permission and a fresh proof it is not, which is one line of the log', async () => {
  const before = (await log()).length;
  const file = async (body: object, headers: Record<string, string>) => {
    const reply = await office.post(`${base}/advertiser/export`, { format: 'csv', ids: [id], ...body }, headers);
    if (reply.code !== 200) return reply.code;
    const { link } = (await office.get('/api/transfer/link', { id: reply.data.id, part: 'result' }, headers)).data;
    return (await office.server.app.inject({ url: link })).body;
  };
  expect(await file({}, manager)).toContain(masked);
  expect(await file({ personal: true }, clerk)).toBe(403);
  expect((await log()).length).toBe(before);
  expect(await file({ personal: true }, manager)).toContain(phone);
  expect((await log())[0]).toMatchObject({ action: 'exported', entity: '广告主联系人', rows: 1, userName: 'manager' });
  await office.server.sql(
    `update session set proven_at = now() - interval '301 seconds' where user_id = (select id from user_account where account = 'manager')`,
  );
  await office.get('/api/blade-auth/oauth/clear-cache', {}, manager);
  expect(await file({ personal: true }, manager)).toBe(428);
  expect((await office.server.sql(`select count(*)::integer as n from personal_access where action = 'exported'`))[0]?.n).toBe(1);
});
