import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { problems } from '#shared/errors';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins });
  headers = await server.signIn();
  await server.sql(`insert into dept (id, tenant_id, dept_name, full_name) values (100, '000000', '总部', '总部'), (120, '000000', '二部', '二部')`);
});
afterAll(() => server.stop());

type Headers = Record<string, string>;
const begin = (roleIds: readonly string[], as: Headers) => server.post('/api/blade-system/role/preview', { roleIds }, { headers: as });
const end = (as: Headers) => server.post('/api/blade-system/role/preview-end', {}, { headers: as });
const buttons = async (as: Headers): Promise<string[]> => codesIn((await server.get('/api/blade-system/menu/buttons', { headers: as })).data);
const codesIn = (items: readonly { code: string; children?: [] }[]): string[] => items.flatMap(({ code, children }) => (children ? codesIn(children) : [code]));
const status = async (path: string, as: Headers) => (await server.get(path, { headers: as })).status;
const menuId = async (code: string) => String((await server.sql(`select id::text as id from menu where code = '${code}'`))[0]?.id);
const previewing = '正在预览其他角色，不能更改任何内容，请先结束预览';

test('menu, codes and calls are those of the previewed roles until the preview ends', async () => {
  const clerk = await server.createUser({ account: 'clerk', codes: ['post', 'post_add', 'post_view'] });
  const reader = await server.createUser({ account: 'reader', codes: ['param'] });
  const own = await server.signIn();
  const before = await buttons(own);
  expect(await begin([clerk.roleId], own)).toMatchObject({ code: 200, data: { is_preview: true, roleName: 'clerk', role_name: 'user', is_admin: 1 } });
  expect((await buttons(own)).sort()).toEqual(['post_add', 'post_view']);
  expect(JSON.stringify((await server.get('/api/blade-system/menu/routes', { headers: own })).data)).not.toContain('/system/user');
  expect(await status('/api/blade-system/post/list', own)).toBe(200);
  expect(await status('/api/blade-system/param/list', own)).toBe(403);
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers: own })).data).toMatchObject({ is_preview: true, account: 'admin' });
  expect((await end(own)).data.is_preview).toBeUndefined();
  expect(await buttons(own)).toEqual(before);
  await begin([clerk.roleId, reader.roleId], own);
  expect(await status('/api/blade-system/param/list', own)).toBe(200);
  expect(await status('/api/oms-system/user/userlist', own)).toBe(403);
  expect(await end(own)).toMatchObject({ code: 200 });
});

test('during a preview the server refuses every write and every upload address, with the reason', async () => {
  const all = await server.createUser({ account: 'all' });
  await server.sql(
    `insert into role_menu (tenant_id, role_id, menu_id) select '000000', ${all.roleId}, id from menu where is_deleted = 0 on conflict do nothing`,
  );
  const own = await server.signIn();
  const paths = Object.entries((await server.get('/api/openapi.json', { headers: own })).body.paths as Record<string, object>).filter(
    ([, methods]) => 'post' in methods,
  );
  const guarded: string[] = [];
  // Notice addresses of a provider answer with an error of their own.
  for (const [path] of paths) if ((await server.post(path, {}, { headers: clientHeaders })).msg === problems.missingToken.message[0]) guarded.push(path);
  expect(guarded.length).toBeGreaterThan(150);
  await begin([all.roleId], own);
  const sessionOnly = ['/lock', '/unlock', '/preview-end'];
  for (const path of guarded.filter((each) => !sessionOnly.some((tail) => each.endsWith(tail))))
    expect({ path, ...(await server.post(path, {}, { headers: own })) }).toMatchObject({ path, status: 403, msg: previewing });
  expect(await server.get('/api/file/fileSignature', { headers: own, query: { fileName: 'a.png' } })).toMatchObject({ status: 403, msg: previewing });
  await end(own);
  expect((await server.post('/api/blade-system/post/submit', { category: 1, postCode: 'a', postName: '岗', sort: 1 }, { headers: own })).code).toBe(200);
});

