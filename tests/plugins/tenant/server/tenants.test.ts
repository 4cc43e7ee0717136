import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { clientHeaders, openTestServer, type TestServer } from '../../../support/test-server.ts';

const at = '/api/blade-system/tenant';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings', 'dictionary', 'organization', 'tenant', 'codegen', 'transfers'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

let made = 0;
const create = async (more: object = {}) => {
  made += 1;
  const reply = await server.post(`${at}/submit`, { tenantName: `Company ${made}`, linkman: '王芳', ...more }, { headers });
  expect(reply).toMatchObject({ code: 200 });
  return reply.data as { id: string; tenantId: string; tenantName: string; account: string; password: string };
};
const enter = ({ tenantId, account, password }: { tenantId: string; account: string; password: string }) =>
  server.post('/api/things-auth/oauth/token', { grant_type: 'password', tenantId, username: account, password }, { headers: clientHeaders });
/** Signs in as the tenant's first administrator after the change of the initial password, and returns the headers. */
const begin = async (one: { tenantId: string; account: string; password: string }) => {
  const { body } = await enter(one);
  const own = { 'things-auth': `bearer ${body.access_token}` };
  const next = 'Morning-Lights-2026';
  const changed = await server.post(
    '/api/oms-system/user/update-password',
    { oldPassword: one.password, newPassword: next, newPassword1: next },
    { headers: own },
  );
  expect(changed).toMatchObject({ code: 200 });
  const again = await enter({ ...one, password: next });
  return { 'things-auth': `bearer ${again.body.access_token}` };
};
const buttons = async (of: Record<string, string>) => {
  const { data } = await server.get('/api/blade-system/menu/buttons', { headers: of });
  return (data as { code: string; children: { code: string }[] }[]).flatMap(({ code, children }) => [code, ...children.map((child) => child.code)]);
};
const menuIds = async (...codes: string[]) =>
  (await server.sql(`select id::text as id from menu where code in (${codes.map((code) => `'${code}'`).join(',')})`)).map(({ id }) => String(id));
const packageOf = async (...codes: string[]) => {
  made += 1;
  const reply = await server.post('/api/blade-system/tenant-package/submit', { packageName: `Package ${made}`, menuId: await menuIds(...codes) }, { headers });
  expect(reply).toMatchObject({ code: 200 });
  return reply.data as { id: string; packageName: string; menuId: string[] };
};

test('a new tenant has its own code, and its first administrator signs in with a password shown once', async () => {
  const one = await create();
  expect(one.tenantId).toMatch(/^\d{6}$/);
  expect(one).toMatchObject({ account: 'admin', accountNumber: -1, expireTime: null, packageId: null });
  expect((await server.get(`${at}/detail`, { headers, query: { id: one.id } })).data).not.toHaveProperty('password');

  const { body } = await enter(one);
  expect(body).toMatchObject({ tenant_id: one.tenantId, tenant_name: one.tenantName, account: 'admin', real_name: '王芳', role_name: 'admin' });
  const own = { 'things-auth': `bearer ${body.access_token}` };
  expect(await server.get('/api/blade-system/dept/list', { headers: own })).toMatchObject({ status: 403, msg: '请先修改初始密码' });

  const boss = await begin(one);
  expect((await server.get('/api/blade-system/dept/list', { headers: boss })).data).toMatchObject([{ deptName: one.tenantName }]);
  expect((await server.get('/api/blade-system/post/list', { headers: boss })).data.records).toMatchObject([{ postCode: 'ceo' }]);
  expect(await buttons(boss)).toContain('dept_add');
});

