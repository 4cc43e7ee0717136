import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { type ScriptedProvider, startScriptedProvider } from '../../../support/scripted-provider.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let wechat: ScriptedProvider;
let server: TestServer;
const secret = 'the-secret-of-the-mini-program';

beforeAll(async () => {
  wechat = await startScriptedProvider();
  const endpoints = { wechat_mini_program: { token: `${wechat.origin}/sns/jscode2session` } };
  server = await openTestServer({
    plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'social-sign-in', 'registration'],
    environment: { SOCIAL_ENDPOINTS: JSON.stringify(endpoints) },
  });
  const sealed = server.db.encryption.encrypt(secret);
  await server.sql(`insert into social_app (tenant_id, source, client_id, client_secret) values ('000000', 'wechat_mini_program', 'wx-of-ours', '${sealed}')`);
});
afterAll(async () => {
  await server.stop();
  await wechat.stop();
});
beforeEach(() => {
  wechat.calls.length = 0;
  // WeChat answers with JSON of the content type text.
  wechat.on('/sns/jscode2session', { body: '{"session_key":"tiihtNczf5v6AKRyjwEUhQ==","openid":"o6zAJs-ann","unionid":"u-ann"}' });
});

const enter = (more: Record<string, string> = {}) =>
  server.post('/api/things-auth/oauth/token', {
    client_id: 'miniapp',
    grant_type: 'social',
    tenantId: '000000',
    source: 'wechat_mini_program',
    code: '0a3kLm',
    scope: 'all',
    ...more,
  });

test('the code of wx.login is exchanged for an openid as WeChat specifies, and an unknown user can request an account', async () => {
  const { status, body } = await enter();
  expect(status).toBe(200);
  expect(body).toMatchObject({ user_id: '', oauth_id: expect.stringMatching(/^\d+$/), refresh_token: '', detail: { type: 'wechat_mini_program' } });
  const expected = { appid: 'wx-of-ours', secret, js_code: '0a3kLm', grant_type: 'authorization_code' };
  expect(wechat.calls.map(({ method, query }) => ({ method, query }))).toEqual([{ method: 'GET', query: expected }]);
  const kept = JSON.stringify(await server.sql('select * from user_oauth'));
  expect(kept).toContain('o6zAJs-ann');
  expect(kept).not.toContain('tiihtNczf5v6AKRyjwEUhQ');
});

test('a linked user claims as from any client of the mini-app, and is paid at that openid', async () => {
  const { userId } = await server.createUser({ account: 'ann' });
  await enter();
  await server.sql(`insert into user_oauth (tenant_id, source, uuid, user_id) values ('000000', 'wechat_open', 'open-ann', ${userId})`);
  await server.sql(`update user_oauth set user_id = ${userId} where source = 'wechat_mini_program'`);
  for (const source of ['wechat_mini_program', 'WECHAT_MINI_PROGRAM'])
    expect((await enter({ source })).body).toMatchObject({ account: 'ann', user_id: userId });
  const headers = { 'things-auth': `bearer ${(await enter()).body.access_token}` };
  const [task] = await server.sql(
    `insert into task (tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, advertiser_id, requirement, status)
     values ('000000', '题', 1, 1, 1, 500, 1, 1, '要', 2) returning id::text as id`,
  );
  expect((await server.post('/api/things-task/claim/claim', { taskId: task?.id }, { headers })).msg).toBe('操作成功');
  expect(await server.sql(`select openid from task_submission where user_id = ${userId}`)).toEqual([{ openid: 'o6zAJs-ann' }]);
});

test.each<[string, string | object, number]>([
  ['a code that was used or is nobody’s', '{"errcode":40163,"errmsg":"code been used, rid: 1"}', 400],
  ['an app or a secret that is wrong', '{"errcode":40125,"errmsg":"invalid appsecret, rid: 1"}', 400],
  ['an answer without an openid', '{}', 400],
  ['an answer that is none', '<html>', 400],
  ['WeChat being busy', '{"errcode":-1,"errmsg":"system error"}', 503],
  ['being asked too often', '{"errcode":45011,"errmsg":"api minute-quota reach limit"}', 503],
])('%s does not sign in', async (_what, body, status) => {
  wechat.on('/sns/jscode2session', { body });
  expect(await enter()).toMatchObject({ status });
});

test('a tenant without a mini-program, an unknown tenant and a missing code are refused before WeChat is contacted', async () => {
  await server.createTenant('others');
  for (const tenantId of ['others', 'nobody', "x' or 1=1"]) expect((await enter({ tenantId })).status).toBe(400);
  expect((await enter({ code: '' })).status).toBe(400);
  expect(wechat.calls).toEqual([]);
  expect((await server.get('/api/blade-auth/oauth/ways', { query: { tenantId: '000000' } })).data.social).toEqual([]);
  expect((await server.get('/api/blade-auth/oauth/render/wechat_mini_program')).status).toBe(404);
});
