import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { type RealIssuer, realIssuer } from '../../../support/real-issuer.ts';
import { clientHeaders, openTestServer, type TestServer } from '../../../support/test-server.ts';

const web = 'https://console.test';
const redirectUri = `${web}/oauth/redirect/sso`;
const tokenPath = '/api/things-auth/oauth/token';
const renderPath = '/api/blade-auth/oauth/render/sso';

let issuer: RealIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await realIssuer({ id: 'marquee', secret: 'a secret for single sign-on', redirectUri });
  const environment = {
    PUBLIC_URL: web,
    SSO_ISSUER: issuer.issuer,
    SSO_CLIENT_ID: 'marquee',
    SSO_CLIENT_SECRET: 'a secret for single sign-on',
    SSO_MATCH: 'email',
  };
  server = await openTestServer({ plugins: ['social-sign-in', 'registration'], environment });
  for (const [account, email] of [
    ['ada', 'Ada@Company.test'],
    ['bob', 'bob@company.test'],
  ] as const) {
    const { userId } = await server.createUser({ account });
    await server.sql(`update user_account set email = '${email}' where id = ${userId}`);
  }
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
});
beforeEach(async () => {
  await server.sql('delete from user_oauth');
});

interface OAuthVisit {
  readonly location: URL;
  readonly cookie: string;
}
/** Starts a sign-in, and returns the address of the issuer and the cookie of the browser. */
async function startSignIn(): Promise<OAuthVisit> {
  const reply = await server.get(renderPath, { query: { tenantId: '000000' } });
  expect(reply.status).toBe(302);
  return { location: new URL(String(reply.headers.location)), cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '' };
}
/** Signs in at the issuer and returns the parameters of its redirect back. */
const signInAtIssuer = async (visit: OAuthVisit, account = 'ada') => Object.fromEntries((await issuer.signIn(visit.location.href, account)).searchParams);
const redeem = (parameters: Record<string, string>, cookie: string) =>
  server.post(tokenPath, undefined, {
    headers: { ...clientHeaders, cookie },
    query: { grant_type: 'authorization_code', tenantId: parameters.state ?? '', redirect_uri: redirectUri, scope: 'all', ...parameters },
  });

test('the browser is redirected to the issuer with PKCE, a nonce and a state of up to 128 characters', async () => {
  const { location } = await startSignIn();
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(location.searchParams);
  expect(rest).toEqual({
    client_id: 'marquee',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  });
  expect(code_challenge).toMatch(/^[\w-]{43}$/);
  expect(nonce).toMatch(/^[\w-]{43}$/);
  expect(state?.length).toBeLessThanOrEqual(128);
});

test('a user is matched by verified e-mail address at first, and by the subject of the issuer afterwards', async () => {
  const visit = await startSignIn();
  const { status, body } = await redeem(await signInAtIssuer(visit), visit.cookie);
  expect(status).toBe(200);
  expect(body).toMatchObject({ account: 'ada', tenant_id: '000000' });
  await server.sql(`update user_account set email = null where account = 'ada'`);
  const second = await startSignIn();
  expect((await redeem(await signInAtIssuer(second), second.cookie)).body.account).toBe('ada');
  await server.sql(`update user_account set email = 'Ada@Company.test' where account = 'ada'`);
});

test('an unverified address is not matched: the identity stays unlinked', async () => {
  const visit = await startSignIn();
  const { status, body } = await redeem(await signInAtIssuer(visit, 'bob'), visit.cookie);
  expect(status).toBe(200);
  expect(body).toMatchObject({ user_id: '', oauth_id: expect.stringMatching(/^\d+$/), nick_name: 'Bob' });
  const headers = { 'things-auth': `bearer ${body.access_token}` };
  expect((await server.get('/api/things-system/menu/routes', { headers })).status).toBe(403);
});

