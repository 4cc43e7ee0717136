import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@rstest/core';
import { Secret, TOTP } from 'otpauth';
import { type ScriptedProvider, startScriptedProvider } from '../../../support/scripted-provider.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';

const tokenPath = '/api/things-auth/oauth/token';
const web = 'https://console.test';
const secret = 'the-secret-of-the-app';
const endpoints = (origin: string, source: string) => ({
  authorize: `${origin}/${source}/authorize`,
  token: `${origin}/${source}/token`,
  openid: `${origin}/${source}/me`,
  user: `${origin}/${source}/user`,
});
const sources = ['github', 'gitee', 'wechat_open', 'qq', 'dingtalk'];

let provider: ScriptedProvider;
let server: TestServer;
let caller: string;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const environment = { PUBLIC_URL: web, SOCIAL_ENDPOINTS: JSON.stringify(Object.fromEntries(sources.map((one) => [one, endpoints(provider.origin, one)]))) };
  server = await openTestServer({ plugins: ['settings', 'sms-sign-in', 'social-sign-in', 'registration'], environment });
  caller = (await server.createUser({ account: 'caller' })).userId;
  await server.createTenant('others');
  for (const [tenant, list] of [
    ['000000', sources],
    ['others', ['github']],
  ] as const)
    for (const source of list)
      await server.sql(
        `insert into social_app (tenant_id, source, client_id, client_secret) values ('${tenant}', '${source}', 'app-of-${tenant}', '${server.db.encryption.encrypt(secret)}')`,
      );
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});
beforeEach(async () => {
  provider.calls.length = 0;
  provider.on('/github/token', { body: { access_token: 'gho_1', token_type: 'bearer' } });
  provider.on('/github/user', { body: { id: 583231, login: 'octocat', name: null, avatar_url: 'https://pictures.test/1.png', email: 'cat@test' } });
  await server.sql('update user_oauth set user_id = null');
});

/** Starts a sign-in and returns the state and the cookie of the browser. */
async function setOut(source = 'github', tenantId = '000000', headers: Record<string, string> = {}) {
  const reply = await server.app.inject({
    method: 'GET',
    url: `/api/blade-auth/oauth/render/${source}?tenantId=${tenantId}`,
    headers: { host: 'console.test', ...headers },
  });
  const location = new URL(String(reply.headers.location));
  const cookie = String(reply.headers['set-cookie']);
  return { status: reply.statusCode, location, state: location.searchParams.get('state') ?? '', cookie: cookie.split(';')[0] ?? '', setCookie: cookie };
}
const comeBack = (state: string, cookie: string, more: Record<string, string> = {}) =>
  server.post(tokenPath, undefined, {
    headers: { ...clientHeaders, cookie },
    query: { grant_type: 'social', tenantId: '000000', source: 'github', code: 'c0de', state, scope: 'all', ...more },
  });
const bound = (source = 'github') => server.sql(`update user_oauth set user_id = ${caller} where source = '${source}' and tenant_id = '000000'`);

