import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { statedForm } from '../contract/samples.ts';
import { clientHeaders, openTestServer, password, type Reply, type TestServer } from '../support/test-server.ts';

/** Replays the calls that the product's specification lists, as a client written from the specification alone would send them. */
const system = '/api/blade-system';
const things = '/api/things-system';
const resource = '/api/blade-resource';
const develop = '/api/blade-develop';
const base = '/api/oms-system/base';
const miniapp = '/api/oms-system/miniapp';
const users = '/api/oms-system/user';
const depart = '/api/things-resource/depart';
const task = '/api/things-task/task';

type Input = Record<string, unknown>;

let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const read = (path: string, query: Record<string, string> = {}): Promise<Reply> => server.get(path, { headers, query });
const write = (path: string, body: Input | Input[] = {}): Promise<Reply> => server.post(path, body, { headers });

/** Returns the data of a reply that must be a success. */
const data = async (reply: Promise<Reply>) => {
  const { code, msg, data: content } = await reply;
  expect({ code, msg }).toEqual({ code: 200, msg });
  return content;
};

/** Requests the first page as the console does: `current`, `size` and filters. */
async function page(path: string, filters: Record<string, string> = {}) {
  const content = await data(read(path, { current: '1', size: '10', ...filters }));
  expect({ path, total: content?.total, isPage: Array.isArray(content?.records) }).toMatchObject({ total: expect.any(Number), isPage: true });
  expect(content.records.length).toBeLessThanOrEqual(10);
  return content as { records: Record<string, unknown>[]; total: number };
}

/** Adds a row, finds it in the list and by id, changes it and removes it by `ids`. */
async function goesThrough(path: string, form: Input, change: Input, list = `${path}/list`) {
  const added = await write(`${path}/submit`, form);
  expect({ path, ...added }).toMatchObject({ code: 200, msg: '新增成功' });
  const { id } = added.data;
  expect(id).toEqual(expect.stringMatching(/^\d+$/));
  await data(read(list, { current: '1', size: '10' }));
  expect(await data(read(`${path}/detail`, { id }))).toMatchObject({ id });
  expect({ path, ...(await write(`${path}/submit`, { ...form, ...change, id })) }).toMatchObject({ code: 200, msg: '更新成功' });
  expect(await data(read(`${path}/detail`, { id }))).toMatchObject(change);
  expect({ path, ...(await write(`${path}/remove`, { ids: id })) }).toMatchObject({ code: 200, msg: '删除成功' });
  expect(await read(`${path}/detail`, { id })).toMatchObject({ code: 404 });
}

const menuIdOf = async (code: string) => (await server.sql(`select id::text as id from menu where code = '${code}'`))[0]?.id as string;

