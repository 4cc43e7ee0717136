import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@rstest/core';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { Tokens } from '../../../../src/server/platform/identity/sessions/tokens.ts';
import { clientHeaders, openTestServer, type TestServer, testSecret } from '../../../support/test-server.ts';

const path = '/api/blade-system/user/register-guest';
const tokenPath = '/api/things-auth/oauth/token';
const word = 'Morning-Lights-2027';
const tokens = new Tokens(secretKeysOf(testSecret).token);

let server: TestServer;
let admin: Record<string, string>;
let number = 0;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings', 'registration'] });
  admin = await server.signIn();
  await server.createTenant('others');
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.sql('truncate asked_count, login_failure');
  await server.sql(`delete from param where param_key = 'account.registerUser'`);
});

const allow = (value: string) => server.sql(`insert into param (param_name, param_key, param_value) values ('x', 'account.registerUser', '${value}')`);

/** Returns an identity that a provider has verified and that is linked to no account. */
async function guest(tenantId = '000000') {
  number += 1;
  const [row] = await server.sql(
    `insert into user_oauth (tenant_id, source, uuid, name) values ('${tenantId}', 'github', 'uuid-${number}', 'Guest ${number}') returning id::text as id`,
  );
  const oauthId = String(row?.id);
  return { oauthId, headers: { 'things-auth': `bearer ${await tokens.signUnlinkedIdentity({ tenant_id: tenantId, oauth_id: oauthId }, 60)}` } };
}
const register = (of: { oauthId: string; headers: Record<string, string> }, input: Record<string, string> = {}) =>
  server.post(path, undefined, {
    headers: of.headers,
    query: { tenantId: '000000', name: '', account: `guest-${of.oauthId}`, password: word, oauthId: of.oauthId, ...input },
  });
const signIn = (username: string, tenantId = '000000', secret = word) =>
  server.post(tokenPath, { grant_type: 'password', tenantId, username, password: secret }, { headers: clientHeaders });

