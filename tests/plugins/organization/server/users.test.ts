import { hash as digest } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { UserAccount } from '#plugins/organization/contract';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { sm2Encrypt } from '../../../support/sm2-encrypt.ts';
import { clientHeaders, openTestServer, password, type Reply, type TestServer, testSecret } from '../../../support/test-server.ts';

const base = '/api/oms-system/user';
const blade = '/api/blade-system/user';

let server: TestServer;
let admin: Record<string, string>;
let people = 0;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'transfers'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

type Fields = Record<string, unknown>;
const get = (path: string, query: Record<string, string> = {}, headers = admin) => server.get(path, { query, headers });
const send = (path: string, body: Fields, headers = admin) => server.post(path, body, { headers });
const submit = (fields: Fields, headers = admin) => send(`${base}/submit`, { realName: '张三', name: '小张', userType: 1, ...fields }, headers);
const said = ({ status, msg }: Reply) => ({ status, msg });
const beyond = { status: 403, msg: '不能管理权限高于自己的用户' };
const oneself = { status: 403, msg: '不能对自己执行此操作' };

async function person(fields: Fields = {}): Promise<{ id: string; account: string; oneTimePassword: { password: string } }> {
  people += 1;
  const reply = await submit({ account: `person${people}`, ...fields });
  if (!reply.success) throw new Error(reply.msg);
  return reply.data;
}

async function department(deptName: string, parentId = '0'): Promise<string> {
  return (await send('/api/things-system/dept/submit', { deptName, fullName: deptName, sort: 1, parentId })).data.id;
}

async function token(account: string, secret: string) {
  const query = { tenantId: '000000', grant_type: 'password', username: account, password: secret, scope: 'all' };
  return server.post('/api/things-auth/oauth/token', {}, { query, headers: { authorization: `Basic ${btoa('sryx:sryx_secret')}` } });
}

/** Creates a user with these codes, who can send requests. */
async function helper(account: string, codes: readonly string[]) {
  const { userId, roleId } = await server.createUser({ account, codes: ['user', ...codes] });
  return { userId, roleId, headers: await server.signIn(account) };
}

test('the table matches the contract', async () => {
  expect(await compareTables(server.db, UserAccount)).toEqual([]);
});

test('a birthday drops its time of day, and an avatar uploaded as private is visible wherever the account is shown', async () => {
  const { id, account } = await person({ birthday: '1990-01-31 00:00:00' });
  expect((await get(`${base}/detail`, { id })).data.birthday).toBe('1990-01-31');
  expect((await submit({ id, account, birthday: '1990-02-30 08:00:00' })).status).toBe(400);
  expect((await submit({ id, account, birthday: '1991-03-04' })).data.birthday).toBe('1991-03-04');
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const file = await server.upload('/api/blade-resource/oss/endpoint/put-file', { name: 'me.png', content: png }, { headers: admin });
  await server.createUser({ account: 'pictured' });
  const pictured = await server.signIn('pictured');
  const { user_id } = (await server.get('/api/blade-auth/oauth/user-info', { headers: pictured })).data;
  expect((await submit({ id: user_id, account: 'pictured', avatar: file.data.link })).status).toBe(200);
  const { avatar } = (await server.get('/api/blade-auth/oauth/user-info', { headers: pictured })).data;
  expect(avatar).not.toMatch(/expires|signature/);
  expect((await server.get(avatar)).status).toBe(200);
});

