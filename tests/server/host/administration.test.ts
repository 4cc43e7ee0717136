import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { resetFromCommandLine } from '../../../src/server/host/administration.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../support/test-server.ts';

const sm2Key = new Uint8Array(40).fill(7);

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.stop());

const token = (username: string, word: string, tenantId = '000000') =>
  server.post('/api/things-auth/oauth/token', { grant_type: 'password', tenantId, username, password: word }, { headers: clientHeaders });
const reset = (account: string, change: { tenantId?: string; secondFactor?: boolean } = {}) =>
  resetFromCommandLine(server.db, [sm2Key], { tenantId: '000000', secondFactor: false, ...change, account });

test('a locked-out administrator without a password is restored from the command line, ignoring the case of the account', async () => {
  const session = await server.signIn();
  await server.sql("insert into login_failure values ('pair', '000000/admin', 5, now() + interval '20 minutes', '127.0.0.1')");
  expect((await token('admin', password)).status).toBe(400);
  const given = await reset('Admin');
  expect(given).toMatchObject({ account: 'admin', password: expect.stringMatching(/^[\w-]{19}$/) });
  expect((await server.get('/api/things-auth/oauth/user-info', { headers: session })).status).toBe(401);
  const { body } = await token('admin', given?.password ?? '');
  const headers = { 'things-auth': `bearer ${body.access_token}` };
  expect((await server.get('/api/blade-system/user/info', { headers })).status).not.toBe(200);
  expect((await token('admin', password)).status).toBe(400);
});

test('the second factor goes only where that was asked for', async () => {
  const { userId } = await server.createUser({ account: 'stranded' });
  await server.sql(`insert into second_factor (tenant_id, user_id, secret, confirmed_at) values ('000000', ${userId}, 'sealed', now())`);
  const kept = () => server.sql(`select 1 from second_factor where user_id = ${userId}`);
  await reset('stranded');
  expect(await kept()).toHaveLength(1);
  await reset('stranded', { secondFactor: true });
  expect(await kept()).toHaveLength(0);
});

test('an account of another tenant is found only with its tenant, and an unknown account is reported', async () => {
  await server.createTenant('acme');
  await server.createUser({ account: 'chief', tenantId: 'acme' });
  expect(await reset('chief')).toBeUndefined();
  const given = await reset('chief', { tenantId: 'acme' });
  expect((await token('chief', given?.password ?? '', 'acme')).body.access_token).toBeTruthy();
});