test('only administrators of the platform have the pages of tenants and packages, with any grants', async () => {
  const boss = await begin(await create());
  const codes = await buttons(boss);
  expect(codes.filter((code) => code.startsWith('tenant') || code.startsWith('param'))).toEqual([]);
  for (const path of [`${at}/list`, `${at}/select`, '/api/blade-system/tenant-package/list', '/api/blade-system/tenant-package/menu-tree'])
    expect(await server.get(path, { headers: boss })).toMatchObject({ status: 403 });
  const offered = JSON.stringify((await server.get('/api/blade-system/tenant-package/menu-tree', { headers })).data);
  expect(offered).toContain('部门管理');
  expect(offered).not.toContain('租户管理');
  expect(offered).not.toContain('系统参数');
});

test('a repeated request does not return the password again, and no log contains it', async () => {
  const keyed = { ...headers, 'idempotency-key': 'a-new-tenant' };
  const form = { tenantName: 'Once only', linkman: '李雷' };
  const first = await server.post(`${at}/submit`, form, { headers: keyed });
  expect(await server.post(`${at}/submit`, form, { headers: keyed })).toMatchObject({ status: 409 });
  const { password } = first.data;
  expect(password).toMatch(/^\S{19}$/);
  const tables = await server.sql(`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`);
  for (const { name } of tables) expect(await server.sql(`select 1 from ${name} t where t::text like '%${password}%'`), String(name)).toEqual([]);
});

test('a package limits the tenant; its administrator gains additions at once, and removals apply to everyone', async () => {
  const { id, packageName } = await packageOf('dept', 'dept_add');
  const narrow = { id, packageName };
  const one = await create({ packageId: narrow.id });
  const boss = await begin(one);
  expect(await buttons(boss)).toEqual(['dept', 'dept_add']);

  await server.post('/api/blade-system/tenant-package/submit', { ...narrow, menuId: await menuIds('dept_add', 'post', 'post_edit') }, { headers });
  expect(await buttons(boss)).toEqual(['dept', 'dept_add', 'post', 'post_edit']);
  expect(await server.get('/api/blade-system/post/list', { headers: boss })).toMatchObject({ code: 200 });

  await server.post('/api/blade-system/tenant-package/submit', { ...narrow, menuId: await menuIds('dept') }, { headers });
  expect(await server.get('/api/blade-system/post/list', { headers: boss })).toMatchObject({ status: 403 });
  expect(await server.get('/api/blade-system/dept/list', { headers: boss })).toMatchObject({ code: 200 });

  const other = await packageOf('post');
  expect(await server.post(`${at}/package-setting`, { tenantId: one.tenantId, packageId: other.id }, { headers })).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-system/dept/list', { headers: boss })).toMatchObject({ status: 403 });
  expect(await server.get('/api/blade-system/post/list', { headers: boss })).toMatchObject({ code: 200 });
  expect((await server.get(`${at}/package-detail`, { headers, query: { tenantId: one.id } })).data).toMatchObject({ packageName: other.packageName });
  expect(await server.post('/api/blade-system/tenant-package/remove', { ids: [other.id] }, { headers })).toMatchObject({
    status: 409,
    data: { uses: [{ count: 1 }] },
  });
});

test('a tenant without a package starts with the configured menus, or with all of them', async () => {
  await server.post('/api/blade-system/param/submit', { paramName: 'x', paramKey: 'tenant.default.menuCode', paramValue: 'post' }, { headers });
  const boss = await begin(await create());
  expect(await buttons(boss)).toEqual(['post', 'post_add', 'post_edit', 'post_delete', 'post_view', 'post_export', 'post_import']);
  await server.sql(`delete from param where param_key = 'tenant.default.menuCode'`);
  expect((await server.get(`${at}/package-detail`, { headers, query: { tenantId: (await create()).id } })).data).toEqual({});
});