describe('a new account', () => {
  test('has a generated password, shown once, which grants no access until it is changed', async () => {
    const { id, account, oneTimePassword } = await person();
    expect(oneTimePassword).toMatchObject({ id, account, realName: '张三', password: expect.stringMatching(/^[\w-]{19}$/) });
    expect(JSON.stringify((await get(`${base}/detail`, { id })).data)).not.toContain('oneTimePassword');
    expect((await token(account, '123456')).status).toBe(400);
    const { body } = await token(account, oneTimePassword.password);
    expect(body.access_token).toBeTruthy();
    const headers = { authorization: `Basic ${btoa('sryx:sryx_secret')}`, 'things-auth': `bearer ${body.access_token}` };
    expect((await get(`${blade}/info`, {}, headers)).status).toBe(403);
    const change = { oldPassword: oneTimePassword.password, newPassword: 'Morning-2027', newPassword1: 'Morning-2027' };
    expect((await send(`${base}/update-password`, change, headers)).success).toBe(true);
    expect((await get(`${blade}/info`, {}, headers)).data).toMatchObject({ account, passwordExpired: false });
  });

  test('signs in with it for a week, or as long as the parameter says', async () => {
    const left = async (id: string) =>
      (await server.sql(`select round(extract(epoch from password_expires_at - now()) / 86400)::int as days from user_account where id = ${id}`))[0]?.days;
    const { id, account, oneTimePassword } = await person();
    expect(await left(id)).toBe(7);
    await server.sql(`update user_account set password_expires_at = now() - interval '1 second' where id = ${id}`);
    expect((await token(account, oneTimePassword.password)).body.error_description).toBe('初始密码已过期，请联系管理员重置');
    expect((await token(account, 'not the password')).body.error_description).toBe('用户名或密码错误');
    const { data } = await send(`${base}/reset-password`, { id });
    expect((await token(account, data.passwords[0].password)).body.access_token).toBeTruthy();
  });

  test('is refused an easily guessed password in any encoding', async () => {
    const refused = async (secret: string) => (await submit({ account: 'liming2026', realName: '李明', phone: '13900007777', password: secret })).msg;
    expect(await refused('a1b2c3')).toBe('密码至少 8 个字符');
    expect(await refused('woaini1314')).toBe('该密码过于常见，容易被猜到，请更换');
    expect(await refused('abcd1234')).toBe('密码不能是重复或连续的字符');
    for (const personal of ['liming2026!', '13900007777', '李明2026888']) expect(await refused(personal)).toBe('密码不能由账号、姓名、手机号等信息加数字组成');
    expect(await refused(digest('md5', 'Woaini1314'))).toBe('该密码过于常见，容易被猜到，请更换');
    expect(await refused(digest('md5', '123456'))).toBe('该密码过于常见，容易被猜到，请更换');
    expect(await refused(digest('md5', 'liming2026123'))).toBe('密码不能由账号、姓名、手机号等信息加数字组成');
    expect((await submit({ account: 'liming2026', password: digest('md5', 'a good long sentence') })).success).toBe(true);
    expect((await submit({ account: 'wordy', password: 'no digits at all' })).success).toBe(true);
  });

  test('has an encrypted password checked in plain text, when it is created and changed', async () => {
    const encrypted = (secret: string) => sm2Encrypt(secret, secretKeysOf(testSecret).sm2[0]);
    for (const [weak, reason] of [
      ['woaini1314', '该密码过于常见，容易被猜到，请更换'],
      ['a1b2c3', '密码至少 8 个字符'],
    ] as const)
      expect(said(await submit({ account: 'sealed', password: encrypted(weak) }))).toEqual({ status: 400, msg: reason });
    expect((await submit({ account: 'sealed', password: encrypted('Evening-2027') })).success).toBe(true);
    const { body } = await token('sealed', 'Evening-2027');
    const headers = { ...clientHeaders, 'things-auth': `bearer ${body.access_token}` };
    const change = (secret: string) =>
      send(`${base}/update-password`, { oldPassword: encrypted('Evening-2027'), newPassword: encrypted(secret), newPassword1: encrypted(secret) }, headers);
    expect(said(await change('Woaini1314'))).toEqual({ status: 400, msg: '该密码过于常见，容易被猜到，请更换' });
    expect(said(await change('sealed2027'))).toEqual({ status: 400, msg: '密码不能由账号、姓名、手机号等信息加数字组成' });
    expect((await change('Morning-2027')).success).toBe(true);
    expect((await token('sealed', 'Morning-2027')).body.access_token).toBeTruthy();
  });

  test('has the given password in any encoding, and never returns one', async () => {
    const reply = await submit({ account: 'given', password: 'Evening-2027' });
    expect(reply.data).toMatchObject({ account: 'given', status: 1, passwordExpired: true });
    expect(JSON.stringify(reply.data)).not.toMatch(/hash|"password"/i);
    expect((await token('given', 'Evening-2027')).body.access_token).toBeTruthy();
    expect((await submit({ account: 'weak', password: 'short' })).status).toBe(400);
    expect((await submit({ id: reply.data.id, account: 'given', password: 'Evening-2028' })).msg).toBe('修改用户时不能设置密码，请使用重置密码');
  });

  test('cannot have a name that is taken, ignoring case, and requires its own fields', async () => {
    await person({ account: 'Taken' });
    expect(said(await submit({ account: 'taken' }))).toEqual({ status: 400, msg: '当前账号已被使用!' });
    expect((await submit({ account: '' })).msg).toBe('请输入账号');
    expect((await submit({ account: 'nameless', realName: '' })).msg).toBe('请输入姓名');
  });

  test('is in several departments, posts and roles; the first department is the main one', async () => {
    const [one, two] = [await department('甲'), await department('乙')];
    const post = (await send('/api/blade-system/post/submit', { category: '1', postCode: 'p1', postName: '岗', sort: 1 })).data.id;
    const { roleId } = await server.createUser({ account: 'pattern', codes: ['dept'] });
    const { id, account, oneTimePassword } = await person({ deptId: `${two},${one}`, postId: [post], roleId: [roleId] });
    expect((await get(`${base}/detail`, { id })).data).toMatchObject({ deptId: `${two},${one}`, postId: post, roleId });
    await server.sql(`update user_account set password_expired = false where id = ${id}`);
    const { body } = await token(account, oneTimePassword.password);
    expect(body).toMatchObject({ dept_id: `${two},${one}`, post_id: post, role_id: roleId });
    expect((await submit({ id, account, deptId: `${one},${two}` })).data.deptId).toBe(`${one},${two}`);
    expect((await submit({ id, account, deptId: null, postId: null, roleId: null })).data).toMatchObject({ deptId: null, postId: null, roleId: null });
    expect((await submit({ id, account, deptId: ['99'] })).status).toBe(400);
    expect((await submit({ id, account, roleId: ['99'] })).status).toBe(400);
  });

  test('is found by account, name and phone, and by department and below', async () => {
    const top = await department('总部');
    const below = await department('分部', top);
    const aside = await department('旁部');
    const { id: first } = await person({ realName: '总部甲', phone: '13900001111', deptId: [top] });
    const { id: second } = await person({ realName: '分部乙', deptId: [below] });
    await person({ realName: '旁部丙', deptId: [aside] });
    const names = async (query: Record<string, string>, list = 'userlist') =>
      (await get(`${base}/${list}`, query)).data.records.map(({ id }: { id: string }) => id).sort();
    expect(await names({ deptId: top })).toEqual([first, second].sort());
    expect(await names({ deptId: top }, 'alluserlist')).toEqual([first, second].sort());
    expect(await names({ deptId_equal: below })).toEqual([second]);
    expect(await names({ deptId: top, realName: '分部' })).toEqual([second]);
    expect(await names({ phone: '1390000' })).toEqual([first]);
    expect((await get(`${base}/userlist`, { deptId: 'x' })).status).toBe(400);
    expect((await get(`${base}/userlist`, { passwordHash: 'x' })).status).toBe(400);
  });
});