describe('generic lists', () => {
  test('packages, messages, stores, parameters, notices and posts are listed, shown, submitted and removed', async () => {
    await goesThrough(`${system}/tenant-package`, { packageName: '样例套餐', menuId: await menuIdOf('user') }, { packageName: '另一个套餐' });
    await goesThrough(`${resource}/sms`, statedForm('sms.sms'), { signName: '另一个' });
    await goesThrough(`${resource}/oss`, statedForm('storage.oss'), { remark: '另一个' });
    await goesThrough(`${system}/param`, { paramName: '样例参数', paramKey: 'sample.key', paramValue: '1', remark: '' }, { paramValue: '2' });
    await goesThrough(
      '/api/blade-desk/notice',
      { title: '样例公告', category: 1, releaseTime: '2026-11-24 08:00:00', content: '<p>内容</p>' },
      { title: '另一条公告' },
    );
    await goesThrough(`${system}/post`, { category: 1, postCode: 'sample', postName: '样例岗位', sort: 1 }, { postName: '另一个岗位' });
    for (const path of [`${system}/tenant-package`, `${resource}/sms`, `${resource}/oss`, `${system}/param`, '/api/blade-desk/notice', `${system}/post`])
      await page(`${path}/list`);
    expect(await data(read(`${system}/post/select`, { tenantId: '000000' }))).toEqual(expect.any(Array));
  });

  test('dictionaries have parents, children by parentId and a tree by code', async () => {
    for (const path of [`${system}/dict`, `${system}/dict-biz`]) {
      await goesThrough(path, { code: 'sample', dictValue: '样例', sort: 1, isSealed: 0, remark: '' }, { dictValue: '另一个' }, `${path}/parent-list`);
      const parent = (await data(write(`${path}/submit`, { code: 'colour', dictValue: '颜色', sort: 1, isSealed: 0 }))).id;
      const child = await data(write(`${path}/submit`, { parentId: parent, code: 'colour', dictKey: '1', dictValue: '红', sort: 1, isSealed: 0 }));
      const { records } = await page(`${path}/parent-list`, { code: 'colour' });
      expect(records).toMatchObject([{ id: parent, code: 'colour' }]);
      expect((await page(`${path}/child-list`, { parentId: parent })).records).toMatchObject([{ id: child.id, dictKey: '1' }]);
      expect(await data(read(`${path}/tree`, { code: 'DICT' }))).toEqual(expect.any(Array));
      await data(read(`${path}/list`));
    }
    expect(await data(read(`${system}/dict-biz/dictionary`, { code: 'colour' }))).toMatchObject([{ dictKey: '1', dictValue: '红' }]);
  });

  test('scopes, clients and data sources are listed, shown, submitted and removed', async () => {
    const menuId = await menuIdOf('role');
    await goesThrough(`${system}/data-scope`, { ...statedForm('access.dataScope'), menuId }, { scopeName: '另一个' });
    await goesThrough(`${system}/api-scope`, { ...statedForm('access.apiScope'), menuId }, { scopeName: '另一个' });
    await goesThrough(`${system}/client`, statedForm('settings.client'), { accessTokenValidity: 600 });
    await goesThrough(`${develop}/datasource`, statedForm('codegen.datasource'), { name: '另一个' });
    for (const path of [`${system}/data-scope`, `${system}/api-scope`, `${system}/client`, `${develop}/datasource`]) await page(`${path}/list`);
  });

  test('the three logs are listed and shown', async () => {
    for (const kind of ['usual', 'api', 'error']) {
      const { records } = await page(`/api/blade-log/${kind}/list`);
      const [first] = records;
      if (first) expect(await data(read(`/api/blade-log/${kind}/detail`, { id: String(first.id) }))).toMatchObject({ id: first.id });
    }
    const { records } = await page('/api/blade-log/api/list');
    expect(records.length).toBe(10);
  });

  test('a channel of messages and a store are enabled by id, and a message is refused where its channel cannot be reached, never lost in silence', async () => {
    const sms = (await data(write(`${resource}/sms/submit`, { ...statedForm('sms.sms'), smsCode: 'to-enable' }))).id;
    expect(await write(`${resource}/sms/enable`, { id: sms })).toMatchObject({ code: 200 });
    expect(await data(read(`${resource}/sms/detail`, { id: sms }))).toMatchObject({ status: 2 });
    const oss = (await data(write(`${resource}/oss/submit`, { ...statedForm('storage.oss'), ossCode: 'to-enable' }))).id;
    expect(await write(`${resource}/oss/enable`, { id: oss })).toMatchObject({ code: 200 });
    expect(await data(read(`${resource}/oss/detail`, { id: oss }))).toMatchObject({ status: 2 });
    const sent = await write(`${resource}/sms/endpoint/send-message`, { code: 'to-enable', phones: '13800000000', params: '{"code":"1234"}' });
    expect(sent.msg).not.toBe('');
    expect(sent.code).not.toBe(404);
  });
});

