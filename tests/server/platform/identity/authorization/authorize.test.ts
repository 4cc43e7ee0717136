import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { secretHash } from '../../../../../src/server/platform/identity/accounts/clients.ts';
import { openTestServer, type TestServer } from '../../../../support/test-server.ts';

const tokenPath = '/api/blade-auth/oauth/token';
const consent = '/api/blade-auth/oauth/consent';
const back = 'https://reports.test/back?from=console';
const secret = 'the secret of the reports';
const confidential = { authorization: `Basic ${btoa(`reports:${secret}`)}` };
const open = { authorization: `Basic ${btoa('mobile:')}` };
const verifier = 'a-verifier-that-is-long-enough-to-be-one-0123456789';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const asked = { client_id: 'reports', response_type: 'code', redirect_uri: back, state: 'st&te=1' };

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer();
  await server.sql(
    `insert into client (client_id, secret_hash, is_public, authorized_grant_types, web_server_redirect_uri) values
      ('reports', '${secretHash(secret)}', false, '["authorization_code","refresh_token"]', '${back}, https://reports.test/other'),
      ('mobile', '', true, '["authorization_code","refresh_token"]', 'https://mobile.test/back'),
      ('closed', '${secretHash(secret)}', false, '["password"]', '${back}'),
      ('odd', '${secretHash(secret)}', false, '["authorization_code"]', 'javascript:alert(1),https://odd.test/#x')`,
  );
  headers = await server.signIn();
});
afterAll(() => server.stop());

const authorize = (query: Record<string, string>, path = '/oauth/authorize') => server.get(path, { query });
const approve = async (request: Record<string, string> = asked) => {
  const { data } = await server.post(consent, { ...request, approve: true }, { headers });
  return new URL(data.location);
};
const codeOf = async (request: Record<string, string> = asked) => (await approve(request)).searchParams.get('code') ?? '';
const redeem = (code: string, more: Record<string, string> = {}, client: Record<string, string> = confidential) =>
  server.post(tokenPath, { grant_type: 'authorization_code', code, redirect_uri: back, ...more }, { headers: client });

test('the browser is redirected to the console’s own page with the request', async () => {
  for (const path of ['/oauth/authorize', '/api/blade-auth/oauth/authorize', '/api/things-auth/oauth/authorize']) {
    const reply = await authorize(asked, path);
    expect(reply.status).toBe(302);
    const location = String(reply.headers.location);
    expect(location.startsWith('/oauth/consent?')).toBe(true);
    expect(Object.fromEntries(new URLSearchParams(location.split('?')[1]))).toEqual(asked);
  }
});

test('an unknown client and an address that is not registered to the letter lead nowhere at all', async () => {
  const wrong = [
    { ...asked, client_id: 'nobody' },
    { ...asked, client_id: 'closed' },
    ...[
      'https://evil.test/',
      `${back}&x=1`,
      'https://reports.test/back',
      `${back}/`,
      'https://reports.test.evil.test/back?from=console',
      `${back}, https://reports.test/other`,
    ].map((redirect_uri) => ({ ...asked, redirect_uri })),
    { ...asked, client_id: 'odd', redirect_uri: 'javascript:alert(1)' },
    { ...asked, client_id: 'odd', redirect_uri: 'https://odd.test/#x' },
  ];
  for (const request of wrong) {
    const replies = [
      await authorize(request),
      await server.get(consent, { query: request, headers }),
      await server.post(consent, { ...request, approve: true }, { headers }),
    ];
    expect(replies.map(({ status, headers: sent }) => [status, sent.location])).toEqual(Array(3).fill([400, undefined]));
  }
});

test('other errors are reported to the requesting program', async () => {
  const errorOf = async (request: Record<string, string>) => new URL(String((await authorize(request)).headers.location)).searchParams.get('error');
  expect(await errorOf({ ...asked, response_type: 'token' })).toBe('unsupported_response_type');
  expect(await errorOf({ ...asked, code_challenge: challenge, code_challenge_method: 'plain' })).toBe('invalid_request');
  expect(await errorOf({ ...asked, client_id: 'mobile', redirect_uri: 'https://mobile.test/back' })).toBe('invalid_request');
});