describe('permission to assign roles', () => {
  test('users cannot assign or remove roles beyond their own; the platform’s administrator can assign any', async () => {
    const { headers, roleId } = await helper('helper1', ['user_add', 'user_edit', 'user_role']);
    const { roleId: wide } = await server.createUser({ account: 'wide1', codes: ['user', 'param_delete', 'dept_delete'] });
    const refused = { status: 403, msg: '不能授予或收回超出自身权限的角色' };
    expect(said(await submit({ account: 'made1', roleId: [wide] }, headers))).toEqual(refused);
    const { data: made } = await submit({ account: 'made2', roleId: [roleId] }, headers);
    expect(said(await send(`${blade}/grant`, { userIds: [made.id], roleIds: [roleId, wide] }, headers))).toEqual(refused);
    expect((await get(`${base}/roles`, {}, headers)).data.map(({ id }: Fields) => id)).not.toContain(wide);
    expect((await get(`${base}/roles`, { ids: wide }, headers)).data).toHaveLength(1);
    expect((await send(`${blade}/grant`, { userIds: made.id, roleIds: `${roleId},${wide}` })).success).toBe(true);
    expect(said(await send(`${blade}/grant`, { userIds: [made.id], roleIds: [roleId] }, headers))).toEqual(beyond);
  });

  test('an account with more permissions cannot be changed, reset, disabled or removed by one with fewer', async () => {
    const { headers } = await helper('helper2', ['user_edit', 'user_reset', 'user_status', 'user_delete', 'user_platform']);
    const { id } = (await get(`${blade}/info`)).data;
    expect(said(await submit({ id, account: 'admin', phone: '13900002222' }, headers))).toEqual(beyond);
    expect(said(await send(`${base}/reset-password`, { id }, headers))).toEqual(beyond);
    expect(said(await send(`${base}/update-status`, { ids: [id], status: 2 }, headers))).toEqual(beyond);
    expect(said(await send(`${base}/remove`, { ids: [id] }, headers))).toEqual(beyond);
    expect(said(await send(`${blade}/update-platform`, { userId: id, userType: 2 }, headers))).toEqual(beyond);
    expect((await token('admin', password)).body.access_token).toBeTruthy();
  });

  test('an administrator of a tenant can assign every role of the tenant, and none of another', async () => {
    await server.createTenant('acme');
    const { roleId: sales } = await server.createUser({ account: 'seller', codes: ['dept', 'dept_delete'], tenantId: 'acme' });
    await server.createUser({ account: 'chief', codes: ['user', 'user_add'], roleAlias: 'admin', tenantId: 'acme' });
    const chief = await server.signIn('chief', 'acme');
    const { roleId: foreign } = await server.createUser({ account: 'foreign', codes: ['user'] });
    expect((await submit({ account: 'clerk', roleId: [sales] }, chief)).success).toBe(true);
    expect((await submit({ account: 'spy', roleId: [foreign] }, chief)).status).toBe(400);
    const { id } = (await get(`${blade}/info`)).data;
    expect((await get(`${base}/detail`, { id }, chief)).status).toBe(404);
  });
});