describe('administration', () => {
  test('top menus are listed, shown, submitted, granted menus and removed', async () => {
    await goesThrough(`${system}/topmenu`, { name: '样例', code: 'sample', sort: 1 }, { name: '另一个' });
    await page(`${system}/topmenu/list`);
    const id = (await data(write(`${system}/topmenu/submit`, { name: '顶部', code: 'top', sort: 1 }))).id;
    const menuId = await menuIdOf('user');
    expect(await write(`${system}/topmenu/grant`, { topMenuIds: [id], menuIds: [menuId] })).toMatchObject({ code: 200 });
    expect(await data(read(`${system}/menu/grant-top-tree`))).toMatchObject({ menu: expect.any(Array) });
    expect((await data(read(`${system}/menu/top-tree-keys`, { topMenuIds: id }))).menu).toContain(menuId);
    expect(await data(read(`${system}/menu/top-menu`))).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
    await data(read(`${things}/menu/routes`, { topMenuId: id }));
  });

  test('regions are listed by page, shown by code, offered lazily by parentCode and removed by id', async () => {
    expect(await write(`${system}/region/submit`, { parentCode: '00', code: '98', name: '样例省', sort: 98 })).toMatchObject({ code: 200 });
    expect(await data(read(`${system}/region/detail`, { code: '98' }))).toMatchObject({ code: '98', name: '样例省' });
    expect(await data(read(`${system}/region/lazy-tree`, { parentCode: '00' }))).toEqual(
      expect.arrayContaining([expect.objectContaining({ value: '98', title: '样例省' })]),
    );
    const { records, total } = await page(`${system}/region/list`);
    expect(records.length).toBe(10);
    expect(total).toBeGreaterThan(10);
    expect(await write(`${system}/region/remove`, { id: '98' })).toMatchObject({ code: 200 });
  });

  test('roles are listed, submitted, given menus, shown as trees and removed', async () => {
    const { id } = await data(write('/api/oms-system/role/submit', { roleName: '样例角色', roleAlias: 'sample', parentId: '0', sort: 1 }));
    await data(read('/api/oms-system/role/list', { current: '1', size: '10' }));
    const menuId = await menuIdOf('notice');
    expect(await write('/api/oms-system/role/setrolemenus', { roleId: id, menuIds: [menuId] })).toMatchObject({ code: 200 });
    expect(await data(read('/api/oms-system/role/rolemenus', { roleId: id }))).toContain(menuId);
    for (const [path, query] of [
      [`${things}/menu/tree`, {}],
      [`${system}/role/tree`, { tenantId: '000000' }],
      [`${system}/role/tree-by-id`, { roleId: id }],
    ] as const)
      expect(await data(read(path, query))).toEqual(expect.any(Array));
    expect(await write(`${system}/role/remove`, { ids: id })).toMatchObject({ code: 200 });
  });

  test('menus are listed whole, level by level and as trees, shown, submitted and removed', async () => {
    for (const path of [
      `${system}/menu/list`,
      `${system}/menu/lazy-menu-list`,
      `${system}/menu/menu-list`,
      `${system}/menu/top-menu`,
      `${system}/menu/buttons`,
    ])
      expect(await data(read(path, path.includes('lazy') ? { parentId: '0' } : {}))).toEqual(expect.any(Array));
    expect(await data(read(`${things}/menu/lazy-list`, { parentId: '0' }))).toEqual(expect.any(Array));
    expect(await data(read(`${things}/menu/tree`, { tenantId: '000000' }))).toEqual(expect.any(Array));
    expect(await data(read(`${things}/menu/routes`))).toEqual(expect.any(Array));
    const { id } = await data(write(`${things}/menu/submit`, { ...statedForm('access.menus'), parentId: '0' }));
    expect(await data(read(`${things}/menu/detail`, { id }))).toMatchObject({ id, name: '样例' });
    expect(await write(`${things}/menu/remove`, { ids: id })).toMatchObject({ code: 200 });
  });

  test('departments are listed whole and level by level, shown, submitted and removed', async () => {
    const { id } = await data(write(`${things}/dept/submit`, { parentId: '0', deptName: '样例部门', fullName: '样例部门', deptCategory: 1, sort: 1 }));
    expect(await data(read(`${system}/dept/list`))).toEqual(expect.any(Array));
    for (const path of [`${system}/dept/lazy-tree`, `${things}/dept/lazy-list`]) expect(await data(read(path, { parentId: '0' }))).toEqual(expect.any(Array));
    expect(await data(read(`${things}/dept/detail`, { id }))).toMatchObject({ id, deptName: '样例部门' });
    expect(await data(read(`${things}/dept/tree`, { tenantId: '000000' }))).toEqual(expect.any(Array));
    for (const path of [`${system}/dept/select`, `${system}/role/select`]) expect(await data(read(path))).toEqual(expect.any(Array));
    expect(await write(`${things}/dept/remove`, { ids: id })).toMatchObject({ code: 200 });
  });

  test('tenants are listed, shown, submitted, limited, given a data source and a package, and removed', async () => {
    const created = await data(write(`${system}/tenant/submit`, { tenantName: '样例租户', linkman: '样例' }));
    const { id, tenantId } = await data(read(`${system}/tenant/detail`, { id: created.id }));
    await page(`${system}/tenant/list`);
    expect(await write(`${system}/tenant/setting`, { ids: id, accountNumber: 20, expireTime: '2999-01-01 00:00:00' })).toMatchObject({ code: 200 });
    const packageId = (await data(write(`${system}/tenant-package/submit`, { packageName: '套餐', menuId: await menuIdOf('user') }))).id;
    expect(await write(`${system}/tenant/package-setting`, { tenantId, packageId })).toMatchObject({ code: 200 });
    expect(await data(read(`${system}/tenant/package-detail`, { tenantId: id }))).toMatchObject({ id: packageId });
    const source = (await data(write(`${develop}/datasource/submit`, statedForm('codegen.datasource')))).id;
    expect(await write(`${system}/tenant/datasource`, { tenantId, datasourceId: source })).toMatchObject({ code: 200 });
  });

  test('job servers are offered by application name', async () => {
    await data(write('/api/blade-job/job-server/submit', { jobServerName: '样例', jobAppName: 'sample' }));
    expect((await data(read('/api/blade-job/job-server/select')))[0]).toMatchObject({ id: expect.any(String), jobAppName: expect.any(String) });
  });
});