test('an expired tenant is refused at the next request, and has access again when it is extended', async () => {
  const one = await create();
  const boss = await begin(one);
  const setting = (expireTime: string | null) => server.post(`${at}/setting`, { ids: [one.id], accountNumber: 50, expireTime }, { headers });
  expect(await setting('2020-01-01 00:00:00')).toMatchObject({ status: 400, body: { field: 'expireTime' } });
  const [soon] = await server.sql(`select to_char(now() + interval '3 seconds', 'YYYY-MM-DD HH24:MI:SS') as time`);
  expect(await setting(String(soon?.time))).toMatchObject({ code: 200 });
  const routes = () => server.get('/api/blade-system/menu/routes', { headers: boss });
  await expect.poll(async () => (await routes()).status, { timeout: 10_000, interval: 500 }).toBe(401);
  expect(await setting('2999-01-01 00:00:00')).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-system/menu/routes', { headers: boss })).toMatchObject({ code: 200 });
  expect((await server.get(`${at}/detail`, { headers, query: { id: one.id } })).data).toMatchObject({ accountNumber: 50, expireTime: '2999-01-01 00:00:00' });
});

test('a deleted tenant is refused and kept; once restored it is unchanged', async () => {
  const one = await create({ domain: 'gone.example.com' });
  const boss = await begin(one);
  expect(await server.post(`${at}/remove`, { ids: [one.id] }, { headers })).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-system/menu/routes', { headers: boss })).toMatchObject({ status: 401 });
  expect((await server.get(`${at}/list`, { headers, query: { tenantId_equal: one.tenantId } })).data.total).toBe(0);
  const { data } = await server.get(`${at}/deleted-list`, { headers, query: { tenantId_equal: one.tenantId } });
  expect(data).toMatchObject({ total: 1, records: [{ tenantName: one.tenantName }] });

  expect(await server.post(`${at}/restore`, { ids: [one.id] }, { headers })).toMatchObject({ code: 200 });
  expect((await server.get('/api/blade-system/dept/list', { headers: boss })).data).toMatchObject([{ deptName: one.tenantName }]);

  await server.post(`${at}/remove`, { ids: [one.id] }, { headers });
  await server.sql(`update tenant set update_time = now() - interval '31 days' where id = ${one.id}`);
  expect(await server.post(`${at}/restore`, { ids: [one.id] }, { headers })).toMatchObject({ status: 409, msg: '已超过可恢复期限' });
  expect(await server.sql(`select 1 from dept where tenant_id = '${one.tenantId}'`)).toHaveLength(1);
});

test('a deleted tenant whose domain another has meanwhile stays where it is', async () => {
  const one = await create({ domain: 'twice.example.com' });
  await server.post(`${at}/remove`, { ids: [one.id] }, { headers });
  await create({ domain: 'twice.example.com' });
  expect(await server.post(`${at}/restore`, { ids: [one.id] }, { headers })).toMatchObject({ status: 409 });
  expect(await server.post(`${at}/submit`, { tenantName: 'third', linkman: 'x', domain: 'twice.example.com' }, { headers })).toMatchObject({ status: 409 });
});

test('the platform’s own tenant is neither deleted nor limited', async () => {
  const [platform] = await server.sql(`select id::text as id from tenant where tenant_id = '000000'`);
  const id = String(platform?.id);
  const refused = { status: 403, msg: '平台租户受保护' };
  expect(await server.post(`${at}/remove`, { ids: [id] }, { headers })).toMatchObject(refused);
  expect(await server.post(`${at}/setting`, { ids: [id], accountNumber: 1 }, { headers })).toMatchObject(refused);
  expect(await server.post(`${at}/submit`, { id, tenantName: 'x', expireTime: '2020-01-01 00:00:00' }, { headers })).toMatchObject(refused);
  expect(await server.post(`${at}/package-setting`, { tenantId: '000000', packageId: (await packageOf('dept')).id }, { headers })).toMatchObject(refused);
  expect(await server.post(`${at}/submit`, { id, tenantName: 'Head office' }, { headers })).toMatchObject({ code: 200 });
});

test('a domain determines its tenant and the picture of its sign-in page', async () => {
  const one = await create({ domain: 'acme.example.com', backgroundUrl: 'https://cdn.example.com/night.jpg' });
  const { data } = await server.get(`${at}/info`, { query: { domain: 'https://acme.example.com/login' } });
  expect(data).toMatchObject({ tenantId: one.tenantId, backgroundUrl: 'https://cdn.example.com/night.jpg' });
});