test('rows and fields are those of the roles, limited to those the previewer can see', async () => {
  const scope = async (roleId: string, part: object) => {
    const form = { menuId: await menuId('post'), scopeName: '范围', resourceCode: 'post_scope', scopeType: 1, scopeField: '*', ...part };
    const { data } = await server.post('/api/blade-system/data-scope/submit', form, { headers });
    await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('000000', ${roleId}, 1, ${data.id})`);
  };
  const lead = await server.createUser({ account: 'lead', codes: ['role', 'role_preview', 'post', 'post_view'] });
  const seller = await server.createUser({ account: 'seller', codes: ['post', 'post_view'] });
  await scope(lead.roleId, { scopeType: 5, scopeValue: '{"field":"category","is":[1,2]}' });
  await scope(seller.roleId, { scopeType: 5, scopeValue: '{"field":"category","is":[2,3]}', scopeField: 'postName' });
  for (const category of [1, 2, 3])
    await server.post('/api/blade-system/post/submit', { category, postCode: `s${category}`, postName: `岗${category}`, sort: 1 }, { headers });
  const names = async (as: Headers): Promise<string[]> =>
    (await server.get('/api/blade-system/post/list', { headers: as, query: { postName: '岗' } })).data.records.map(
      ({ postName }: { postName: string }) => postName,
    );
  const own = await server.signIn('lead');
  expect((await names(own)).filter((name) => name === '岗3')).toEqual([]);
  await begin([seller.roleId], own);
  expect(await names(own)).toEqual(['岗2']);
  const [row] = (await server.get('/api/blade-system/post/list', { headers: own })).data.records;
  expect(row.postCode ?? '').toBe('');
  const admin = await server.signIn();
  await begin([seller.roleId], admin);
  expect((await names(admin)).sort()).toEqual(['岗2', '岗3']);
  await end(admin);
});

test('previewing roles that the user could not grant, of another tenant, or without the permission is refused, and permissions lost meanwhile are gone', async () => {
  const lead = await server.createUser({ account: 'warden', codes: ['role', 'role_preview', 'post', 'post_add'] });
  const more = await server.createUser({ account: 'more', codes: ['post', 'param'] });
  const less = await server.createUser({ account: 'less', codes: ['post', 'post_add'] });
  await server.createTenant('900001');
  const foreign = await server.createUser({ account: 'abroad', tenantId: '900001' });
  const own = await server.signIn('warden');
  const [administrator] = await server.sql("select id::text as id from role where role_alias = 'administrator'");
  for (const id of [more.roleId, String(administrator?.id)]) expect(await begin([id], own)).toMatchObject({ status: 403, msg: '不能预览超出自身权限的角色' });
  for (const id of [foreign.roleId, '1']) expect(await begin([less.roleId, id], own)).toMatchObject({ status: 404 });
  expect(await begin([less.roleId], await server.signIn('less'))).toMatchObject({ status: 403, msg: '请求被拒绝' });
  expect(await begin([less.roleId], own)).toMatchObject({ code: 200 });
  expect(await buttons(own)).toEqual(['post_add']);
  await server.post('/api/oms-system/role/setrolemenus', { roleId: lead.roleId, menuIds: [await menuId('role')] }, { headers });
  expect(await buttons(own)).toEqual([]);
  expect(await status('/api/blade-system/post/list', own)).toBe(403);
  expect(await end(own)).toMatchObject({ code: 200 });
});

test('an API scope that covers everything does not prevent ending the preview', async () => {
  const clerk = await server.createUser({ account: 'scoped', codes: ['post'] });
  const own = await server.signIn();
  const form = { menuId: await menuId('post'), scopeName: '全部', resourceCode: 'all', scopePath: '/api/**', scopeType: 1 };
  const { data } = await server.post('/api/blade-system/api-scope/submit', form, { headers });
  await begin([clerk.roleId], own);
  expect(await status('/api/blade-system/post/list', own)).toBe(403);
  expect(await end(own)).toMatchObject({ code: 200 });
  expect(await status('/api/blade-system/post/list', own)).toBe(200);
  await server.post('/api/blade-system/api-scope/remove', { ids: [data.id] }, { headers });
});

test('a preview survives a refresh, belongs to its session and ends with it, and is logged with the names of the roles', async () => {
  const clerk = await server.createUser({ account: 'noted', codes: ['post'] });
  const token = (body: object) => server.post('/api/things-auth/oauth/token', { tenantId: '000000', ...body }, { headers: clientHeaders });
  const { body: mine } = await token({ grant_type: 'password', username: 'admin', password });
  const other = await server.signIn();
  await begin([clerk.roleId], { 'things-auth': `bearer ${mine.access_token}` });
  expect(await status('/api/blade-system/param/list', other)).toBe(200);
  const { body: renewed } = await token({ grant_type: 'refresh_token', refresh_token: mine.refresh_token });
  expect(renewed).toMatchObject({ is_preview: true, roleName: 'noted' });
  const own = { 'things-auth': `bearer ${renewed.access_token}` };
  expect(await status('/api/blade-system/param/list', own)).toBe(403);
  const [entry] = await server.sql(
    `select create_by, params, changes::text as changes from api_log where request_uri like '%role/preview' and params like '%${clerk.roleId}%'`,
  );
  expect(entry?.create_by).toBe('admin');
  expect(entry?.params).toContain(clerk.roleId);
  expect(entry?.changes).toContain('noted');
  await server.get('/api/things-auth/oauth/logout', { headers: own });
  expect(await status('/api/blade-system/post/list', own)).toBe(401);
  expect(await status('/api/blade-system/param/list', await server.signIn())).toBe(200);
});
