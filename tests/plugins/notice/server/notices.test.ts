import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { InboxChanged, inbox } from '#plugins/inbox/contract';
import { Notice } from '#plugins/notice/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { listen } from '../../../support/live-listener.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-desk/notice';
let server: TestServer;
let admin: Record<string, string>;
let clerk: Record<string, string>;
let clerkId: string;
let clerkRole: string;
let deptBelow: string;
let deptAbove: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'notice', 'inbox'], timeScale: 8 });
  admin = await server.signIn();
  ({ userId: clerkId, roleId: clerkRole } = await server.createUser({ account: 'clerk' }));
  const dept = async (deptName: string, parentId: string) =>
    (await server.post('/api/things-system/dept/submit', { deptName, fullName: deptName, parentId, sort: 1 }, { headers: admin })).data.id;
  deptAbove = await dept('销售部', '0');
  deptBelow = await dept('华东组', deptAbove);
  await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${clerkId}, ${deptBelow})`);
  clerk = await server.signIn('clerk');
});
afterAll(() => server.stop());

const past = '2026-01-01 08:00:00';
const submit = (fields: object) =>
  server.post(
    `${path}/submit`,
    { title: '放假', category: '1', releaseTime: past, audience: 'all', content: '<p>明天放假</p>', ...fields },
    { headers: admin },
  );
const mine = async (headers = clerk) =>
  (await server.get(`${path}/reading/list`, { headers })).data.records as { id: string; title: string; isRead: boolean }[];
const told = async (headers: Record<string, string>) =>
  ((await server.get(inbox.list.path, { headers, query: { kind: 'notice' } })).data.entries as { title: string; link: string }[]).map(({ title, link }) => ({
    title,
    link,
  }));

test('the table matches the entity', async () => expect(await compareTables(server.db, Notice)).toEqual([]));

test('a published notice reaches all recipients at once, in the inbox and in their list, without scripts', async () => {
  const { data } = await submit({ title: '立即', content: '<p>好<script>alert(1)</script></p>' });
  expect(data.releasedAt).not.toBe('');
  expect(await told(clerk)).toContainEqual({ title: '立即', link: `/desk/reading/index?id=${data.id}` });
  expect((await mine()).find(({ id }) => id === data.id)).toMatchObject({ isRead: false });
  expect((await server.get(`${path}/reading/detail`, { headers: clerk, query: { id: data.id } })).data.content).toBe('<p>好</p>');
});

test('a scheduled notice is hidden until its time, then delivered once by several servers', async () => {
  const { data } = await submit({ title: '将来', releaseTime: '2099-01-01 00:00:00' });
  expect((await mine()).map(({ title }) => title)).not.toContain('将来');
  expect(await server.get(`${path}/reading/detail`, { headers: clerk, query: { id: data.id } })).toMatchObject({ status: 404 });
  const other = await openTestServer({ plugins: ['dictionary', 'organization', 'notice', 'inbox'], db: server.db, timeScale: 8 });
  try {
    await server.sql(`update notice set release_time = now() where id = ${data.id}`);
    for (let attempt = 0; attempt < 200 && !(await mine()).some(({ id }) => id === data.id); attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await mine()).map(({ title }) => title)).toContain('将来');
    expect((await told(clerk)).filter(({ title }) => title === '将来')).toHaveLength(1);
  } finally {
    await other.stop();
  }
});

test('a published notice can be corrected without another notification, and keeps its time', async () => {
  const { data } = await submit({ title: '错字' });
  const again = await submit({ id: data.id, title: '改好', releaseTime: '2099-01-01 00:00:00' });
  expect(again.data).toMatchObject({ title: '改好', releaseTime: past });
  expect((await told(clerk)).filter(({ link }) => link.endsWith(data.id))).toHaveLength(1);
});

test('departments include their descendants, roles their members, and no other user can read it', async () => {
  const forDepartment = (await submit({ title: '给部门', audience: 'departments', departments: [deptAbove] })).data;
  const forRole = (await submit({ title: '给角色', audience: 'roles', roles: [clerkRole] })).data;
  const elsewhere = (await submit({ title: '给别人', audience: 'roles', roles: ['1'] })).data;
  const titles = (await mine()).map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['给部门', '给角色']));
  expect(titles).not.toContain('给别人');
  expect((await mine(admin)).map(({ title }) => title)).not.toContain('给角色');
  for (const id of [elsewhere.id, '999']) expect(await server.get(`${path}/reading/detail`, { headers: clerk, query: { id } })).toMatchObject({ status: 404 });
  const readers = async (id: string) =>
    (await server.get(`${path}/readers`, { headers: admin, query: { id } })).data.records.map(({ account }: { account: string }) => account);
  expect(await readers(forDepartment.id)).toEqual(['clerk']);
  expect(await readers(forRole.id)).toEqual(['clerk']);
  expect(await submit({ audience: 'departments' })).toMatchObject({ status: 400, msg: '请选择接收部门' });
});

test('each reader is counted once, and those who have not read it are listed as well', async () => {
  const { data } = await submit({ title: '请读' });
  for (const _ of [1, 2]) await server.post(`${path}/reading/read`, { ids: [data.id] }, { headers: clerk });
  expect((await mine()).find(({ id }) => id === data.id)).toMatchObject({ isRead: true });
  const { data: page } = await server.get(`${path}/readers`, { headers: admin, query: { id: data.id } });
  expect(page.total).toBe(2);
  expect(page.records.map(({ account, readTime }: { account: string; readTime: string }) => [account, Boolean(readTime)])).toEqual([
    ['clerk', true],
    ['admin', false],
  ]);
  const [line] = (await server.get(`${path}/list`, { headers: admin, query: { title: '请读' } })).data.records;
  expect(line).toMatchObject({ readCount: 1, categoryName: '发布通知' });
  expect(line.content).toBeUndefined();
});

const unread = async (headers: Record<string, string>): Promise<number> => (await server.get(inbox.unread.path, { headers })).data.notice;
const until = async <Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const value = await look();
    if (isThere(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return look();
};

test('a notice is pushed to open consoles, and reading it removes it from the inbox in all of them', async () => {
  const bell = await listen(server, clerk);
  const before = await unread(clerk);
  const { data } = await submit({ title: '推送' });
  expect((await bell.next(InboxChanged.name)).payload).toEqual({ kind: 'notice' });
  expect(await unread(clerk)).toBe(before + 1);
  await server.post(`${path}/reading/read`, { ids: [data.id] }, { headers: clerk });
  expect((await bell.next(InboxChanged.name)).payload).toEqual({ kind: 'notice' });
  expect(await unread(clerk)).toBe(before);
  const { entries } = (await server.get(inbox.list.path, { headers: clerk, query: { kind: 'notice' } })).data;
  expect(entries.find(({ title }: { title: string }) => title === '推送')).toMatchObject({ isRead: true });
  bell.cutOff();
});

test('a user who joins an audience later is notified once of recent notices, and of nothing else', async () => {
  const forRole = (await submit({ title: '给角色的', audience: 'roles', roles: [clerkRole] })).data;
  const old = (await submit({ title: '旧闻', audience: 'roles', roles: [clerkRole] })).data;
  await server.sql(`update notice set released_at = now() - interval '40 days' where id = ${old.id}`);
  const { userId } = await server.createUser({ account: 'late' });
  const late = await server.signIn('late');
  const titles = async () => (await told(late)).map(({ title }) => title);
  expect(await until(titles, (found) => found.includes('推送'))).not.toContain('给角色的');
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${clerkRole})`);
  const found = await until(titles, (now) => now.includes('给角色的'));
  expect(found.filter((title) => title === '给角色的')).toHaveLength(1);
  expect(found).not.toContain('旧闻');
  expect((await mine(late)).map(({ id }) => id)).toEqual(expect.arrayContaining([forRole.id, old.id]));
  await server.sql(`delete from user_role where user_id = ${userId} and role_id = ${clerkRole}`);
});