test('an address of two accounts is not matched either', async () => {
  const { userId } = await server.createUser({ account: 'ada-too' });
  await server.sql(`update user_account set email = 'ada@company.test' where id = ${userId}`);
  const visit = await startSignIn();
  expect((await redeem(await signInAtIssuer(visit), visit.cookie)).body.user_id).toBe('');
  await server.sql(`update user_account set email = null where id = ${userId}`);
});

test('an identity without a name or an address stays unlinked as well', async () => {
  const visit = await startSignIn();
  expect((await redeem(await signInAtIssuer(visit, 'nameless'), visit.cookie)).body).toMatchObject({ user_id: '', nick_name: '' });
});

test('a signed-in user links the identity', async () => {
  const headers = await server.signIn('bob');
  const { data, headers: responseHeaders } = await server.post('/api/blade-auth/oauth/binding/start', { source: 'sso' }, { headers });
  const returned = Object.fromEntries((await issuer.signIn(data.location, 'bob')).searchParams);
  const cookie = String(responseHeaders['set-cookie']).split(';')[0] ?? '';
  expect(await server.post('/api/blade-auth/oauth/binding/bind', { source: 'sso', ...returned }, { headers: { ...headers, cookie } })).toMatchObject({
    status: 200,
  });
  const visit = await startSignIn();
  expect((await redeem(await signInAtIssuer(visit, 'bob'), visit.cookie)).body.account).toBe('bob');
});

test('a wrong state, a used one and one of another browser are refused', async () => {
  const visit = await startSignIn();
  const parameters = await signInAtIssuer(visit);
  const other = await startSignIn();
  const stale = { status: 400, body: { error_description: '登录请求已失效，请重新发起' } };
  expect(await redeem({ ...parameters, state: '000000' }, visit.cookie)).toMatchObject(stale);
  expect(await redeem(parameters, other.cookie)).toMatchObject(stale);
  expect(await redeem({ ...parameters, state: String(other.location.searchParams.get('state')) }, visit.cookie)).toMatchObject(stale);
  expect((await redeem(parameters, visit.cookie)).status).toBe(200);
  expect(await redeem(parameters, visit.cookie)).toMatchObject(stale);
});

const refused = { status: 400, body: { error: 'invalid_grant', error_description: '第三方登录失败，请重试' } };

test('a nonce of another sign-in is refused', async () => {
  const { location, cookie } = await startSignIn();
  location.searchParams.set('nonce', 'of-another-sign-in');
  expect(await redeem(await signInAtIssuer({ location, cookie }), cookie)).toMatchObject(refused);
});

test('a code for another PKCE challenge is refused by the issuer', async () => {
  const { location, cookie } = await startSignIn();
  location.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  expect(await redeem(await signInAtIssuer({ location, cookie }), cookie)).toMatchObject(refused);
});

test('a code that was redeemed before is refused, in a new sign-in too', async () => {
  const visit = await startSignIn();
  const parameters = await signInAtIssuer(visit);
  expect((await redeem(parameters, visit.cookie)).status).toBe(200);
  const next = await startSignIn();
  expect(await redeem({ ...parameters, state: String(next.location.searchParams.get('state')) }, next.cookie)).toMatchObject(refused);
});

test('a redirect back that names another issuer, or an empty one, is refused', async () => {
  for (const iss of ['https://evil.test', '']) {
    const visit = await startSignIn();
    expect(await redeem({ ...(await signInAtIssuer(visit)), iss }, visit.cookie)).toMatchObject(refused);
  }
});

test('the method is listed for its tenant only', async () => {
  const ways = async (tenantId: string) => (await server.get('/api/blade-auth/oauth/ways', { query: { tenantId } })).data;
  expect((await ways('000000')).sso).toBe(true);
  expect((await ways('others')).sso).toBe(false);
  expect(await server.get(renderPath, { query: { tenantId: 'others' } })).toMatchObject({ status: 400, msg: '未开通该登录方式' });
});
