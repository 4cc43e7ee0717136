import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { type ScriptedProvider, startScriptedProvider } from '../../../support/scripted-provider.ts';
import { clientHeaders, openTestServer, type TestServer } from '../../../support/test-server.ts';

const redirectUri = 'https://console.test/oauth/redirect/sso';
const keys = { own: await generateKeyPair('RS256'), foreign: await generateKeyPair('RS256') };

let issuer: ScriptedProvider;
let server: TestServer;
beforeAll(async () => {
  issuer = await startScriptedProvider();
  const { origin } = issuer;
  issuer.on('/.well-known/openid-configuration', {
    body: {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
  });
  issuer.on('/jwks', { body: { keys: [{ ...(await exportJWK(keys.own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] } });
  server = await openTestServer({
    plugins: ['social-sign-in', 'registration'],
    environment: { PUBLIC_URL: 'https://console.test', SSO_ISSUER: origin, SSO_CLIENT_ID: 'marquee', SSO_CLIENT_SECRET: 'secret of marquee' },
  });
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
});

const now = () => Math.floor(Date.now() / 1000);
const signed = (claims: JWTPayload, key = keys.own.privateKey) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);

/** Signs in at an issuer whose id token is derived from valid claims. */
async function enterWith(idToken: (right: JWTPayload) => Promise<string> | string) {
  const begun = await server.get('/api/blade-auth/oauth/render/sso');
  const location = new URL(String(begun.headers.location));
  const right = { iss: issuer.origin, aud: 'marquee', sub: 'ada', iat: now(), exp: now() + 60, nonce: location.searchParams.get('nonce') };
  const id_token = await idToken(right);
  issuer.on('/token', { body: { access_token: 'at', token_type: 'bearer', expires_in: 60, ...(id_token === '' ? {} : { id_token }) } });
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
  const state = location.searchParams.get('state') ?? '';
  return server.post(
    tokenPath,
    { grant_type: 'authorization_code', tenantId: state, code: 'c0de', redirect_uri: redirectUri },
    { headers: { ...clientHeaders, cookie } },
  );
}
const tokenPath = '/api/things-auth/oauth/token';

test('a valid id token is accepted', async () => {
  expect(await enterWith((right) => signed(right))).toMatchObject({ status: 200, body: { user_id: '' } });
});

test.each<[string, (right: JWTPayload) => Promise<string> | string]>([
  ['for another audience', (right) => signed({ ...right, aud: 'somebody-else' })],
  ['for several audiences, with another in charge', (right) => signed({ ...right, aud: ['marquee', 'other'], azp: 'other' })],
  ['of another issuer', (right) => signed({ ...right, iss: 'https://evil.test' })],
  ['with another nonce', (right) => signed({ ...right, nonce: 'other' })],
  ['without a nonce', ({ nonce: _, ...right }) => signed(right)],
  ['that has run out', (right) => signed({ ...right, iat: now() - 600, exp: now() - 300 })],
  ['without an end', ({ exp: _, ...right }) => signed(right)],
  ['without a subject', ({ sub: _, ...right }) => signed(right)],
  ['signed with a key that is not the issuer’s', (right) => signed(right, keys.foreign.privateKey)],
  ['that nobody signed', (right) => new UnsecuredJWT(right).encode()],
  ['changed after it was signed', async (right) => (await signed(right)).replace(/\.(.)/, (_match, letter: string) => `.${letter === 'e' ? 'f' : 'e'}`)],
  ['that is missing', () => ''],
])('an id token %s is refused', async (_name, idToken) => {
  expect(await enterWith(idToken)).toMatchObject({ status: 400, body: { error_description: '第三方登录失败，请重试' } });
});

test('an issuer with addresses on unlisted hosts is not contacted', async () => {
  const other = await startScriptedProvider();
  const stray = await startScriptedProvider();
  stray.on('/.well-known/openid-configuration', {
    body: { issuer: stray.origin, authorization_endpoint: `${stray.origin}/a`, token_endpoint: `${other.origin}/token`, jwks_uri: `${stray.origin}/jwks` },
  });
  const strict = await openTestServer({
    plugins: ['social-sign-in', 'registration'],
    environment: { PUBLIC_URL: 'https://console.test', SSO_ISSUER: stray.origin, SSO_CLIENT_ID: 'marquee' },
  });
  const begun = await strict.get('/api/blade-auth/oauth/render/sso');
  const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
  const headers = { ...clientHeaders, cookie: String(begun.headers['set-cookie']).split(';')[0] ?? '' };
  expect((await strict.post(tokenPath, { grant_type: 'authorization_code', tenantId: state, code: 'x' }, { headers })).status).toBe(503);
  expect(other.calls).toEqual([]);
  await strict.stop();
  await stray.stop();
  await other.stop();
});

test('an issuer that does not answer affects nothing else, and is contacted again later', async () => {
  const late = await startScriptedProvider();
  const patient = await openTestServer({
    plugins: ['social-sign-in', 'registration'],
    environment: { PUBLIC_URL: 'https://console.test', SSO_ISSUER: late.origin, SSO_CLIENT_ID: 'marquee' },
  });
  expect((await patient.get('/api/blade-auth/oauth/render/sso')).status).toBe(400);
  late.on('/.well-known/openid-configuration', { status: 503, body: 'down' });
  expect((await patient.get('/api/blade-auth/oauth/render/sso')).status).toBe(503);
  expect((await patient.signIn())['things-auth']).toMatch(/^bearer /);
  late.on('/.well-known/openid-configuration', {
    body: { issuer: late.origin, authorization_endpoint: `${late.origin}/a`, token_endpoint: `${late.origin}/t`, jwks_uri: `${late.origin}/jwks` },
  });
  expect((await patient.get('/api/blade-auth/oauth/render/sso')).status).toBe(302);
  await patient.stop();
  await late.stop();
});
