import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sentStatements } from '../../../support/sent-statements.ts';
import { openTestServer, password, type TestServer } from '../../../support/test-server.ts';

const oms = '/api/oms-system';
const blade = '/api/blade-system';
const clients = `${blade}/client`;
const secret = 'Quiet-Harbour-71';

let server: TestServer;
/** Headers of the administrator in our own console; `headers` are those of a BladeX-compatible one. */
let own: Record<string, string>;
let headers: Record<string, string>;

const basic = (id: string, clientSecret: string) => ({ authorization: `Basic ${btoa(`${id}:${clientSecret}`)}` });
const form = (clientId: string) => ({ clientId, clientSecret: secret, authorizedGrantTypes: 'password,refresh_token' });

async function signInBy(clientId: string, account = 'admin'): Promise<Record<string, string>> {
  const reply = await server.post('/api/blade-auth/token', { grantType: 'password', account, password }, { headers: basic(clientId, secret) });
  return { 'blade-auth': `bearer ${reply.data.accessToken}` };
}

async function add(path: string, row: object): Promise<Record<string, string>> {
  const reply = await server.post(path, row, { headers: own });
  expect(reply, `${path}: ${reply.msg}`).toMatchObject({ status: 200 });
  return reply.data;
}

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'region', 'access', 'organization', 'tenant', 'settings', 'storage'] });
  own = await server.signIn();
  await add(`${clients}/submit`, { ...form('saber'), compatibility: 'bladex' });
  await add(`${clients}/submit`, form('reports'));
  headers = await signInBy('saber');
});
afterAll(() => server.stop());

test('rows of users have the names of their codes and their tenant', async () => {
  const sales = await add('/api/things-system/dept/submit', { deptName: '销售部', fullName: '销售部', deptCategory: '2' });
  const north = await add('/api/things-system/dept/submit', { deptName: '华北', fullName: '华北', parentId: sales.id });
  const seller = await add(`${blade}/post/submit`, { category: '2', postCode: 'seller', postName: '销售' });
  const role = await add(`${oms}/role/submit`, { roleName: '导购', roleAlias: 'guide' });
  const person = { account: 'wang', realName: '王芳', name: '小王', sex: 2, deptId: [sales.id, north.id], postId: [seller.id], roleId: [role.id] };
  await add(`${oms}/user/submit`, person);
  await add(`${oms}/user/submit`, { account: 'li', realName: '李雷', name: '小李' });

  const users = await server.get(`${oms}/user/userlist`, { headers, query: { account_equal: 'wang' } });
  expect(users.data.records[0]).toMatchObject({
    tenantId: '000000',
    tenantName: '管理组',
    sexName: '女',
    userTypeName: 'WEB',
    statusName: '启用',
    deptName: '销售部,华北',
    postName: '销售',
    roleName: '导购',
  });
  const english = await server.get(`${oms}/user/userlist`, { headers: { ...headers, 'accept-language': 'en' }, query: { account_equal: 'wang' } });
  expect(english.data.records[0]).toMatchObject({ sexName: 'Female', statusName: 'Enabled' });
  const unnamed = await server.get(`${oms}/user/userlist`, { headers, query: { account_equal: 'li' } });
  expect(unnamed.data.records[0]).toMatchObject({ sexName: '', deptName: '', postName: '', roleName: '' });

  const depts = await server.get(`${blade}/dept/list`, { headers });
  const top = depts.data.find(({ deptName }: { deptName: string }) => deptName === '销售部');
  expect(top).toMatchObject({ tenantId: '000000', parentName: '顶级', deptCategoryName: '部门' });
  expect(top.children[0]).toMatchObject({ deptName: '华北', parentName: '销售部', deptCategoryName: '' });
  const level = await server.get('/api/things-system/dept/lazy-list', { headers, query: { parentId: sales.id as string } });
  expect(level.data[0]).toMatchObject({ deptName: '华北', parentName: '销售部', hasChildren: false });
  const posts = await server.get(`${blade}/post/list`, { headers, query: { postCode: 'seller' } });
  expect(posts.data.records[0]).toMatchObject({ tenantId: '000000', categoryName: '中层' });
  const roles = await server.get(`${oms}/role/list`, { headers });
  expect(roles.data.find(({ id }: { id: string }) => id === role.id)).toMatchObject({ tenantId: '000000', parentName: '顶级' });
});