describe('setting out', () => {
  test('sends the browser to the provider with the tenant’s client, our address and a state, and leaves a cookie no script reads', async () => {
    const { status, location, state, setCookie } = await setOut();
    expect(status).toBe(302);
    expect(location.origin + location.pathname).toBe(`${provider.origin}/github/authorize`);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'app-of-000000',
      redirect_uri: `${web}/oauth/redirect/github`,
      response_type: 'code',
      scope: 'read:user',
      state,
    });
    expect(state).toMatch(/^[0-9a-f]{60,128}$/);
    expect(setCookie).toMatch(/^__Host-marquee-oauth-browser=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
  });

  test('a console under another host is left, once, for the one the browser is sent back to', async () => {
    const { status, location, setCookie } = await setOut('wechat', 'others', { host: '10.0.0.7:8080' });
    expect({ status, location: location.href, setCookie }).toEqual({
      status: 302,
      location: `${web}/api/blade-auth/oauth/render/wechat_open?tenantId=others&moved=1`,
      setCookie: 'undefined',
    });
    const again = await server.get('/api/blade-auth/oauth/render/github', { query: { tenantId: 'others', moved: '1' }, headers: { host: '10.0.0.7:8080' } });
    expect(String(again.headers.location)).toContain(`${provider.origin}/github/authorize`);
  });

  test('the requested page is part of the state and available when the browser returns', async () => {
    const headers = { host: '10.0.0.7:8080' };
    const query = { tenantId: '000000', back: '/system/param/index?q=a;b' };
    const left = await server.get('/api/blade-auth/oauth/render/github', { query, headers });
    const moved = new URL(String(left.headers.location));
    expect(Object.fromEntries(moved.searchParams)).toEqual({ ...query, moved: '1' });
    const cookies = async (of: Record<string, string>) =>
      [(await server.get('/api/blade-auth/oauth/render/github', { query: of })).headers['set-cookie'] ?? []].flat();
    expect(await cookies(Object.fromEntries(moved.searchParams))).toEqual([
      expect.stringMatching(/^__Host-marquee-oauth-browser=/),
      'marquee-back=%2Fsystem%2Fparam%2Findex%3Fq%3Da%3Bb; Path=/oauth/redirect; SameSite=Lax; Max-Age=600; Secure',
    ]);
    expect(await cookies(query)).toHaveLength(1);
  });

  test('every source answers to the names the family has for it', async () => {
    for (const name of ['GITHUB', 'gitee', 'WECHAT_OPEN', 'wechat', 'qq', 'dingtalk']) expect((await setOut(name)).status).toBe(302);
    expect((await setOut('wechat')).location.hash).toBe('#wechat_redirect');
    expect((await setOut('wechat')).location.searchParams.get('appid')).toBe('app-of-000000');
  });

  test('a source that is not configured, a missing tenant and an unknown source have no address', async () => {
    const go = (source: string, tenantId: string) => server.get(`/api/blade-auth/oauth/render/${source}`, { query: { tenantId } });
    expect(await go('gitee', 'others')).toMatchObject({ status: 400, msg: '未开通该登录方式' });
    expect(await go('github', 'nobody')).toMatchObject({ status: 400 });
    expect(await go('github', "x' or 1=1")).toMatchObject({ status: 400 });
    expect(await go('facebook', '000000')).toMatchObject({ status: 404 });
    await server.sql(`update tenant set status = 0 where tenant_id = 'others'`);
    expect(await go('github', 'others')).toMatchObject({ status: 400 });
    await server.sql(`update tenant set status = 1 where tenant_id = 'others'`);
  });

  test('the methods of a tenant are public', async () => {
    const ways = async (tenantId: string) => (await server.get('/api/blade-auth/oauth/ways', { query: { tenantId } })).data;
    expect(await ways('000000')).toEqual({
      tenantMode: false,
      sms: true,
      social: ['wechat_open', 'dingtalk', 'qq', 'gitee', 'github'],
      sso: false,
      providers: [],
      guests: true,
      register: false,
      passkey: true,
    });
    expect((await ways('others')).social).toEqual(['github']);
    expect((await ways('nobody')).social).toEqual([]);
  });
});