describe('protected', () => {
  test('the own account cannot be removed, disabled or reset, and keeps its roles', async () => {
    const { id, roleId } = (await get(`${blade}/info`)).data;
    expect(said(await send(`${base}/remove`, { ids: [id] }))).toEqual(oneself);
    expect(said(await send(`${base}/update-status`, { ids: [id], status: 2 }))).toEqual(oneself);
    expect(said(await send(`${base}/reset-password`, { id }))).toEqual(oneself);
    expect(said(await send(`${blade}/grant`, { userIds: [id], roleIds: [] }))).toEqual(oneself);
    expect((await submit({ id, account: 'admin', roleId, realName: '管理员' })).success).toBe(true);
  });

  test('the last administrator stays, also when two disable each other at the same moment', async () => {
    const { id: adminId, roleId } = (await get(`${blade}/info`)).data;
    const { id, account } = await person({ roleId, password: 'Evening-2027' });
    await server.sql(`update user_account set password_expired = false where id = ${id}`);
    const { body } = await token(account, 'Evening-2027');
    const other = { authorization: `Basic ${btoa('sryx:sryx_secret')}`, 'things-auth': `bearer ${body.access_token}` };
    const replies = await Promise.all([
      send(`${base}/update-status`, { ids: [id], status: 2 }),
      send(`${base}/update-status`, { ids: [adminId], status: 2 }, other),
    ]);
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
    const left = await server.sql(`select 1 from user_account where id in (${id}, ${adminId}) and status = 1`);
    expect(left).toHaveLength(1);
    await server.sql(`update user_account set status = 1 where id in (${id}, ${adminId})`);
    admin = await server.signIn();
    expect((await send(`${base}/remove`, { ids: [id] })).success).toBe(true);
  });
});