test('only a signed-in user can consent, and can refuse', async () => {
  expect((await server.post(consent, { ...asked, approve: true })).status).toBe(401);
  expect((await server.get(consent, { query: asked, headers })).data).toEqual({ clientId: 'reports', host: 'reports.test', isTrusted: false });
  const { data } = await server.post(consent, { ...asked, approve: false }, { headers });
  expect(Object.fromEntries(new URL(data.location).searchParams)).toEqual({ from: 'console', error: 'access_denied', state: 'st&te=1' });
});

test('a code signs the user in at the program, with its secret, once', async () => {
  const location = await approve();
  expect(location.origin + location.pathname).toBe('https://reports.test/back');
  expect(location.searchParams.get('state')).toBe('st&te=1');
  const code = location.searchParams.get('code') ?? '';
  const { status, body } = await redeem(code);
  expect(status).toBe(200);
  expect(body).toMatchObject({ account: 'admin', token_type: 'bearer' });
  const as = { 'things-auth': `bearer ${body.access_token}` };
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers: as })).status).toBe(200);
  expect((await server.post(tokenPath, { grant_type: 'refresh_token', refresh_token: body.refresh_token }, { headers: confidential })).status).toBe(200);
});

test('a code that is used twice is refused and ends its session', async () => {
  const code = await codeOf();
  const { body } = await redeem(code);
  const as = { 'things-auth': `bearer ${body.access_token}` };
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers: as })).status).toBe(200);
  expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_description: '授权码无效或已过期' } });
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers: as })).status).toBe(401);
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers })).status).toBe(200);
});

test('of ten concurrent redemptions of one code one gets tokens', async () => {
  const code = await codeOf();
  const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a code is good for a minute, for its client and for its address', async () => {
  const late = await codeOf();
  await server.sql(`update authorization_code set expires_at = now() where used_at is null`);
  expect((await redeem(late)).status).toBe(400);
  expect((await redeem(await codeOf(), { redirect_uri: 'https://reports.test/other' })).status).toBe(400);
  expect((await redeem(await codeOf(), { redirect_uri: '' })).status).toBe(400);
  expect((await redeem(await codeOf(), { code_verifier: verifier }, open)).status).toBe(400);
  expect((await redeem(await codeOf(), {}, { authorization: `Basic ${btoa('reports:wrong')}` })).status).toBe(401);
  expect((await redeem(`mc_${'x'.repeat(43)}`)).status).toBe(400);
});

test('a client without a secret proves itself with PKCE, and one with a secret may as well', async () => {
  const mobile = {
    client_id: 'mobile',
    response_type: 'code',
    redirect_uri: 'https://mobile.test/back',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const redeemOpen = (code: string, code_verifier: string) => redeem(code, { redirect_uri: 'https://mobile.test/back', code_verifier }, open);
  expect((await redeemOpen(await codeOf(mobile), verifier)).status).toBe(200);
  expect((await redeemOpen(await codeOf(mobile), `${verifier}x`)).status).toBe(400);
  expect((await redeemOpen(await codeOf(mobile), '')).status).toBe(400);
  const both = { ...asked, code_challenge: challenge, code_challenge_method: 'S256' };
  expect((await redeem(await codeOf(both))).status).toBe(400);
  expect((await redeem(await codeOf(both), { code_verifier: verifier })).status).toBe(200);
});

test('a program that was authorized cannot authorize others', async () => {
  const { body } = await redeem(await codeOf());
  const as = { 'things-auth': `bearer ${body.access_token}` };
  expect(await server.post(consent, { ...asked, approve: true }, { headers: as })).toMatchObject({ status: 403 });
});

test('a trusted program need not be asked about', async () => {
  await server.sql(`update client set autoapprove = true where client_id = 'reports'`);
  expect((await server.get(consent, { query: asked, headers })).data.isTrusted).toBe(true);
  await server.sql(`update client set autoapprove = false where client_id = 'reports'`);
});

test('a disabled account gets nothing', async () => {
  const code = await codeOf();
  await server.sql(`update user_account set status = 2 where account = 'admin'`);
  expect((await redeem(code)).status).toBe(400);
  await server.sql(`update user_account set status = 1 where account = 'admin'`);
});

test('neither code nor verifier is stored or logged', async () => {
  const code = await codeOf();
  await redeem(code, { code_verifier: verifier });
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const kept = JSON.stringify([await server.sql('select * from authorization_code'), await server.sql('select * from api_log')]);
  expect(kept).not.toContain(code);
  expect(kept).not.toContain(verifier);
});