describe('coming back', () => {
  test('a linked identity signs its user in', async () => {
    const first = await setOut();
    await comeBack(first.state, first.cookie);
    await bound();
    const { state, cookie } = await setOut();
    const { status, body } = await comeBack(state, cookie);
    expect(status).toBe(200);
    expect(body).toMatchObject({ account: 'caller', user_id: caller, tenant_id: '000000' });
    expect((await server.get('/api/blade-auth/oauth/user-info', { headers: { 'things-auth': `bearer ${body.access_token}` } })).status).toBe(200);
    const exchange = provider.calls.find(({ path }) => path === '/github/token');
    expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
      client_id: 'app-of-000000',
      client_secret: secret,
      code: 'c0de',
      grant_type: 'authorization_code',
      redirect_uri: `${web}/oauth/redirect/github`,
    });
    expect(provider.calls.at(-1)?.headers).toMatchObject({ authorization: 'Bearer gho_1', 'user-agent': 'marquee' });
  });

  test('an unlinked identity gets a token without a user id and the data of the identity', async () => {
    const { state, cookie } = await setOut();
    const { status, body } = await comeBack(state, cookie);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: '', oauth_id: expect.stringMatching(/^\d+$/), refresh_token: '', nick_name: 'octocat', role_name: '' });
    const headers = { 'things-auth': `bearer ${body.access_token}` };
    for (const path of [
      '/api/blade-auth/oauth/user-info',
      '/api/things-system/menu/routes',
      '/api/blade-system/param/list',
      '/api/blade-auth/oauth/binding/list',
    ])
      expect(await server.get(path, { headers })).toMatchObject({ status: 403, msg: '请先完成注册' });
    expect((await server.post(tokenPath, { grant_type: 'refresh_token', refresh_token: body.access_token }, { headers: clientHeaders })).status).toBe(400);
  });

  test.each([
    ['a state that is not there', ''],
    ['nonsense', 'zz'],
    ['a state of the right form that nobody signed', 'ab'.repeat(60)],
  ])('%s is refused before the provider is contacted', async (_name, state) => {
    const { cookie } = await setOut();
    expect(await comeBack(state, cookie)).toMatchObject({ status: 400, body: { error_description: '登录请求已失效，请重新发起' } });
    expect(provider.calls).toEqual([]);
  });

  test('a state with one changed letter, of another source, in another browser or in none is refused', async () => {
    const { state, cookie } = await setOut();
    const other = await setOut('gitee');
    const changed = state.slice(0, -1) + (state.endsWith('0') ? '1' : '0');
    const stale = { status: 400, body: { error_description: '登录请求已失效，请重新发起' } };
    expect(await comeBack(changed, cookie)).toMatchObject(stale);
    expect(await comeBack(other.state, other.cookie)).toMatchObject(stale);
    expect(await comeBack(state, other.cookie)).toMatchObject(stale);
    expect(await comeBack(state, '')).toMatchObject(stale);
    expect(provider.calls).toEqual([]);
  });

  test('a state is good once, and of ten at once one gets through', async () => {
    const { state, cookie } = await setOut();
    const replies = await Promise.all(Array.from({ length: 10 }, () => comeBack(state, cookie)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await comeBack(state, cookie)).status).toBe(400);
  });

  test('a second tab of the same browser does not spoil the first', async () => {
    const first = await setOut();
    const second = await setOut('github', '000000', { cookie: first.cookie });
    expect(second.cookie).toBe(first.cookie);
    expect((await comeBack(first.state, second.cookie)).status).toBe(200);
    expect((await comeBack(second.state, second.cookie)).status).toBe(200);
  });

  test('the tenant is that of the state, with any input', async () => {
    const { state, cookie } = await setOut('github', 'others');
    expect((await comeBack(state, cookie, { tenantId: '000000' })).body.tenant_id).toBe('others');
    const rows = await server.sql(`select tenant_id from user_oauth where source = 'github' order by tenant_id`);
    expect(rows.map(({ tenant_id }) => tenant_id)).toEqual(['000000', 'others']);
  });

  test.each<[string, object]>([
    ['says no', { body: { error: 'bad_verification_code', error_description: 'expired' } }],
    ['answers 400', { status: 400, body: { message: 'no' } }],
    ['answers a page', { body: '<html>sign in</html>' }],
    ['leaves out the token', { body: { token_type: 'bearer' } }],
    ['answers a list', { body: '[1]' }],
  ])('a provider that %s is a refusal', async (_name, answer) => {
    provider.on('/github/token', answer as { body: string });
    const { state, cookie } = await setOut();
    expect(await comeBack(state, cookie)).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_description: '第三方登录失败，请重试' } });
  });

  test.each<[string, object]>([
    ['breaks', { status: 500, body: 'oops' }],
    ['sends us elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/latest' }, body: '' }],
    ['answers at great length', { body: 'x'.repeat(300_000) }],
  ])('a provider that %s is unavailable', async (_name, answer) => {
    provider.on('/github/token', answer as { body: string });
    const { state, cookie } = await setOut();
    expect(await comeBack(state, cookie)).toMatchObject({ status: 503, body: { error: 'server_error', error_description: '第三方服务暂不可用，请稍后再试' } });
  });

  test('a provider that does not answer fails after five seconds', async () => {
    provider.on('/github/token', () => new Promise(() => undefined));
    const { state, cookie } = await setOut();
    const began = Date.now();
    expect((await comeBack(state, cookie)).status).toBe(503);
    expect(Date.now() - began).toBeGreaterThan(4500);
  });

  test('the other token format works as well, and is logged as little', async () => {
    const { state, cookie } = await setOut();
    const query = { grantType: 'social', tenantId: '000000', source: 'github', code: 'another-code-to-hide', state };
    const { status, data } = await server.post('/api/blade-auth/token', undefined, { headers: { ...clientHeaders, cookie }, query });
    expect(status).toBe(200);
    expect(data).toMatchObject({ userId: '', oauthId: expect.stringMatching(/^\d+$/) });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const logs = JSON.stringify(await server.sql('select * from api_log'));
    expect(logs).toContain('/api/blade-auth/token');
    expect(logs).not.toContain('another-code-to-hide');
    expect(logs).not.toContain(state);
  });

  test('a user with a pending registration gets its state', async () => {
    const first = await setOut();
    await comeBack(first.state, first.cookie);
    const { userId } = await server.createUser({ account: 'waiting' });
    await server.sql(`update user_account set status = 3 where id = ${userId}`);
    await server.sql(`update user_oauth set user_id = ${userId} where source = 'github' and tenant_id = '000000'`);
    const { state, cookie } = await setOut();
    expect(await comeBack(state, cookie)).toMatchObject({ status: 400, body: { error_description: '账号正在等待管理员审核' } });
  });

  test('a second factor is required here too', async () => {
    const first = await setOut();
    await comeBack(first.state, first.cookie);
    await bound();
    const headers = await server.signIn('caller');
    const { data } = await server.post('/api/blade-auth/mfa/enrol', { password }, { headers });
    const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate();
    expect(await server.post('/api/blade-auth/mfa/confirm', { code }, { headers })).toMatchObject({ status: 200 });
    const { state, cookie } = await setOut();
    expect(await comeBack(state, cookie)).toMatchObject({ status: 400, body: { error: 'mfa_required', mfa_token: expect.any(String) } });
    await server.post('/api/blade-auth/mfa/disable', { password }, { headers });
  });

  test('a profile without an id is refused', async () => {
    provider.on('/github/user', { body: { login: 'octocat' } });
    const { state, cookie } = await setOut();
    expect((await comeBack(state, cookie)).status).toBe(400);
  });

  test('a user whose request was refused gets the reason at the next attempt', async () => {
    const first = await setOut();
    const { body } = await comeBack(first.state, first.cookie);
    expect(body.detail).toEqual({ type: 'github' });
    await server.sql(
      `insert into registration (tenant_id, account, name, source, oauth_id, user_id, decision, reason) values ('000000', 'x', 'x', 'github', ${body.oauth_id}, ${caller}, 2, '不认识')`,
    );
    const again = await setOut();
    expect((await comeBack(again.state, again.cookie)).body.detail).toEqual({ type: 'github', refused: '不认识' });
    await server.sql('delete from registration');
  });

  test('with closed registration there are no unlinked identities', async () => {
    await server.sql(`insert into param (param_name, param_key, param_value) values ('x', 'account.registerUser', 'false')`);
    const { state, cookie } = await setOut();
    expect(await comeBack(state, cookie)).toMatchObject({ status: 400, body: { error_description: '该账号尚未关联本系统用户' } });
    await server.sql(`delete from param where param_key = 'account.registerUser'`);
  });

  test('a disabled account cannot sign in with its identity', async () => {
    const first = await setOut();
    await comeBack(first.state, first.cookie);
    await bound();
    await server.sql(`update user_account set status = 2 where id = ${caller}`);
    const { state, cookie } = await setOut();
    expect((await comeBack(state, cookie)).status).toBe(400);
    await server.sql(`update user_account set status = 1 where id = ${caller}`);
  });

  test('no log holds the code, the state or the secret', async () => {
    const { state, cookie } = await setOut();
    await comeBack(state, cookie, { code: 'a-code-worth-hiding' });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const logs = JSON.stringify([
      await server.sql('select * from api_log'),
      await server.sql('select * from error_log'),
      await server.sql('select * from social_app'),
    ]);
    for (const hidden of [state, 'a-code-worth-hiding', secret]) expect(logs).not.toContain(hidden);
  });
});

