import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@rstest/core';
import { defineServerPlugin, PluginSwitches, wholeDeployment } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import { clientHeaders, openTestServer, type TestServer } from '../../../../support/test-server.ts';

const tokenPath = '/api/things-auth/oauth/token';
const unknown = { status: 400, body: { error: 'invalid_grant', error_description: '不支持的授权类型' } };

let switches: PluginSwitches;
/** Proves its users with the number on their badge; a badge can name the tenant of its user. */
const badgePlugin = defineServerPlugin({
  id: 'badge',
  title: ['工牌登录', 'Badge sign-in'],
  setup({ get }) {
    switches = get(PluginSwitches);
    return {
      signInMethods: [
        {
          id: 'sms',
          offers: async () => true,
          grants: {
            sms_code: async ({ input: { id: tenantId = '', phone = '', value } }) => {
              const check = async () => (value === '4711' ? users.get(phone) : undefined);
              return { tenantId, proof: { subject: phone, check, wrong: signInMethodProblems.wrongCode } };
            },
          },
        },
      ],
    };
  },
});

const users = new Map<string, string>();
let bare: TestServer;
let server: TestServer;
beforeAll(async () => {
  bare = await openTestServer();
  server = await openTestServer({ plugins: [badgePlugin] });
  await server.createTenant('others');
  for (const [account, tenantId] of [
    ['ann', '000000'],
    ['ben', 'others'],
  ] as const)
    users.set(account, (await server.createUser({ account, tenantId })).userId);
});
afterAll(async () => {
  await server.stop();
  await bare.stop();
});
beforeEach(async () => {
  await server.sql('truncate login_failure');
});

const grant = (of: TestServer, query: Record<string, string>) => of.post(tokenPath, undefined, { headers: clientHeaders, query });
const enter = (phone: string, value = '4711', tenantId = '000000') =>
  grant(server, { grant_type: 'sms_code', tenantId, phone, value, id: phone === 'ben' ? 'others' : '000000' });

describe('a deployment without plugins for it', () => {
  test('refuses their grants as it refuses unknown ones, and takes the password', async () => {
    for (const grant_type of ['sms_code', 'social', 'register', 'authorization_code'])
      expect(
        await grant(bare, { grant_type, username: 'x', password: 'x', code: 'x', source: 'github', id: 'x', value: '1', phone: '13800138000' }),
      ).toMatchObject(unknown);
    expect(await bare.signIn()).toBeTruthy();
  });

  test('offers nothing and has none of their calls', async () => {
    const { data } = await bare.get('/api/things-auth/oauth/ways');
    expect(data).toEqual({ tenantMode: false, sms: false, social: [], sso: false, providers: [], guests: false, register: false, passkey: true });
    expect(await bare.post('/api/things-auth/oauth/sms/send-validate', {})).toMatchObject({ status: 404 });
    expect(await bare.get('/api/blade-auth/oauth/render/github')).toMatchObject({ status: 404 });
    expect(await bare.post('/api/blade-system/user/register-guest', {})).toMatchObject({ status: 404 });
  });
});

describe('a method of a plugin', () => {
  test('signs in the user it names, in the tenant it names', async () => {
    expect((await enter('ann')).body).toMatchObject({ account: 'ann', tenant_id: '000000' });
    expect((await enter('ben')).body).toMatchObject({ account: 'ben', tenant_id: 'others' });
    expect((await server.get('/api/things-auth/oauth/ways')).data).toMatchObject({ sms: true, sso: false });
  });

  test('cannot skip the count of failures, nor the lock', async () => {
    for (let tries = 0; tries < 2; tries += 1) expect(await enter('ann', 'wrong')).toMatchObject({ status: 400, body: { error_description: '验证码不正确' } });
    await server.sql(`update login_failure set failures = 5`);
    expect(await enter('ann')).toMatchObject({ status: 400, body: { error_description: '用户登录失败次数过多' } });
  });

  test('cannot skip the second factor', async () => {
    await server.sql(`insert into second_factor (user_id, tenant_id, secret, confirmed_at) values (${users.get('ann')}, '000000', 'x', now())`);
    const { status, body } = await enter('ann');
    expect({ status, error: body.error, token: body.access_token }).toEqual({ status: 400, error: 'mfa_required', token: undefined });
    await server.sql('delete from second_factor');
  });

  test('refuses a user with a disabled account or tenant', async () => {
    await server.sql(`update user_account set status = 2 where account = 'ann'`);
    expect(await enter('ann')).toMatchObject({ status: 400, body: { error_description: '验证码不正确' } });
    await server.sql(`update user_account set status = 1 where account = 'ann'`);
    await server.sql(`update tenant set status = 0 where tenant_id = 'others'`);
    expect(await enter('ben')).toMatchObject({ status: 400 });
    await server.sql(`update tenant set status = 1 where tenant_id = 'others'`);
  });
});

describe('a disabled plugin', () => {
  const setEnabled = (tenantId: string, on: boolean) => server.db.asPlatform('tests disable a plugin', () => switches.setEnabled('badge', tenantId, on));
  afterEach(async () => {
    for (const tenantId of ['others', wholeDeployment]) await setEnabled(tenantId, true);
  });

  test('has no method in its tenant, wherever the request comes from', async () => {
    await setEnabled('others', false);
    expect(await enter('ben', '4711', 'others')).toMatchObject(unknown);
    expect(await enter('ben')).toMatchObject(unknown);
    expect((await server.get('/api/things-auth/oauth/ways', { query: { tenantId: 'others' } })).data).toMatchObject({ sms: false });
    expect((await enter('ann')).status).toBe(200);
  });

  test('has no method at all once it is disabled everywhere', async () => {
    await setEnabled(wholeDeployment, false);
    expect(await enter('ann')).toMatchObject(unknown);
    expect((await server.get('/api/things-auth/oauth/ways')).data).toMatchObject({ sms: false });
  });
});

test('two plugins cannot take one grant, and none takes a grant of the kernel', async () => {
  const again = defineServerPlugin({ ...badgePlugin, id: 'badge-again' });
  const password = defineServerPlugin({
    id: 'password-again',
    title: ['密码', 'Password'],
    setup: () => ({
      signInMethods: [{ id: 'password', offers: async () => true, grants: { password: async () => ({ tenantId: '000000', requested: { account: 'x' } }) } }],
    }),
  });
  const both = await openTestServer({ plugins: [badgePlugin, again, password], db: server.db });
  expect(both.host.skipped.map(({ id }) => id)).toEqual(['badge-again', 'password-again']);
});