test('a full tenant takes no further account, submitted or imported', async () => {
  const one = await create({ accountNumber: 2 });
  const own = await begin(one);
  const users = '/api/oms-system/user';
  const submit = (account: string) => server.post(`${users}/submit`, { account, realName: '张三', name: '小张', userType: 1 }, { headers: own });
  expect(await submit('second')).toMatchObject({ code: 200 });
  expect(await submit('third')).toMatchObject({ status: 409, msg: '租户账号数量已达上限' });
  const sheet = { name: 'users.csv', content: '账号,姓名,昵称,用户平台\nfourth,李四,小李,WEB\n' };
  const { data: read } = await server.upload(`${users}/import-preview`, sheet, { headers: own });
  const { data: begun } = await server.post(`${users}/import`, { fileId: read.fileId, mapping: read.mapping, mode: 'good' }, { headers: own });
  const ended = async () => (await server.get('/api/transfer/detail', { headers: own, query: { id: begun.id } })).data;
  await expect.poll(ended, { timeout: 20_000 }).toMatchObject({ state: 'done', good: 0, bad: 1 });
  expect(await server.sql(`select count(*)::int as n from user_account where tenant_id = '${one.tenantId}' and is_deleted = 0`)).toEqual([{ n: 2 }]);
});

test('a new tenant has copies of the platform’s business dictionaries', async () => {
  const { data: head } = await server.post('/api/blade-system/dict-biz/submit', { code: 'vip', dictValue: '会员', sort: 1, isSealed: 0 }, { headers });
  await server.post('/api/blade-system/dict-biz/submit', { parentId: head.id, dictKey: '1', dictValue: '银卡', sort: 1, isSealed: 0 }, { headers });
  const own = await begin(await create());
  const { data } = await server.get('/api/blade-system/dict-biz/dictionary', { headers: own, query: { code: 'vip' } });
  expect(data).toMatchObject([{ dictKey: '1', dictValue: '银卡' }]);
  expect(data[0].parentId).not.toBe(head.id);
});

test('a tenant’s own data source is one that is there, and stays there while a tenant has it', async () => {
  const sources = '/api/blade-develop/datasource';
  const one = await create();
  const form = {
    name: 'Acme',
    driverClass: 'org.postgresql.Driver',
    host: 'db.example.com',
    databaseName: 'acme',
    username: 'reader',
    password: 'Reads-nothing-1',
  };
  const { data: source } = await server.post(`${sources}/submit`, form, { headers });
  const offered = await server.get(`${at}/datasource-select`, { headers });
  expect(offered.data).toContainEqual({ id: source.id, name: 'Acme' });
  expect(JSON.stringify(offered.data)).not.toContain('example.com');

  const give = (datasourceId: string) => server.post(`${at}/datasource`, { tenantId: one.tenantId, datasourceId }, { headers });
  const given = async () => (await server.get(`${at}/detail`, { headers, query: { id: one.id } })).data.datasourceId;
  const remove = () => server.post(`${sources}/remove`, { ids: [source.id] }, { headers });
  expect(await give('99')).toMatchObject({ status: 400 });
  expect(await server.post(`${at}/submit`, { ...one, datasourceId: '99' }, { headers })).toMatchObject({ status: 400 });
  expect(await give(source.id)).toMatchObject({ code: 200 });
  expect(await given()).toBe(source.id);
  expect(await remove()).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });

  await server.post(`${at}/remove`, { ids: [one.id] }, { headers });
  expect(await remove()).toMatchObject({ status: 409 });
  await server.post(`${at}/restore`, { ids: [one.id] }, { headers });
  expect(await give('')).toMatchObject({ code: 200 });
  expect(await given()).toBeNull();
  expect(await remove()).toMatchObject({ code: 200 });
});