describe('access', () => {
  test('a reset password is generated and shown once; sessions end at once', async () => {
    const { userId } = await server.createUser({ account: 'forgetful' });
    const session = await server.signIn('forgetful');
    const { data } = await send(`${base}/reset-password`, { id: userId });
    expect(data.passwords).toMatchObject([{ id: userId, account: 'forgetful', password: expect.stringMatching(/^[\w-]{19}$/) }]);
    const [{ password: told }] = data.passwords;
    expect((await get(`${blade}/info`, {}, session)).status).toBe(401);
    expect((await token('forgetful', '123456')).status).toBe(400);
    expect((await token('forgetful', told)).body.access_token).toBeTruthy();
    const [log] = await server.sql(`select count(*)::int as n from idempotent_reply where reply like '%${told}%'`);
    expect(log?.n).toBe(0);
  });

  test('a disabled user is signed out, and can sign in again once enabled', async () => {
    const { userId } = await server.createUser({ account: 'leaver' });
    const session = await server.signIn('leaver');
    expect((await send(`${base}/update-status`, { ids: [userId], status: 2 })).success).toBe(true);
    expect((await get(`${blade}/info`, {}, session)).status).toBe(401);
    expect((await token('leaver', password)).body.access_token).toBeUndefined();
    await send(`${base}/update-status`, { ids: userId, status: 1 });
    expect((await token('leaver', password)).body.access_token).toBeTruthy();
    expect((await send(`${base}/update-status`, { ids: [userId], status: 3 })).status).toBe(400);
  });

  test('a removed user is signed out; a restored one has all previous data', async () => {
    const { userId, roleId } = await server.createUser({ account: 'returner', codes: ['dept'] });
    const session = await server.signIn('returner');
    await send(`${base}/remove`, { ids: [userId] });
    expect((await get(`${blade}/info`, {}, session)).status).toBe(401);
    await send(`${base}/restore`, { ids: [userId] });
    expect((await get(`${base}/detail`, { id: userId })).data.roleId).toBe(roleId);
    expect((await token('returner', password)).body.access_token).toBeTruthy();
  });

  test('a removed role is gone with the next request', async () => {
    const { userId } = await server.createUser({ account: 'demoted', codes: ['dept'] });
    const session = await server.signIn('demoted');
    expect((await get('/api/blade-system/dept/list', {}, session)).status).toBe(200);
    await send(`${blade}/grant`, { userIds: [userId], roleIds: [] });
    expect((await get('/api/blade-system/dept/list', {}, session)).status).toBe(403);
  });

  test('users are imported with all errors by row, and exported without passwords', async () => {
    const dept = await department('导入部');
    await person({ account: 'doubled' });
    const sheet = ['账号,姓名,昵称,部门,手机号', '甲一,甲,甲,导入部,13900003333', 'doubled,乙,乙,导入部,', '丙一,丙,丙,无此部,'].join('\n');
    const preview = await server.upload(`${base}/import-preview`, { name: 'users.csv', content: sheet }, { headers: admin });
    expect(preview.data.fields?.map(({ name }: Fields) => name) ?? []).not.toContain('password');
    const { fileId, mapping } = preview.data;
    const { data: run } = await send(`${base}/import`, { fileId, mapping, mode: 'good' });
    await expect.poll(async () => (await get('/api/transfer/detail', { id: run.id })).data.state, { timeout: 20_000 }).toBe('done');
    expect((await get('/api/transfer/detail', { id: run.id })).data).toMatchObject({ good: 1, bad: 2 });
    expect((await get(`${base}/userlist`, { deptId: dept })).data.records).toMatchObject([{ account: '甲一', deptId: dept, passwordExpired: true }]);
    expect((await token('甲一', '123456')).status).toBe(400);
    expect((await get('/api/transfer/detail', { id: run.id })).data.hasPasswords).toBe(true);
    const { headers: other } = await helper('importer', ['user_import']);
    expect((await send('/api/transfer/passwords', { id: run.id }, other)).data).toEqual([]);
    const { data: told } = await send('/api/transfer/passwords', { id: run.id });
    expect(told).toMatchObject([{ account: '甲一', realName: '甲' }]);
    expect((await token('甲一', told[0].password)).body.access_token).toBeTruthy();
    expect((await send('/api/transfer/passwords', { id: run.id })).data).toEqual([]);
    expect((await get('/api/transfer/detail', { id: run.id })).data.hasPasswords).toBe(false);
    const [kept] = await server.sql(`select count(*)::int as n from idempotent_reply where reply like '%${told[0].password}%'`);
    expect(kept?.n).toBe(0);
    const { data: exported } = await send(`${base}/export`, { format: 'csv', query: { deptId: dept } });
    await expect.poll(async () => (await get('/api/transfer/detail', { id: exported.id })).data.state, { timeout: 20_000 }).toBe('done');
    const { data: link } = await get('/api/transfer/link', { id: exported.id });
    const { text } = (await get(link.link ?? link.url)).body;
    expect(text).toContain('导入部');
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).not.toMatch(/密码哈希|argon2|password_hash/);
  });

  test('BladeX-compatible consoles find users and departments under the names that they use', async () => {
    const { data: made } = await send(`${blade}/submit`, { account: 'family', realName: '乙', name: '乙', userType: 1 });
    expect((await send(`${blade}/update`, { id: made.id, account: 'family', realName: '丙', name: '丙' })).data.realName).toBe('丙');
    for (const call of ['list', 'page']) expect((await get(`${blade}/${call}`, { account: 'family' })).data.total).toBe(1);
    expect((await get(`${blade}/detail`, { id: made.id })).data.account).toBe('family');
    expect((await send(`${blade}/remove`, { ids: made.id })).success).toBe(true);
    const { data: dept } = await send('/api/blade-system/dept/submit', { deptName: '别名', fullName: '别名', sort: 1 });
    expect((await get('/api/blade-system/dept/detail', { id: dept.id })).data.deptName).toBe('别名');
    expect((await get('/api/blade-system/dept/tree')).data.map(({ title }: Fields) => title)).toContain('别名');
    expect((await get('/api/things-system/dept/lazy-list', { parentId: '0' })).data.map(({ deptName }: Fields) => deptName)).toContain('别名');
  });

  test('platform details of a user are stored with the account', async () => {
    const { id } = await person();
    await send(`${blade}/update-platform`, { userId: id, userType: 2, userExt: '{"theme":"dark"}' });
    expect((await get(`${blade}/platform-detail`, { id })).data).toMatchObject({ userType: 2, userExt: '{"theme":"dark"}' });
  });
});

