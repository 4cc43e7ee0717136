import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import * as oidc from 'openid-client';
import { secretHash } from '../../../../../src/server/platform/identity/accounts/clients.ts';
import { openTestServer, type TestServer } from '../../../../support/test-server.ts';

const back = 'https://reports.test/back';
const secret = 'a secret: 100% & “quoted”';

let server: TestServer;
let headers: Record<string, string>;
let address: string;
beforeAll(async () => {
  server = await openTestServer();
  await server.sql(
    `insert into client (client_id, secret_hash, is_public, authorized_grant_types, web_server_redirect_uri) values
      ('reports', '${secretHash(secret)}', false, '["authorization_code","refresh_token"]', '${back}'),
      ('mobile', '', true, '["authorization_code","refresh_token"]', '${back}')`,
  );
  headers = await server.signIn();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => server.stop());

/** Creates a client program that knows only two addresses of the server. */
function program(clientId: string, proof: oidc.ClientAuth): oidc.Configuration {
  const metadata = { issuer: address, authorization_endpoint: `${address}/oauth/authorize`, token_endpoint: `${address}/api/blade-auth/oauth/token` };
  const settings = new oidc.Configuration(metadata, clientId, undefined, proof);
  oidc.allowInsecureRequests(settings);
  return settings;
}

/** Acts as the console's page for a signed-in user. */
async function answered(location: URL, approve: boolean): Promise<URL> {
  const begun = await fetch(location, { redirect: 'manual' });
  const page = new URL(begun.headers.get('location') ?? '', address);
  expect(page.pathname).toBe('/oauth/consent');
  const { data } = await server.post('/api/blade-auth/oauth/consent', { ...Object.fromEntries(page.searchParams), approve }, { headers });
  return new URL(data.location);
}

async function setOut(settings: oidc.Configuration) {
  const state = oidc.randomState();
  const verifier = oidc.randomPKCECodeVerifier();
  const location = oidc.buildAuthorizationUrl(settings, {
    redirect_uri: back,
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { location, checks: { expectedState: state, pkceCodeVerifier: verifier } };
}

test.each([
  ['with a secret of any characters', 'reports', oidc.ClientSecretBasic(secret)],
  ['with its secret in the body', 'reports', oidc.ClientSecretPost(secret)],
  ['without a secret', 'mobile', oidc.None()],
])('an independent program, %s, signs a user in, sends requests for them and refreshes', async (_, clientId, proof) => {
  const settings = program(clientId, proof);
  const { location, checks } = await setOut(settings);
  const tokens = await oidc.authorizationCodeGrant(settings, await answered(location, true), checks);
  expect(tokens).toMatchObject({ token_type: 'bearer', account: 'admin' });
  const asked = await fetch(`${address}/api/blade-auth/oauth/user-info`, { headers: { 'blade-auth': `bearer ${tokens.access_token}` } });
  expect(await asked.json()).toMatchObject({ data: { account: 'admin' } });
  const renewed = await oidc.refreshTokenGrant(settings, tokens.refresh_token ?? '');
  expect(renewed.access_token).not.toBe(tokens.access_token);
  await expect(oidc.refreshTokenGrant(settings, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('it gets refusals and all errors in the terms of the protocol', async () => {
  const settings = program('reports', oidc.ClientSecretBasic(secret));
  const refused = await setOut(settings);
  await expect(oidc.authorizationCodeGrant(settings, await answered(refused.location, false), refused.checks)).rejects.toMatchObject({
    error: 'access_denied',
  });
  const mixed = await setOut(settings);
  const returned = await answered(mixed.location, true);
  await expect(oidc.authorizationCodeGrant(settings, returned, { ...mixed.checks, expectedState: 'another' })).rejects.toThrow();
  const wrongVerifier = { ...mixed.checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
  await expect(oidc.authorizationCodeGrant(settings, returned, wrongVerifier)).rejects.toMatchObject({ error: 'invalid_grant' });
  const stranger = program('reports', oidc.ClientSecretBasic('something else'));
  await expect(oidc.authorizationCodeGrant(stranger, returned, mixed.checks)).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
});