test('a restored user is notified of notices published in the meantime, and not of known ones', async () => {
  const { userId } = await server.createUser({ account: 'gone' });
  const gone = await server.signIn('gone');
  await until(
    async () => (await told(gone)).map(({ title }) => title),
    (found) => found.includes('推送'),
  );
  await server.sql(`update user_account set is_deleted = 1 where id = ${userId}`);
  await submit({ title: '错过的' });
  await server.sql(`update user_account set is_deleted = 0 where id = ${userId}`);
  const found = await until(
    async () => (await told(gone)).map(({ title }) => title),
    (now) => now.includes('错过的'),
  );
  expect(found.filter((title) => title === '推送' || title === '错过的')).toHaveLength(2);
});

test('new recipients of a widened audience are notified, and previous ones not again', async () => {
  const { data } = await submit({ title: '先给角色', audience: 'roles', roles: [clerkRole] });
  await submit({ id: data.id, title: '先给角色', audience: 'all' });
  const heard = async (headers: Record<string, string>) => (await told(headers)).filter(({ link }) => link?.endsWith(data.id)).length;
  expect([await heard(clerk), await heard(admin)]).toEqual([1, 1]);
});

test('data scopes limit the listed readers and roles, but not the notices addressed to a user', async () => {
  const { data } = await submit({ title: '谁读了' });
  const { roleId } = await server.createUser({ account: 'narrow', codes: ['notice', 'user', 'role'] });
  const [scope] = await server.sql(`insert into data_scope (menu_id, scope_name, resource_code, scope_type, scope_class, scope_column)
    select id, 'x', 'x', 2, 'user_account', 'id' from menu where code = 'user' returning id::text as id`);
  const [own] = await server.sql(`insert into data_scope (menu_id, scope_name, resource_code, scope_type, scope_class)
    select id, 'x', 'x', 2, 'notice' from menu where code = 'notice' returning id::text as id`);
  await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('000000', ${roleId}, 1, ${scope?.id})`);
  const narrow = await server.signIn('narrow');
  const readers = (await server.get(`${path}/readers`, { headers: narrow, query: { id: data.id } })).data;
  expect(readers).toMatchObject({ total: 1, records: [{ account: 'narrow' }] });
  await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('000000', ${roleId}, 1, ${own?.id})`);
  const again = await server.signIn('narrow');
  expect((await server.get(`${path}/readers`, { headers: again, query: { id: data.id } })).data.total).toBe(0);
  expect((await server.get(`${path}/list`, { headers: again })).data.total).toBe(0);
  expect((await mine(again)).map(({ title }) => title)).toContain('谁读了');
});