test('users are found by a role they have, and listed without pages', async () => {
  const { roleId, userId } = await helper('bearer', []);
  const { id } = await person();
  expect((await get(`${base}/userlist`, { roleId_equal: roleId })).data.records.map((row: { id: string }) => row.id)).toEqual([userId]);
  const others = (await get(`${base}/userlist`, { roleId_notequal: roleId, size: '200' })).data.records.map((row: { id: string }) => row.id);
  expect(others).toContain(id);
  expect(others).not.toContain(userId);
  expect((await get(`${blade}/user-list`, { account_equal: 'bearer' })).data).toMatchObject([{ id: userId }]);
});

test('passwords of several users are reset at once, also under the BladeX-compatible name', async () => {
  const [one, other] = [await person(), await person()];
  const { data } = await send(`${blade}/reset-password`, { userIds: `${one.id},${other.id}` });
  expect(data.passwords.map(({ account }: Fields) => account)).toEqual([one.account, other.account]);
  expect(new Set(data.passwords.map(({ password: told }: Fields) => told)).size).toBe(2);
  expect((await send(`${blade}/reset-password`, {})).status).toBe(400);
  expect((await send(`${blade}/reset-password`, { userIds: [one.id, '99'] })).status).toBe(404);
});

test('a removed user has no linked identity any more', async () => {
  const { id } = await person();
  await server.sql(`insert into user_oauth (tenant_id, source, uuid, user_id) values ('000000', 'github', 'gone', ${id})`);
  await send(`${base}/remove`, { ids: [id] });
  expect(await server.sql("select user_id from user_oauth where uuid = 'gone'")).toEqual([{ user_id: null }]);
  await server.sql(`insert into user_oauth (tenant_id, source, uuid, freed_from) values ('000000', 'gitee', 'lent', ${id})`);
  const { userId: other } = await server.createUser({ account: 'borrower' });
  await server.sql(`update user_oauth set user_id = ${other} where uuid = 'lent'`);
  expect(await send(`${base}/restore`, { ids: [id] })).toMatchObject({ code: 200 });
  const holders = await server.sql("select uuid, user_id::text as of, freed_from from user_oauth where uuid in ('gone', 'lent') order by uuid");
  expect(holders.map(({ uuid, of }) => [uuid, of])).toEqual([
    ['gone', String(id)],
    ['lent', other],
  ]);
});