test('the code generator reads tables, keeps models with their columns and copies and generates code', async () => {
  const [source] = (await page(`${develop}/datasource/list`)).records;
  const datasourceId = String(source?.id);
  const tables = await data(read(`${develop}/model/table-list`, { datasourceId }));
  expect(tables).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'dict' })]));
  const { id } = await data(write(`${develop}/model/submit`, { ...statedForm('codegen.model'), datasourceId }));
  await page(`${develop}/model/list`);
  expect(await data(read(`${develop}/model/table-info`, { modelId: id, datasourceId }))).toMatchObject({ name: 'dict' });
  expect(await data(read(`${develop}/model/table-info`, { tableName: 'dict', datasourceId }))).toMatchObject({ name: 'dict' });
  const columns = await data(read(`${develop}/model/model-prototype`, { modelId: id, datasourceId }));
  expect(columns.length).toBeGreaterThan(3);
  await data(
    write(
      `${develop}/model-prototype/submit-list`,
      columns.map((column: Input) => ({ ...column, modelId: id })),
    ),
  );
  expect(await data(read(`${develop}/model-prototype/select`, { modelId: id }))).toHaveLength(columns.length);
  const code = await data(write(`${develop}/code/submit`, { ...statedForm('codegen.code'), modelId: id }));
  expect(await write(`${develop}/code/copy`, { id: code.id })).toMatchObject({ code: 200 });
  expect((await page(`${develop}/code/list`)).total).toBe(2);
});