describe('the peculiarities of each provider', () => {
  const profileOf = async (source: string) => {
    const { state, cookie } = await setOut(source);
    const { status } = await comeBack(state, cookie, { source });
    const [row] = await server.sql(`select uuid, union_id, name, avatar from user_oauth where source = '${source}'`);
    return { status, ...row };
  };

  test('gitee takes its token in the query', async () => {
    provider.on('/gitee/token', ({ body }) => ({
      body: { access_token: new URLSearchParams(body).get('grant_type') === 'authorization_code' ? 'g1' : undefined },
    }));
    provider.on('/gitee/user', ({ query }) => ({ body: query.access_token === 'g1' ? { id: 7, login: 'seven', name: '七', avatar_url: 'no address' } : {} }));
    expect(await profileOf('gitee')).toEqual({ status: 200, uuid: '7', union_id: null, name: '七', avatar: '' });
  });

  test('wechat answers JSON as text, and refuses with errcode and 200', async () => {
    const granted = { access_token: 'w1', openid: 'o-1', unionid: 'u-1' };
    provider.on('/wechat_open/token', ({ query }) => ({ body: JSON.stringify(query.appid && query.secret === secret ? granted : { errcode: 40_125 }) }));
    provider.on('/wechat_open/user', ({ query }) => ({
      body: JSON.stringify({ openid: query.openid, nickname: '小明', headimgurl: 'https://p.test/1', unionid: 'u-1' }),
    }));
    expect(await profileOf('wechat_open')).toEqual({ status: 200, uuid: 'o-1', union_id: 'u-1', name: '小明', avatar: 'https://p.test/1' });
    provider.on('/wechat_open/token', { body: '{"errcode":40029,"errmsg":"invalid code"}' });
    expect((await profileOf('wechat_open')).status).toBe(400);
  });

  test('qq answers with a form, then a callback, and needs a separate call for the openid', async () => {
    provider.on('/qq/token', { body: 'access_token=q1&expires_in=7776000' });
    provider.on('/qq/me', ({ query }) => ({ body: `callback( {"client_id":"x","openid":"qo-${query.access_token}"} );` }));
    provider.on('/qq/user', ({ query }) => ({
      body: { ret: 0, msg: '', nickname: `${query.oauth_consumer_key}/${query.openid}`, figureurl_qq_2: 'http://p.test/q' },
    }));
    expect(await profileOf('qq')).toEqual({ status: 200, uuid: 'qo-q1', union_id: null, name: 'app-of-000000/qo-q1', avatar: 'http://p.test/q' });
    provider.on('/qq/user', { body: { ret: -1, msg: 'client request is invalid' } });
    expect((await profileOf('qq')).status).toBe(400);
    provider.on('/qq/token', { body: 'callback( {"error":100019,"error_description":"code is reused error"} );' });
    expect((await profileOf('qq')).status).toBe(400);
  });

  test('dingtalk uses JSON with its own names', async () => {
    provider.on('/dingtalk/token', ({ body }) => ({ body: { accessToken: JSON.parse(body).clientSecret === secret ? 'd1' : '' } }));
    provider.on('/dingtalk/user', ({ headers }) => ({
      body: { openId: 'do-1', unionId: 'du-1', nick: headers['x-acs-dingtalk-access-token'], avatarUrl: '' },
    }));
    expect(await profileOf('dingtalk')).toEqual({ status: 200, uuid: 'do-1', union_id: 'du-1', name: 'd1', avatar: '' });
    provider.on('/dingtalk/user', { status: 403, body: { code: 'Forbidden.AccessDenied.AccessTokenPermissionDenied', message: 'no' } });
    expect((await profileOf('dingtalk')).status).toBe(400);
  });
});