describe('a guest asks for an account', () => {
  test('which waits, without roles, and does not sign in', async () => {
    const one = await guest();
    expect(await register(one)).toMatchObject({ status: 200, success: true, data: null });
    const [user] = await server.sql(`select id::text as id, status, name, tenant_id from user_account where account = 'guest-${one.oauthId}'`);
    expect(user).toMatchObject({ status: 3, name: `Guest ${number}`, tenant_id: '000000' });
    expect(await server.sql(`select 1 from user_role where user_id = ${user?.id}`)).toEqual([]);
    expect(await server.sql(`select user_id::text as id from user_oauth where id = ${one.oauthId}`)).toEqual([{ id: user?.id }]);
    expect((await signIn(`guest-${one.oauthId}`)).body.error_description).toBe('账号正在等待管理员审核');
    expect((await signIn(`guest-${one.oauthId}`, '000000', 'not the word')).body.error_description).toBe('用户名或密码错误');
  });

  test('once for each identity, with the token for that identity and no other', async () => {
    const [one, two] = [await guest(), await guest()];
    const wrong = { status: 400, msg: '第三方登陆信息错误!' };
    expect(await register({ ...one, oauthId: two.oauthId })).toMatchObject(wrong);
    expect(await register({ ...one, headers: {} })).toMatchObject(wrong);
    expect(await register({ ...one, headers: admin })).toMatchObject(wrong);
    expect(await register(one, { oauthId: '' })).toMatchObject(wrong);
    expect(await register(one)).toMatchObject({ status: 200 });
    expect(await register(one, { account: 'another' })).toMatchObject(wrong);
  });

  test('in the tenant of the stored identity, with any input', async () => {
    const one = await guest('others');
    expect(await register(one, { tenantId: '000000' })).toMatchObject({ status: 200 });
    expect(await server.sql(`select tenant_id from user_account where account = 'guest-${one.oauthId}'`)).toEqual([{ tenant_id: 'others' }]);
    expect(await server.sql(`select tenant_id from registration where account = 'guest-${one.oauthId}'`)).toEqual([{ tenant_id: 'others' }]);
  });

  test('not in a tenant that is disabled', async () => {
    const one = await guest('others');
    await server.sql(`update tenant set status = 0 where tenant_id = 'others'`);
    expect(await register(one)).toMatchObject({ status: 400, msg: '租户信息错误!' });
    await server.sql(`update tenant set status = 1 where tenant_id = 'others'`);
  });

  test.each<[string, Record<string, string>, string]>([
    ['no account', { account: ' ' }, '请先输入账号名称'],
    ['no password', { password: '' }, '请先输入密码'],
    ['two passwords', { password2: 'something else' }, '两次密码输入不一致'],
    ['a weak password', { password: 'short1' }, '密码至少 8 个字符'],
    ['an account with a space', { account: 'a b' }, '请求参数格式错误'],
    ['the account of somebody else, in another case', { account: 'ADMIN' }, '当前账号已被使用!'],
  ])('%s is refused', async (_name, input, msg) => {
    const reply = await register(await guest(), input);
    expect(reply.status).toBe(400);
    expect(reply.msg.replaceAll(' ', '')).toContain(msg.replaceAll(' ', ''));
  });

  test('not where the parameter closes registration, and not more than ten an hour from one address', async () => {
    await allow('false');
    expect(await register(await guest())).toMatchObject({ status: 403, msg: '未开放注册' });
    await server.sql(`delete from param where param_key = 'account.registerUser'`);
    for (let count = 0; count < 10; count += 1) expect((await register(await guest())).status).toBe(200);
    const reply = await register(await guest());
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('of two concurrent requests for one name one succeeds', async () => {
    const guests = await Promise.all(Array.from({ length: 4 }, () => guest()));
    const replies = await Promise.all(guests.map((one) => register(one, { account: 'wanted' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test('and a password is in no log', async () => {
    await register(await guest());
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(JSON.stringify(await server.sql('select * from api_log'))).not.toContain(word);
  });
});

describe('the grant register', () => {
  const apply = (more: Record<string, string> = {}) =>
    server.post(tokenPath, undefined, {
      headers: clientHeaders,
      query: {
        grant_type: 'register',
        tenantId: '000000',
        name: '新人',
        username: 'newcomer',
        password: word,
        phone: '13700137000',
        email: 'new@company.test',
        ...more,
      },
    });

  test('is refused unless the parameter allows it', async () => {
    for (const value of ['', 'false', '1']) {
      if (value) await allow(value);
      expect(await apply()).toMatchObject({ status: 400, body: { error_description: '未开放注册' } });
      await server.sql(`delete from param where param_key = 'account.registerUser'`);
    }
  });

  test('makes an account that waits, and gives no tokens', async () => {
    await allow('true');
    const { status, body } = await apply();
    expect(status).toBe(200);
    expect(body).toMatchObject({ access_token: '', refresh_token: '', user_id: '', account: 'newcomer' });
    expect(await server.sql(`select status, phone, email from user_account where account = 'newcomer'`)).toEqual([
      { status: 3, phone: '13700137000', email: 'new@company.test' },
    ]);
    expect((await apply()).body.error_description).toBe('当前账号已被使用!');
    expect((await apply({ username: 'x', phone: '1' })).body.error_description).toBe('手机号码长度不为11位');
    expect((await apply({ username: 'x', email: 'no address' })).status).toBe(400);
    expect((await apply({ username: 'x', tenantId: 'nowhere' })).body.error_description).toBe('租户信息错误!');
  });

  test('asks for the captcha where the deployment does', async () => {
    const careful = await openTestServer({ plugins: ['settings', 'registration'], environment: { CAPTCHA_MODE: 'on' } });
    await careful.sql(`insert into param (param_name, param_key, param_value) values ('x', 'account.registerUser', 'true')`);
    const query = { grant_type: 'register', username: 'robot', password: word };
    expect((await careful.post(tokenPath, undefined, { headers: clientHeaders, query })).body.error_description).toBe('验证码不正确');
    await careful.stop();
  });
});

describe('an administrator decides', () => {
  const call = '/api/blade-system/registration';
  const pending = async (account: string) => {
    const [row] = await server.sql(`select id::text as id from registration where account = '${account}' and decision = 0`);
    return String(row?.id);
  };
  async function asking() {
    const one = await guest();
    await register(one);
    return { ...one, account: `guest-${one.oauthId}`, id: await pending(`guest-${one.oauthId}`) };
  }
  const roleOf = async (alias: string) => String((await server.sql(`select id::text as id from role where role_alias = '${alias}' limit 1`))[0]?.id);
  const dept = async () => String((await server.sql(`select id::text as id from dept limit 1`))[0]?.id);

  test('lists requests, newest first, and approves them with roles and departments', async () => {
    const { roleId } = await server.createUser({ account: 'a-model', codes: [], roleAlias: 'clerk' });
    const one = await asking();
    const { data } = await server.get(`${call}/list`, { headers: admin, query: { decision: '0' } });
    expect(data.records.find((row: { id: string }) => row.id === one.id)).toMatchObject({ account: one.account, source: 'github', decision: 0 });
    expect((await server.get(`${call}/roles`, { headers: admin })).data).toContainEqual({ id: roleId, name: 'a-model' });
    const reply = await server.post(`${call}/approve`, { id: one.id, roleIds: [roleId], deptIds: [await dept()] }, { headers: admin });
    expect(reply).toMatchObject({ status: 200, data: { decision: 1, roleIds: [roleId] } });
    const { status, body } = await signIn(one.account);
    expect(status).toBe(200);
    expect(body).toMatchObject({ role_name: 'clerk', dept_id: await dept() });
    expect(await server.post(`${call}/approve`, { id: one.id }, { headers: admin })).toMatchObject({ status: 409, msg: '该申请已审核' });
    expect(await server.post(`${call}/refuse`, { id: one.id }, { headers: admin })).toMatchObject({ status: 409 });
  });

  test('refuses: the name is available again, the applicant gets the reason, and the identity can apply again', async () => {
    const one = await asking();
    expect(await server.post(`${call}/refuse`, { id: one.id, reason: ' 不认识 ' }, { headers: admin })).toMatchObject({ status: 200, data: { decision: 2 } });
    expect(await signIn(one.account)).toMatchObject({ status: 400, body: { error_description: '注册申请未通过：不认识' } });
    expect((await signIn(one.account, '000000', 'not the word')).body.error_description).toBe('用户名或密码错误');
    expect((await signIn(one.account, 'others')).body.error_description).toBe('用户名或密码错误');
    expect((await server.get(`${call}/detail`, { headers: admin, query: { id: one.id } })).data).toMatchObject({ decision: 2, reason: '不认识' });
    expect((await register(one)).status).toBe(200);
  });

  test('of ten decisions at once one counts', async () => {
    const one = await asking();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => server.post(`${call}/${index % 2 ? 'approve' : 'refuse'}`, { id: one.id }, { headers: admin })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test('administrators cannot assign more than they have, and those of other tenants neither see nor decide requests', async () => {
    const { roleId: strong } = await server.createUser({ account: 'strong', codes: ['registration', 'param'] });
    const { roleId: weak } = await server.createUser({ account: 'weak', codes: ['registration'] });
    await server.createUser({ account: 'clerk', codes: ['registration', 'registration_approve'] });
    const clerk = await server.signIn('clerk');
    const one = await asking();
    const give = (roleId: string) => server.post(`${call}/approve`, { id: one.id, roleIds: [roleId] }, { headers: clerk });
    const offered = (await server.get(`${call}/roles`, { headers: clerk })).data.map(({ id }: { id: string }) => id);
    expect(offered).toContain(weak);
    for (const roleId of [strong, await roleOf('administrator'), '999999999999999']) {
      expect(offered).not.toContain(roleId);
      expect(await give(roleId)).toMatchObject({ status: 403, msg: '不能授予超出自身权限的角色' });
    }
    expect(await server.sql(`select decision from registration where id = ${one.id}`)).toEqual([{ decision: 0 }]);
    await server.createUser({
      account: 'rival',
      codes: ['registration', 'registration_approve', 'registration_refuse'],
      roleAlias: 'admin',
      tenantId: 'others',
    });
    const rival = await server.signIn('rival', 'others');
    expect((await server.get(`${call}/list`, { headers: rival })).data.records.some(({ id }: { id: string }) => id === one.id)).toBe(false);
    expect((await server.post(`${call}/approve`, { id: one.id }, { headers: rival })).status).toBe(404);
    expect((await server.post(`${call}/refuse`, { id: one.id }, { headers: rival })).status).toBe(404);
    expect((await server.post(`${call}/refuse`, { id: one.id }, { headers: clerk })).status).toBe(403);
    expect(await give(weak)).toMatchObject({ status: 200 });
  });
});