describe('business', () => {
  test('advertisers, platforms, categories, grades and cities are added and changed by one call, and listed', async () => {
    const things = [
      ['advertiserlist', 'addadvertiser', { name: '面包店', contact_name: '王小麦', contact_phone: '13800000001', departid: '1', companyid: '1' }],
      ['platformlist', 'addplatform', { name: '抖音', code: 'douyin' }],
      ['categorylist', 'addcategory', { name: '短视频', parentId: '0' }],
      ['taskgradelist', 'addtaskgrade', { name: '普通', level: 1, min_price: 100, max_price: 5000 }],
      ['citylist', 'addcity', { name: '北京', code: '1101' }],
    ] as const;
    for (const [list, add, form] of things) {
      const { id } = await data(write(`${base}/${add}`, form));
      expect({ add, ...(await write(`${base}/${add}`, { ...form, id, name: `${form.name}二` })) }).toMatchObject({ code: 200, msg: '更新成功' });
      const { records } = await page(`${base}/${list}`, list === 'advertiserlist' ? { isadmin: '0', companyid: '' } : {});
      expect(records).toEqual(expect.arrayContaining([expect.objectContaining({ id, name: `${form.name}二`, created_at: expect.any(String) })]));
    }
  });

  test('banners are listed and added, and the settings of the mini-app are read and updated', async () => {
    const { id } = await data(write(`${miniapp}/addbanner`, { title: '样例', image: '/api/file/x.png', link_type: 0, sort: 1 }));
    expect((await page(`${miniapp}/bannerlist`)).records).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
    const setting = await data(read(`${miniapp}/getsetting`));
    expect(await write(`${miniapp}/updatesetting`, { ...setting, app_name: '样例小程序' })).toMatchObject({ code: 200 });
    expect(await data(read(`${miniapp}/getsetting`))).toMatchObject({ app_name: '样例小程序' });
  });

  test('resources of a department are filed in categories, renamed, counted, audited and removed', async () => {
    const folder = await data(write(`${depart}/submitCatiry`, { pid: '0', name: '样例目录' }));
    for (const list of ['getList', 'getMyList', 'getAduitList']) await page(`${depart}/${list}`);
    expect(await data(read(`${depart}/getResourceNumber`, { pid: '0' }))).toMatchObject({ total: expect.any(Number) });
    expect(await write(`${depart}/updateName`, { id: folder.id, name: '另一个目录' })).toMatchObject({ code: 200 });
    expect(await write(`${depart}/remove`, { id: folder.id })).toMatchObject({ code: 200 });
  });

  test('tasks are submitted, published, taken down and removed, and submissions are listed for audit and as records', async () => {
    const ids = {
      advertiserId: (await data(write(`${base}/addadvertiser`, { name: '水果店', contact_name: '李苹果', contact_phone: '13800000002' }))).id,
      platformId: (await data(write(`${base}/addplatform`, { name: '快手', code: 'kuaishou' }))).id,
      categoryId: (await data(write(`${base}/addcategory`, { name: '图文', parentId: '0' }))).id,
      gradeId: (await data(write(`${base}/addtaskgrade`, { name: '高级', level: 2, min_price: 100, max_price: 5000 }))).id,
    };
    const { id } = await data(write(`${task}/submit`, { title: '样例任务', requirement: '出现招牌', unitPrice: 500, quantity: 3, ...ids }));
    await write('/api/things-task/ledger/submit', { advertiserId: ids.advertiserId, amount: 1500 });
    expect(await write(`${task}/publish`, { id })).toMatchObject({ code: 200 });
    expect(await write(`${task}/xiajia`, { id })).toMatchObject({ code: 200 });
    for (const list of ['getAuditList', 'getRecordList', 'getList']) await page(`${task}/${list}`);
    expect(await write(`${task}/remove`, { id })).toMatchObject({ code: 200 });
    expect(await data(read('/api/things-resource/findResourceByIds', { ids: '1,2' }))).toEqual([]);
    for (const [path, body] of [
      [`${task}/doAudit`, { id: '1', status: 1 }],
      ['/api/things-task/weixinpay', { id: '1' }],
    ] as const)
      expect(await write(path, body)).toMatchObject({ code: 404 });
  });

  test('a file is uploaded, signed for, downloaded and deleted', async () => {
    const uploaded = await server.upload('/api/file/uploadFile', { name: 'sample.txt', content: '样例' }, { headers });
    expect(uploaded).toMatchObject({ code: 200, data: { link: expect.any(String), originalName: 'sample.txt' } });
    expect(await data(read('/api/file/fileSignature', { fileName: 'sample.png', size: '10' }))).toMatchObject({ uploadUrl: expect.any(String) });
    expect((await server.get(uploaded.data.link, { headers })).status).toBe(200);
    expect(await write('/api/file/deleteFile', { url: uploaded.data.link })).toMatchObject({ code: 200 });
  });
});

