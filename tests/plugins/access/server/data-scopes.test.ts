import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { sheetOf } from '../../../support/workbook.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'organization', 'dictionary', 'transfers'] });
  headers = await server.signIn();
  await server.sql(`insert into dept (id, tenant_id, parent_id, ancestors, dept_name, full_name) values
    (100, '000000', 0, '0', '总部', '总部'), (110, '000000', 100, '0,100', '一部', '一部'), (111, '000000', 110, '0,100,110', '一组', '一组'), (120, '000000', 100, '0,100', '二部', '二部')`);
});
afterAll(() => server.stop());

const post = '/api/blade-system/post';
const scopes = '/api/blade-system/data-scope';
const powers = ['post', 'post_add', 'post_edit', 'post_delete', 'post_view', 'post_export'];
const menuId = async (code = 'post') => String((await server.sql(`select id::text as id from menu where code = '${code}'`))[0]?.id);

let count = 0;
/** Creates a user of a department whose roles, one for each list, have these scopes on posts. */
async function person(dept: number, ...roles: object[][]) {
  const account = `person${++count}`;
  const { userId, roleId } = await server.createUser({ account, codes: powers });
  await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${dept})`);
  for (const [index, given] of roles.entries()) {
    let holder = roleId;
    if (index > 0) {
      const { data } = await server.post('/api/blade-system/role/copy', { id: roleId, roleName: `${account}-${index}` }, { headers });
      holder = data.id;
      await server.sql(`delete from role_scope where role_id = ${holder}`);
      await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${holder})`);
    }
    const ids: string[] = [];
    for (const part of given) {
      const form = { menuId: await menuId(), scopeName: '范围', resourceCode: 'post_scope', scopeType: 2, scopeField: '*', ...part };
      const reply = await server.post(`${scopes}/submit`, form, { headers });
      expect(reply).toMatchObject({ code: 200 });
      ids.push(reply.data.id);
    }
    await server.post('/api/blade-system/role/grant', { roleIds: [holder], dataScopeIds: ids }, { headers });
  }
  return { userId, roleId, headers: await server.signIn(account) };
}

let place = 0;
const addPost = async (part: Record<string, unknown> = {}) => {
  const id = 5000 + ++place;
  const row: Record<string, unknown> = {
    post_name: `岗${id}`,
    post_code: `c${id}`,
    category: 1,
    sort: 1,
    remark: null,
    create_user: 1,
    create_dept: 100,
    ...part,
  };
  const text = (value: unknown) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);
  await server.sql(`insert into post (id, tenant_id, ${Object.keys(row).join(', ')}) values (${id}, '000000', ${Object.values(row).map(text).join(', ')})`);
  return String(id);
};
const seen = async (as: Record<string, string>, query: Record<string, string> = {}): Promise<string[]> => {
  const { data } = await server.get(`${post}/list`, { headers: as, query: { size: '200', ...query } });
  expect(data.total).toBe(data.records.length);
  return data.records.map(({ id }: { id: string }) => id).sort();
};

test('each kind of scope applies to lists, details, exports and writes alike', async () => {
  const [top, first, group, second] = [
    await addPost(),
    await addPost({ create_dept: 110 }),
    await addPost({ create_dept: 111 }),
    await addPost({ create_dept: 120 }),
  ];
  const all = await person(110, [{ scopeType: 1 }]);
  const dept = await person(110, [{ scopeType: 3 }]);
  const below = await person(110, [{ scopeType: 4 }]);
  const own = await person(110, [{ scopeType: 2 }]);
  const mine = await addPost({ create_user: own.userId, create_dept: 120 });
  expect(await seen(all.headers)).toEqual(expect.arrayContaining([top, first, group, second, mine]));
  expect(await seen(dept.headers)).toEqual([first]);
  expect(await seen(below.headers)).toEqual([first, group]);
  expect(await seen(own.headers)).toEqual([mine]);
  expect(await server.get(`${post}/detail`, { headers: dept.headers, query: { id: second } })).toMatchObject({ status: 404 });
  const absent = await server.get(`${post}/detail`, { headers: dept.headers, query: { id: '99999999' } });
  const foreign = await server.get(`${post}/detail`, { headers: dept.headers, query: { id: second } });
  expect(foreign.body).toEqual(absent.body);
  const { data: row } = await server.get(`${post}/detail`, { headers, query: { id: second } });
  expect((await server.post(`${post}/submit`, row, { headers: dept.headers })).status).toBe(404);
  expect((await server.post(`${post}/remove`, { ids: [first, second] }, { headers: dept.headers })).status).toBe(404);
  expect(await seen(dept.headers)).toEqual([first]);
  const { data: file } = await server.post(`${post}/export`, { format: 'csv' }, { headers: dept.headers });
  expect(file).toMatchObject({ total: 1 });
});

