import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { sheetOf } from '../../../support/workbook.ts';

const path = '/api/blade-system/user';
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'access', 'dictionary', 'transfers'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

const headings = ['租户编号', '账户', '昵称', '姓名', '邮箱', '手机', '角色名称', '部门名称', '岗位名称', '生日'];
const sheet = (...rows: string[][]) => [headings, ...rows].map((row) => row.join(',')).join('\n');
const bring = (content: string, { headers = admin, query = {} }: { headers?: Record<string, string>; query?: Record<string, string> } = {}) =>
  server.upload(`${path}/import-user`, { name: 'users.csv', content }, { headers, query });
const found = async (account: string) => (await server.get(`${path}/page`, { headers: admin, query: { account_equal: account } })).data.records;

test('a sheet of users is imported in one request, its departments and roles by name or by id', async () => {
  const { data: dept } = await server.post(
    '/api/things-system/dept/submit',
    { parentId: '0', deptName: '导入部', fullName: '导入部', sort: 1 },
    { headers: admin },
  );
  const reply = await bring(
    sheet(
      ['000000', 'sheet1', '', '张三丰', 'z@example.com', '13800138000', '', '导入部', '', '1990-01-31'],
      ['', 'sheet2', '小李', '李四光', '', '', '', '', '', ''],
    ),
  );
  expect(reply).toMatchObject({ code: 200, data: { state: 'done', good: 2, bad: 0 } });
  const [first] = await found('sheet1');
  expect(first).toMatchObject({ realName: '张三丰', name: '张三丰', phone: '138****8000', deptId: dept.id, birthday: '1990-01-31', passwordExpired: true });
  expect((await found('sheet2'))[0]).toMatchObject({ name: '小李', deptId: null });
  const byId = await bring(`账户,姓名,部门ID\nsheet3,王小五,${dept.id}`);
  expect(byId.code).toBe(200);
  expect((await found('sheet3'))[0].deptId).toBe(dept.id);
});

test('a sheet with invalid rows adds none, and each is reported with its line, its field and its reason', async () => {
  const reply = await bring(
    sheet(
      ['', 'right', '', '好人一', '', '', '', '', '', ''],
      ['', 'sheet1', '', '重名了', '', '', '', '', '', ''],
      ['', 'wrong', '', '坏人一', 'no-mail', '', '', '无此部门', '', ''],
      ['rivals', 'foreign', '', '外人一', '', '', '', '', '', ''],
    ),
  );
  expect(reply).toMatchObject({ status: 400, code: 400, success: false });
  expect(reply.msg).toContain('3 行数据有误，未导入任何数据：第 3 行：');
  expect(reply.data.rows.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
    [3, 'account'],
    [4, 'deptId'],
    [4, 'email'],
    [5, 'tenantId'],
  ]);
  expect(reply.data.rows[0].message).toBe('当前账号已被使用!');
  expect(await found('right')).toEqual([]);
  const english = await bring(sheet(['', 'sheet1', '', '重名了', '', '', '', '', '', '']), { headers: { ...admin, 'accept-language': 'en' } });
  expect(english.msg).toMatch(/^Nothing was imported\. Rows with errors: 1\. Row 2: /);
});

test('a covering sheet edits existing accounts, with permission to edit', async () => {
  const rows = sheet(['', 'sheet2', '', '李四光', '', '13900139000', '', '', '', ''], ['', 'sheet4', '', '新来的', '', '', '', '', '', '']);
  await server.createUser({ account: 'adder', codes: ['user', 'user_add', 'user_import'] });
  const adder = await server.signIn('adder');
  expect((await bring(rows, { headers: adder, query: { isCovered: '1' } })).status).toBe(403);
  expect((await bring(rows, { query: { isCovered: '1' } })).data).toMatchObject({ state: 'done', good: 2 });
  // Empty cells of the sheet leave the stored values unchanged.
  expect((await found('sheet2'))[0]).toMatchObject({ phone: '139****9000', name: '小李' });
  expect(await server.sql(`select phone from user_account where account = 'sheet2'`)).toEqual([{ phone: '13900139000' }]);
  expect(await found('sheet4')).toHaveLength(1);
  expect((await bring(rows, { query: { isCovered: '2' } })).status).toBe(400);
});

test('an export has the headings of an import and can be imported unchanged; the template has all headings', async () => {
  const file = await server.get(`${path}/export-user`, { headers: admin, query: { account_likeright: 'sheet' } });
  expect(file.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  const [head, ...rows] = await sheetOf(file.body.bytes);
  expect(head).toEqual(headings);
  expect(rows).toHaveLength(4);
  expect(rows.find((row) => row[1] === 'sheet1')).toMatchObject({ 0: '000000', 3: '张三丰', 7: '导入部' });
  const again = await server.upload(`${path}/import-user`, { name: 'users.xlsx', content: file.body.bytes }, { headers: admin, query: { isCovered: '1' } });
  expect(again.data).toMatchObject({ state: 'done', good: 4 });
  expect(await sheetOf((await server.get(`${path}/export-user`, { headers: admin, query: { account_likeright: 'sheet' } })).body.bytes)).toEqual([
    head,
    ...rows,
  ]);
  const [template] = await sheetOf((await server.get(`${path}/export-template`, { headers: admin })).body.bytes);
  expect(template).toEqual(['租户编号', '账户*', '昵称', '姓名*', ...headings.slice(4), '角色ID', '部门ID', '岗位ID']);
});

test('another tenant imports and exports its own users only', async () => {
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['user', 'user_add', 'user_edit', 'user_import', 'user_export'], roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  const head = { headers: rival, query: { isCovered: '1' } };
  expect((await bring(sheet(['', 'sheet1', '', '同名人', '', '', '', '', '', '']), head)).code).toBe(200);
  expect((await bring(sheet(['', 'x', '', '同名人', '', '', '', '导入部', '', '']), head)).data.rows).toMatchObject([{ row: 2, field: 'deptId' }]);
  const [, ...rows] = await sheetOf((await server.get(`${path}/export-user`, { headers: rival })).body.bytes);
  expect(rows.map((row) => [row[0], row[1]]).sort()).toEqual([
    ['rivals', 'rival'],
    ['rivals', 'sheet1'],
  ]);
  expect((await found('sheet1'))[0].realName).toBe('张三丰');
});