test('menus and scopes carry the names of their codes', async () => {
  const menus = await server.get(`${blade}/menu/list`, { headers });
  const system = menus.data.find(({ code }: { code: string }) => code === 'system');
  expect(system).toMatchObject({ categoryName: '菜单', actionName: '无', isOpenName: '否', parentName: '顶级' });
  expect(system.children[0]).toMatchObject({ parentName: system.name });
  // Menus belong to the platform and have no tenant.
  expect(system).not.toHaveProperty('tenantId');
  await add(`${blade}/data-scope/submit`, {
    menuId: system.id,
    scopeName: '本人',
    resourceCode: 'own',
    scopeType: 2,
    scopeField: '*',
    scopeColumn: 'create_user',
    scopeClass: 'user_account',
  });
  const scopes = await server.get(`${blade}/data-scope/list`, { headers, query: { menuId: system.id } });
  expect(scopes.data.records[0]).toMatchObject({ scopeTypeName: '本人可见' });
  await add(`${blade}/api-scope/submit`, { menuId: system.id, scopeName: '系统', resourceCode: 'sys', scopePath: '/api/blade-system/*', scopeType: 1 });
  const calls = await server.get(`${blade}/api-scope/list`, { headers, query: { menuId: system.id } });
  expect(calls.data.records[0]).toMatchObject({ scopeTypeName: '系统接口' });
});

test('null is answered as the empty value of its type, but for the two fields that stay null', async () => {
  const [row] = (await server.get(`${oms}/user/userlist`, { headers, query: { account_equal: 'li' } })).data.records;
  expect(row).toMatchObject({ email: '', birthday: '', deptId: '', avatar: '', sex: -1 });
  expect(Object.values(row)).not.toContain(null);
  const [tenant] = (await server.get(`${blade}/tenant/list`, { headers })).data.records;
  expect(tenant).toMatchObject({ packageId: null, datasourceId: null, accountNumber: -1, domain: '' });
  expect((await server.get(`${blade}/tenant/info`, { headers: basic('saber', ''), query: { domain: 'nobody.test' } })).data).toEqual({});
});

test('a row goes back as it came: empty text is a default or nothing, -1 no number', async () => {
  const dept = { deptName: '市场部', fullName: '市场部', parentId: '', deptCategory: '', sort: '', remark: '' };
  const saved = await server.post('/api/things-system/dept/submit', dept, { headers });
  expect(saved).toMatchObject({ status: 200, data: { parentId: '0', sort: 1 } });
  const [person] = (await server.get(`${oms}/user/userlist`, { headers, query: { account_equal: 'li' } })).data.records;
  expect(await server.post(`${oms}/user/submit`, { ...person, name: '李' }, { headers })).toMatchObject({ status: 200 });
  const kept = await server.get(`${oms}/user/detail`, { headers: own, query: { id: person.id } });
  expect(kept.data).toMatchObject({ name: '李', sex: null, email: null, deptId: null });
  const page = { category: 1, name: '报表', code: 'reports_page', alias: 'menu', path: '/reports', sort: 1, isOpen: '', action: '', parentId: '' };
  expect(await server.post('/api/things-system/menu/submit', page, { headers })).toMatchObject({ status: 200, data: { isOpen: 1, parentId: '0' } });
  const child = await server.post('/api/things-system/dept/submit', { ...dept, deptName: '活动', parentId: saved.data.id }, { headers });
  expect(child.data.parentId).toBe(saved.data.id);
  expect((await server.post('/api/things-system/dept/submit', { ...child.data, parentId: '' }, { headers })).data.parentId).toBe('0');
});

test('a page holds up to 500 rows, and unsuffixed filters of entity lists are equality', async () => {
  await server.sql(
    `insert into post (tenant_id, category, post_code, post_name, sort) select '000000', '1', 'p' || n, 'p' || n, n from generate_series(1, 510) n`,
  );
  const page = async (by: Record<string, string>, query: Record<string, string>) =>
    (await server.get(`${blade}/post/list`, { headers: by, query })).data as { records: { postCode: string }[]; size: number };
  expect((await page(headers, { size: '500' })).records).toHaveLength(500);
  expect((await page(headers, { size: '900' })).size).toBe(500);
  expect((await page(own, { size: '500' })).records).toHaveLength(200);
  expect((await page(headers, { postCode: 'p1' })).records.map(({ postCode }) => postCode)).toEqual(['p1']);
  expect((await page(own, { postCode: 'p1', size: '200' })).records.length).toBeGreaterThan(100);
  expect((await page(headers, { postCode_like: 'p10', size: '50' })).records.length).toBeGreaterThan(5);
  // Filters of free-form maps match substrings, for these clients too.
  const users = await server.get(`${oms}/user/userlist`, { headers, query: { account: 'wan' } });
  expect(users.data.records).toHaveLength(1);
});

test('a session of any other client gets the usual answers, with any Basic header', async () => {
  for (const by of [own, await signInBy('reports'), { ...own, ...basic('saber', secret) }]) {
    const [row] = (await server.get(`${oms}/user/userlist`, { headers: by, query: { account_equal: 'li' } })).data.records;
    expect(row).toMatchObject({ sex: null, email: null });
    for (const name of ['tenantId', 'tenantName', 'sexName', 'deptName']) expect(row).not.toHaveProperty(name);
  }
  // An empty parent means the root for all clients; an empty number is an error in our own form.
  const dept = { deptName: '空', fullName: '空', parentId: '' };
  expect(await server.post('/api/things-system/dept/submit', { ...dept, sort: '' }, { headers: own })).toMatchObject({ status: 400 });
  expect(await server.post('/api/things-system/dept/submit', dept, { headers: own })).toMatchObject({ status: 200, data: { parentId: '0' } });
});