test('scopes of several roles are united, and a role with the page but without a scope sees all rows', async () => {
  const [a, b] = [await addPost({ create_dept: 111, sort: 71 }), await addPost({ create_dept: 120, sort: 72 })];
  const both = await person(111, [{ scopeType: 3 }], [{ scopeType: 5, scopeValue: '{"field":"sort","is":72}' }]);
  expect(await seen(both.headers)).toEqual(expect.arrayContaining([a, b]));
  expect(await seen(both.headers, { createDept_ignore: '1' })).not.toContain('5001');
  const free = await person(111, [{ scopeType: 2 }], []);
  expect(await seen(free.headers)).toEqual(expect.arrayContaining([a, b, '5001']));
});

test('a row cannot be written to where the user could not see it', async () => {
  const { headers: own } = await person(110, [{ scopeType: 5, scopeValue: '{"field":"sort","is":[7,8]}' }]);
  const form = { category: '1', postCode: 'w1', postName: '写', sort: 7 };
  const { data, code } = await server.post(`${post}/submit`, form, { headers: own });
  expect(code).toBe(200);
  expect(await server.post(`${post}/submit`, { ...data, sort: 9 }, { headers: own })).toMatchObject({ status: 403, msg: '该数据将超出您的数据权限范围' });
  expect((await server.post(`${post}/submit`, { ...form, postCode: 'w2', sort: 9 }, { headers: own })).status).toBe(403);
  expect((await server.post(`${post}/submit`, { ...data, sort: 8 }, { headers: own })).code).toBe(200);
});

test('hidden fields are in no reply, filter, sort or file', async () => {
  await addPost({ remark: '机密', sort: 33 });
  const { headers: own } = await person(100, [{ scopeType: 3, scopeField: 'postName,postCode,category,sort' }]);
  const { data } = await server.get(`${post}/list`, { headers: own, query: { size: '200' } });
  expect(data.records.length).toBeGreaterThan(0);
  expect(Object.keys(data.records[0]).sort()).toEqual(['category', 'id', 'postCode', 'postName', 'sort', 'version']);
  const detail = await server.get(`${post}/detail`, { headers: own, query: { id: data.records[0].id } });
  expect(JSON.stringify(detail.body)).not.toContain('remark');
  expect((await server.get(`${post}/list`, { headers: own, query: { createTime_dategt: '2020-01-01 00:00:00' } })).status).toBe(400);
  expect((await server.get(`${post}/list`, { headers: own, query: { descs: 'create_time' } })).status).toBe(400);
  expect((await server.post(`${post}/export`, { format: 'csv', fields: ['remark'] }, { headers: own })).status).toBe(400);
});

test('a scope without a field, data or a condition is refused', async () => {
  const submit = async (part: object) =>
    server.post(`${scopes}/submit`, { menuId: await menuId(), scopeName: 'x', resourceCode: 'x', scopeType: 2, scopeField: '*', ...part }, { headers });
  expect(await submit({ scopeColumn: 'nothing' })).toMatchObject({ status: 400, msg: '字段 nothing 不存在' });
  expect(await submit({ scopeField: 'postName,secret' })).toMatchObject({ status: 400 });
  expect(await submit({ scopeType: 5, scopeValue: '1=1 or true' })).toMatchObject({ status: 400 });
  expect(await submit({ scopeType: 5, scopeValue: '{"sql":"1=1"}' })).toMatchObject({ status: 400, msg: '条件不是有效的表达式' });
  expect(await submit({ scopeType: 5, scopeValue: '{"field":"1=1","is":1}' })).toMatchObject({ status: 400 });
  expect(await submit({ menuId: await menuId('role'), scopeClass: 'user_password' })).toMatchObject({ status: 400 });
});