describe('users and signing in', () => {
  test('users are listed by department, shown, submitted, granted, unlocked, reset and removed', async () => {
    const { id } = await data(write(`${users}/submit`, { account: 'sample', name: '样例', realName: '样例', sex: 1 }));
    for (const list of ['userlist', 'alluserlist']) expect((await page(`${users}/${list}`, { deptId: '' })).total).toBeGreaterThanOrEqual(2);
    expect(await data(read(`${users}/detail`, { id }))).toMatchObject({ id, account: 'sample' });
    const role = await data(write('/api/oms-system/role/submit', { roleName: '样例', roleAlias: 'granted', parentId: '0', sort: 1 }));
    await data(write(`${system}/user/grant`, { userIds: id, roleIds: role.id }));
    expect(await write(`${system}/user/unlock`, { userIds: id })).toMatchObject({ code: 200 });
    expect(await write(`${system}/user/update-platform`, { userId: id, userType: 1, userExt: '{}' })).toMatchObject({ code: 200 });
    expect(await data(read(`${system}/user/platform-detail`, { id }))).toMatchObject({ userExt: '{}' });
    expect(await write(`${users}/reset-password`, { id })).toMatchObject({ code: 200 });
    expect(await write(`${users}/remove`, { ids: id })).toMatchObject({ code: 200 });
    expect(await data(read(`${system}/user/info`))).toMatchObject({ account: 'admin' });
  });

  test('a password is changed by the three fields, and refused where the two new ones differ', async () => {
    await server.createUser({ account: 'changes' });
    const own = await server.signIn('changes');
    const { data: info } = await server.get(`${system}/user/info`, { headers: own });
    const change = (newPassword1: string) =>
      server.post(`${users}/update-password`, { id: info.id, oldPassword: password, newPassword: 'Quiet-Harbour-2027', newPassword1 }, { headers: own });
    expect(await change('Another-Harbour-2027')).toMatchObject({ code: 400 });
    expect(await change('Quiet-Harbour-2027')).toMatchObject({ code: 200 });
  });

  test('a session starts with name and password, is refreshed, returns its roles and ends', async () => {
    const client = { ...clientHeaders, 'tenant-id': '000000' };
    const token = async (query: Record<string, string>) =>
      (await server.app.inject({ method: 'POST', url: '/api/things-auth/oauth/token', headers: client, query })).json();
    const begun = await token({ grant_type: 'password', username: 'admin', password });
    expect(begun).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String), tenant_id: '000000', user_name: 'admin', is_admin: 0 });
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: begun.refresh_token, tenantId: '000000' });
    expect(refreshed).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    const own = { ...client, 'things-auth': `bearer ${refreshed.access_token}` };
    expect(await server.get('/api/blade-auth/oauth/user-info', { headers: own })).toMatchObject({ code: 200, data: { roles: expect.any(Array) } });
    expect(await token({ grant_type: 'password', username: 'admin', password: 'wrong' })).toMatchObject({ error_description: '用户名或密码错误' });
    expect((await server.get('/api/things-auth/oauth/captcha')).body).toMatchObject({ key: expect.any(String), image: expect.any(String) });
    expect(await server.get('/api/things-auth/oauth/clear-cache', { headers: own })).toMatchObject({ status: 200 });
    const entry = { url: '/wel/index', time: '2026-11-24 08:00:00', type: 'error', message: '样例', stack: '', info: '' };
    expect(await server.post('/api/blade-auth/oauth/logout', [entry], { headers: own })).toMatchObject({ status: 200 });
    expect(await server.get('/api/things-auth/oauth/logout', { headers: own })).toMatchObject({ status: 200 });
    expect(await server.get(`${system}/user/info`, { headers: own })).toMatchObject({ code: 401 });
  });
});