test('the reading page is in the menu of all signed-in users, the editing page is not', async () => {
  const { data } = await server.get('/api/things-system/menu/routes', { headers: clerk });
  expect(data.map(({ code, children }: { code: string; children: { code: string }[] }) => [code, children.map((child) => child.code)])).toEqual([
    ['desk', ['notice_reading']],
  ]);
  expect(await server.get(`${path}/list`, { headers: clerk })).toMatchObject({ status: 403 });
});

test('another tenant can neither read nor mark a notice, nor see its readers', async () => {
  const { data } = await submit({ title: '只在本公司' });
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['notice'], roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect(await mine(rival)).toEqual([]);
  await server.post(`${path}/reading/read`, { ids: [data.id] }, { headers: rival });
  expect((await server.get(`${path}/readers`, { headers: rival, query: { id: data.id } })).data.records).toEqual([]);
  expect(await server.get(`${path}/reading/detail`, { headers: rival, query: { id: data.id } })).toMatchObject({ status: 404 });
  expect(await server.sql(`select 1 from notice_read where notice_id = ${data.id}`)).toEqual([]);
});

test('the first page and the inbox of BladeX-compatible clients have the latest notices of the reader', async () => {
  await server.sql('update notice set is_deleted = 1');
  const latest = async (call: string, headers: Record<string, string>) => (await server.get(`/api/blade-desk/dashboard/${call}`, { headers })).data;
  const { data } = await submit({ title: '首页可见', releaseTime: '2026-02-01 08:00:00', content: '<p>A &amp; B</p><p>第二段</p>' });
  await submit({ title: '别的部门', audience: 'departments', departments: [deptAbove], releaseTime: '2026-02-02 08:00:00' });
  await submit({ title: '还没到', releaseTime: '2099-02-02 08:00:00' });
  const stranger = await server.createUser({ account: 'stranger' }).then(() => server.signIn('stranger'));
  const [card] = await latest('notices', stranger);
  const [author] = await server.sql(`select real_name as name from user_account where account = 'admin'`);
  expect(card).toMatchObject({
    id: data.id,
    title: '首页可见',
    description: 'A & B 第二段',
    member: author?.name,
    href: `/desk/reading/index?id=${data.id}`,
    updatedAt: '2026-02-01 08:00:00',
  });
  const bell = async () => (await latest('my-notices', stranger)).find(({ id }: { id: string }) => id === data.id);
  expect(await bell()).toMatchObject({ title: '首页可见', datetime: '2026-02-01 08:00:00', type: 'notification', read: false });
  await server.post(`${path}/reading/read`, { ids: [data.id] }, { headers: stranger });
  expect(await bell()).toMatchObject({ read: true });
  const titles = (await latest('my-notices', stranger)).map(({ title }: { title: string }) => title);
  expect(titles).not.toContain('别的部门');
  expect(titles).not.toContain('还没到');
  expect((await server.get('/api/blade-desk/dashboard/notices')).status).toBe(401);
});