test('a mapper’s method becomes the rows that it reads, and is refused with our names if there are none', async () => {
  const form = { menuId: await menuId(), scopeName: '范围', resourceCode: 'post_scope', scopeType: 3, scopeField: '*', scopeColumn: 'create_dept' };
  const submit = (scopeClass: string) => server.post(`${scopes}/submit`, { ...form, scopeClass }, { headers });
  for (const [sent, kept] of [
    ['org.springblade.modules.system.mapper.PostMapper.selectPostPage', 'post'],
    ['org.springblade.modules.system.administration.mapper.UserMapper.selectUserPage', 'user_account'],
    ['com.example.mapper.DictBizMapper', 'dict_biz'],
  ] as const) {
    expect(await submit(sent)).toMatchObject({ code: 200, data: { scopeClass: kept } });
  }
  const refused = await submit('com.example.mapper.RocketMapper.launch');
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.msg).toMatch(/^没有与 com\.example\.mapper\.RocketMapper\.launch 对应的数据，请填写本系统的数据名称，例如 \w+/);
  expect((await submit('../etc/passwd.x')).status).toBe(400);
});

test('users who see a part of the rows cannot grant a role that sees more', async () => {
  const granter = await person(110, [{ scopeType: 3 }]);
  await server.sql(
    `insert into role_menu (tenant_id, role_id, menu_id) select '000000', ${granter.roleId}, id from menu where code in ('role', 'role_add', 'role_grant')`,
  );
  const { data: role } = await server.post('/api/oms-system/role/submit', { roleName: '下属', roleAlias: 'user', sort: 1 }, { headers });
  const again = await server.signIn(`person${count}`);
  expect((await server.post('/api/oms-system/role/setrolemenus', { roleId: role.id, menuIds: [await menuId()] }, { headers: again })).code).toBe(200);
  const { data } = await server.get('/api/blade-system/menu/role-tree-keys', { headers, query: { roleIds: `${role.id}` } });
  expect(data.dataScope).toHaveLength(1);
  const [wide] = await server.sql(`select id::text as id from data_scope where scope_type = 1 and is_deleted = 0 limit 1`);
  expect((await server.post('/api/blade-system/role/grant', { roleIds: [role.id], dataScopeIds: [wide?.id] }, { headers: again })).status).toBe(403);
});

test('a hidden name is in no tree picker and in no sheet', async () => {
  const { roleId, userId } = await server.createUser({ account: 'nameless', codes: ['dept', 'user', 'user_export', 'dict', 'dict_biz'] });
  await server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, 100)`);
  const scope = async (menu: string, scopeClass: string, scopeField: string) => {
    const form = { menuId: await menuId(menu), scopeName: menu, scopeClass, resourceCode: `${menu}_few`, scopeType: 1, scopeField };
    const reply = await server.post(`${scopes}/submit`, form, { headers });
    expect(reply).toMatchObject({ code: 200 });
    return reply.data.id;
  };
  const { data: biz } = await server.post('/api/blade-system/dict-biz/submit', { code: 'few', dictValue: '少数', sort: 1, isSealed: 0 }, { headers });
  expect(biz).toMatchObject({ code: 'few' });
  const dataScopeIds = [
    await scope('dept', 'dept', 'sort'),
    await scope('user', 'user_account', 'account,realName'),
    await scope('dict', 'dict', 'code'),
    await scope('dict_biz', 'dict_biz', 'code'),
  ];
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], dataScopeIds }, { headers });
  const own = await server.signIn('nameless');
  const departments = ['things-system/dept/tree', 'blade-system/dept/lazy-tree', 'blade-system/dept/list', 'blade-system/dept/select'];
  const dictionaries = ['dict/tree', 'dict/parent-tree', 'dict-biz/tree', 'dict-biz/parent-tree'].map((call) => `blade-system/${call}`);
  for (const call of [...departments, ...dictionaries]) {
    const { code, data } = await server.get(`/api/${call}`, { headers: own });
    expect(code).toBe(200);
    expect(data.length).toBeGreaterThan(0);
    for (const name of ['总部', '性别', '少数']) expect(JSON.stringify(data)).not.toContain(name);
  }
  const sheet = await server.get('/api/blade-system/user/export-user', { headers: own });
  const [titles] = await sheetOf(sheet.body.bytes);
  expect(titles).toEqual(['账户', '姓名']);
});