test('a missing parameter is reported by its name, and a missing form field by its title', async () => {
  for (const by of [own, headers]) {
    const missing = (name: string) => ({ status: 400, msg: `缺少必要的请求参数: ${name}`, body: { field: name } });
    expect(await server.get(`${oms}/user/detail`, { headers: by })).toMatchObject(missing('id'));
    expect(await server.get(`${blade}/dict/dictionary`, { headers: by })).toMatchObject(missing('code'));
    expect(await server.post(`${oms}/user/remove`, {}, { headers: by })).toMatchObject(missing('ids'));
    expect(await server.post(`${blade}/user/grant`, { roleIds: '1' }, { headers: by })).toMatchObject(missing('userIds'));
    expect(await server.post(`${blade}/post/submit`, { postName: '无编号', category: '1' }, { headers: by })).toMatchObject({ msg: '请输入岗位编号' });
  }
});

test('a change of the setting applies at once, and the console’s own client cannot have it', async () => {
  const [row] = (await server.get(`${clients}/list`, { headers: own, query: { clientId_equal: 'reports' } })).data.records;
  const by = await signInBy('reports');
  const sees = async () => (await server.get(`${oms}/user/userlist`, { headers: by, query: { account_equal: 'li' } })).data.records[0].sex;
  expect(row.compatibility).toBe('none');
  const change = (compatibility: string) => server.post(`${clients}/submit`, { ...form('reports'), id: row.id, compatibility }, { headers: own });
  expect(await change('bladex')).toMatchObject({ status: 200 });
  expect(await sees()).toBe(-1);
  await change('none');
  expect(await sees()).toBe(null);
  expect(await change('ruoyi')).toMatchObject({ status: 400, body: { field: 'compatibility' } });

  const [ours] = (await server.get(`${clients}/list`, { headers: own, query: { clientId_equal: 'sryx' } })).data.records;
  const refused = await server.post(`${clients}/submit`, { ...ours, compatibility: 'bladex' }, { headers: own });
  expect(refused).toMatchObject({ status: 409, msg: '控制台自身的应用不能使用兼容模式', body: { field: 'compatibility' } });
});

test('another replica that starts later knows the compatible clients', async () => {
  const other = await openTestServer({ plugins: ['dictionary', 'access', 'organization', 'settings'], db: server.db });
  try {
    const [row] = (await other.get(`${oms}/user/userlist`, { headers, query: { account_equal: 'li' } })).data.records;
    expect(row).toMatchObject({ sex: -1, tenantId: '000000' });
  } finally {
    await other.stop();
  }
});

test('a data scope that hides a field hides its name, and no other', async () => {
  const { roleId } = await server.createUser({ account: 'clerk', codes: ['user'] });
  const [menu] = await server.sql(`select id from menu where code = 'user'`);
  const scope = await add(`${blade}/data-scope/submit`, {
    menuId: String(menu?.id),
    scopeName: '部分字段',
    resourceCode: 'some',
    scopeType: 1,
    scopeField: 'account,sex',
    scopeClass: 'user_account',
  });
  await server.post(`${blade}/role/grant`, { roleIds: [roleId], dataScopeIds: [scope.id] }, { headers: own });
  const clerk = await signInBy('saber', 'clerk');
  const [row] = (await server.get(`${oms}/user/userlist`, { headers: clerk, query: { account: 'wang' } })).data.records;
  expect(row).toMatchObject({ account: 'wang', sexName: '女', tenantId: '000000' });
  for (const name of ['statusName', 'deptName', 'realName']) expect(row).not.toHaveProperty(name);
});

test('names cost the same statements, however many rows a page has, and other clients none', async () => {
  const cost = async (path: string, by: Record<string, string>, size: string) => {
    await server.get(path, { headers: by, query: { size } });
    const statements = await sentStatements(server.db, async () => {
      expect(await server.get(path, { headers: by, query: { size } })).toMatchObject({ status: 200 });
    });
    return statements.length;
  };
  const posts = `${blade}/post/list`;
  const plain = await cost(posts, own, '1');
  expect(await cost(posts, own, '200')).toBe(plain);
  const named = await cost(posts, headers, '1');
  // The three additional queries load the tenant's name, the dictionary's entries and its archived ones.
  expect(named).toBe(plain + 3);
  expect(await cost(posts, headers, '500')).toBe(named);
  const users = `${oms}/user/userlist`;
  expect(await cost(users, headers, '3')).toBe(await cost(users, headers, '200'));
});