describe('linking one’s own identity', () => {
  const path = '/api/blade-auth/oauth/binding';
  async function start(headers: Record<string, string>, source = 'github') {
    const reply = await server.post(`${path}/start`, { source }, { headers });
    const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
    return { status: reply.status, cookie, state: new URL(reply.data.location).searchParams.get('state') ?? '' };
  }
  const bind = (headers: Record<string, string>, { cookie, state }: { cookie: string; state: string }) =>
    server.post(`${path}/bind`, { source: 'github', code: 'c0de', state }, { headers: { ...headers, cookie } });

  test('an identity is linked, listed, signs in and is unlinked', async () => {
    const headers = await server.signIn('caller');
    const begun = await start(headers);
    expect(await bind(headers, begun)).toMatchObject({ status: 200, data: null });
    expect((await server.get(`${path}/list`, { headers })).data).toMatchObject([{ source: 'github', name: 'octocat', avatar: 'https://pictures.test/1.png' }]);
    const out = await setOut();
    expect((await comeBack(out.state, out.cookie)).body.account).toBe('caller');
    expect(await server.post(`${path}/unbind`, { source: 'github' }, { headers })).toMatchObject({ status: 200 });
    expect((await server.get(`${path}/list`, { headers })).data).toEqual([]);
    const again = await setOut();
    expect((await comeBack(again.state, again.cookie)).body.user_id).toBe('');
  });

  test('a flow started by one user cannot be finished by another, and a sign-in cannot become a linking', async () => {
    await server.createUser({ account: 'rival' });
    const [caller, rival] = [await server.signIn('caller'), await server.signIn('rival')];
    expect((await bind(rival, await start(caller))).msg).toBe('登录请求已失效，请重新发起');
    expect((await bind(caller, await setOut())).status).toBe(400);
    const begun = await start(caller);
    expect((await comeBack(begun.state, begun.cookie)).status).toBe(400);
  });

  test('an identity is one user’s, and a user has one of each source', async () => {
    await server.createUser({ account: 'second' });
    const [caller, second] = [await server.signIn('caller'), await server.signIn('second')];
    await bind(caller, await start(caller));
    expect(await bind(caller, await start(caller))).toMatchObject({ status: 200 });
    expect(await bind(second, await start(second))).toMatchObject({ status: 409, msg: '该第三方账号已绑定其他用户' });
    provider.on('/github/user', { body: { id: 99, login: 'other' } });
    expect(await bind(caller, await start(caller))).toMatchObject({ status: 409, msg: '您已绑定该平台的账号' });
  });
});
