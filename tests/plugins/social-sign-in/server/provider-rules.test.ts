import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { addProvider, addRole, mapGroup, providerPath } from '../provider-fixtures.ts';

const directory = {
  kind: 'ldap',
  address: 'ldaps://ldap.example.com',
  bindDn: 'cn=console,dc=example',
  bindPassword: 'Reads-the-tree',
  baseDn: 'dc=example',
};
const codes = ['add', 'edit', 'delete', 'view', 'check'].map((button) => `identity_provider_${button}`);
const groupCodes = ['add', 'edit', 'delete'].map((button) => `identity_provider_group_${button}`);

let server: TestServer;
let admin: Record<string, string>;
let clerk: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'access', 'social-sign-in'], environment: { PUBLIC_URL: 'https://console.test' } });
  admin = await server.signIn();
  await server.createUser({ account: 'clerk', codes: ['identity_provider', ...codes, 'identity_provider_group', ...groupCodes] });
  clerk = await server.signIn('clerk');
});
afterAll(() => server.stop());

const submit = (form: object, headers = admin) => server.post(`${providerPath}/submit`, form, { headers });
const oidc = { kind: 'oidc', issuer: 'https://login.example.com', clientId: 'console' };

test('addresses of internal machines, unencrypted ones and ones with credentials are refused', async () => {
  const refused = async (form: object, field: string, text: string) =>
    expect(await submit({ name: 'refused', ...form })).toMatchObject({ code: 400, msg: expect.stringContaining(text), body: { field } });
  await refused({ ...oidc, issuer: 'https://10.0.0.8' }, 'issuer', '内部地址');
  await refused({ ...oidc, issuer: 'http://login.example.com' }, 'issuer', 'https://');
  await refused({ ...oidc, issuer: 'https://user:word@login.example.com' }, 'issuer', '用户名');
  await refused({ ...oidc, scopes: 'profile email' }, 'scopes', 'openid');
  await refused({ ...directory, address: 'ldaps://192.168.1.4' }, 'address', '内部地址');
  await refused({ ...directory, address: 'ldaps://ldap.example.com:99999' }, 'address', '目录地址无效');
  await refused({ ...directory, address: 'ldap://ldap.example.com', startTls: false }, 'startTls', 'StartTLS');
  await refused({ ...directory, userFilter: '(uid=ada)' }, 'userFilter', '{account}');
  await refused({ ...directory, userFilter: '(uid={account}' }, 'userFilter', '过滤器无效');
  await refused({ ...directory, caCertificate: 'none' }, 'caCertificate', 'PEM');
});

test('a host name that resolves to an internal address is not connected to', async () => {
  const id = await addProvider(server, admin, { name: 'inside', ...oidc, issuer: 'https://localhost:9' });
  const { data } = await server.post(`${providerPath}/check`, { id }, { headers: admin });
  expect(data).toMatchObject({ isReady: false, message: expect.stringContaining('EGRESS_ALLOW') });
  const inside = await addProvider(server, admin, { name: 'inside too', ...directory, address: 'ldaps://localhost:9' });
  expect((await server.post(`${providerPath}/check`, { id: inside }, { headers: admin })).data).toMatchObject({
    isReady: false,
    message: expect.stringContaining('EGRESS_ALLOW'),
  });
});

test('the issuer stays, and a directory that moves needs its password again', async () => {
  const id = await addProvider(server, admin, { name: 'moving', ...directory });
  const moved = { id, address: 'ldaps://other.example.com' };
  expect(await submit(moved)).toMatchObject({ code: 400, body: { field: 'bindPassword' } });
  expect(await submit({ ...moved, bindPassword: 'Reads-the-tree' })).toMatchObject({ code: 200 });
  expect(JSON.stringify((await server.get(`${providerPath}/detail`, { headers: admin, query: { id } })).data)).not.toContain('Reads-the-tree');
  const [stored] = await server.sql(`select bind_password as password from identity_provider where id = ${id}`);
  expect(stored?.password).not.toContain('Reads-the-tree');
});

test('a user who sets a provider up gains no rights by it', async () => {
  const powerful = await addRole(server, 'powerful');
  await server.sql(
    `insert into role_menu (tenant_id, role_id, menu_id) select '000000', ${powerful}, id from menu where code = 'user_reset' and is_deleted = 0 limit 1`,
  );
  const harmless = await addRole(server, 'harmless');
  const id = await addProvider(server, clerk, { name: 'of the clerk', ...directory });
  await mapGroup(server, clerk, { providerId: id, groupName: 'staff', roleId: harmless });
  const mapped = { providerId: id, groupName: 'admins', roleId: powerful };
  expect(await server.post(`${providerPath}-group/submit`, mapped, { headers: clerk })).toMatchObject({ code: 403, msg: '不能授予该角色' });
  expect(await submit({ id, matchesEmail: true }, clerk)).toMatchObject({ code: 403 });
  expect(await submit({ name: 'of the clerk too', ...directory, matchesEmail: true }, clerk)).toMatchObject({ code: 403 });
  await mapGroup(server, admin, mapped);
  expect(await submit({ id, baseDn: 'dc=elsewhere' }, clerk)).toMatchObject({ code: 403 });
  expect(await server.post(`${providerPath}/remove`, { ids: [id] }, { headers: clerk })).toMatchObject({ code: 403 });
  expect(await submit({ id, baseDn: 'dc=elsewhere' })).toMatchObject({ code: 200 });
});

test('a provider whose users have an account with more rights cannot be changed either', async () => {
  const id = await addProvider(server, clerk, { name: 'known', ...directory });
  const [row] = await server.sql("select id::text as id from user_account where account = 'admin'");
  await server.sql(`insert into user_oauth (tenant_id, source, uuid, user_id) values ('000000', 'idp${id}', 'root', ${row?.id})`);
  expect(await submit({ id, userFilter: '(cn={account})' }, clerk)).toMatchObject({ code: 403 });
});

test('a role of another tenant cannot be given', async () => {
  await server.createTenant('south');
  const foreign = await addRole(server, 'foreign', 'south');
  const id = await addProvider(server, admin, { name: 'mapped', ...directory });
  const reply = await server.post(`${providerPath}-group/submit`, { providerId: id, groupName: 'x', roleId: foreign }, { headers: admin });
  expect(reply.code).not.toBe(200);
});

test('a deleted provider takes its roles back, and leaves those given by hand', async () => {
  const role = await addRole(server, 'provided');
  const { userId, roleId } = await server.createUser({ account: 'member' });
  const id = await addProvider(server, admin, { name: 'deleted', ...directory });
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${role})`);
  await server.sql(`insert into provided_role (tenant_id, user_id, role_id, provider_id) values ('000000', ${userId}, ${role}, ${id})`);
  expect(await server.post(`${providerPath}/remove`, { ids: [id] }, { headers: admin })).toMatchObject({ code: 200 });
  expect(await server.sql(`select role_id::text as id from user_role where user_id = ${userId}`)).toEqual([{ id: roleId }]);
});
