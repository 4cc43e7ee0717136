import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { clientHeaders, openTestServer, type TestServer } from '../../../../support/test-server.ts';

const path = '/api/blade-system/user/access';
const endPath = '/api/blade-system/user/end-sessions';

let server: TestServer;
let admin: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'session'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

const stateOf = async (userId: string, headers = admin) => server.get(path, { query: { userId }, headers });
const failOnce = (username: string) =>
  server.post('/api/things-auth/oauth/token', { grant_type: 'password', username, password: 'wrong' }, { headers: clientHeaders });

test('the state of an account names its last sign-in, its lock, its second factor and its sessions', async () => {
  const { userId } = await server.createUser({ account: 'seen' });
  expect((await stateOf(userId)).data).toEqual({ hasSecondFactor: false, sessions: [] });
  await server.signIn('seen');
  await expect
    .poll(async () => (await stateOf(userId)).data.lastSignIn, { timeout: 5000 })
    .toMatchObject({ address: expect.any(String), device: expect.any(String) });
  expect((await stateOf(userId)).data.sessions).toMatchObject([{ isCurrent: false }]);
  for (let count = 0; count < 5; count += 1) {
    await failOnce('seen');
    await server.sql(`update login_failure set failed_at = failed_at - interval '5 minutes'`);
  }
  expect((await stateOf(userId)).data.lockedUntil).toMatch(/^\d{4}-/);
  expect((await server.post('/api/blade-system/user/unlock', { userIds: [userId] }, { headers: admin })).status).toBe(200);
  expect((await stateOf(userId)).data.lockedUntil).toBeUndefined();
});

test('one session or all sessions of a user are ended, and their next request is refused', async () => {
  const { userId } = await server.createUser({ account: 'ended' });
  const [first, second, third] = [await server.signIn('ended'), await server.signIn('ended'), await server.signIn('ended')];
  const sessions = (await stateOf(userId)).data.sessions as { id: string }[];
  expect(sessions).toHaveLength(3);
  const status = async (headers: Record<string, string>) => (await server.get('/api/blade-auth/oauth/user-info', { headers })).status;
  expect((await server.post(endPath, { userId, ids: [sessions.at(-1)?.id] }, { headers: admin })).data).toEqual({ count: 1 });
  const left = [await status(first), await status(second), await status(third)];
  expect(left.filter((one) => one === 401)).toHaveLength(1);
  expect((await server.post(endPath, { userId }, { headers: admin })).data).toEqual({ count: 2 });
  expect(await status(third)).toBe(401);
  expect(await status(admin)).toBe(200);
});

test('neither state nor sessions of a stronger account, of another tenant or without the codes', async () => {
  const { userId } = await server.createUser({ account: 'weak', codes: ['user'] });
  const weak = await server.signIn('weak');
  const { userId: other } = await server.createUser({ account: 'plain' });
  const { userId: strong } = await server.createUser({ account: 'strong', codes: ['user', 'online', 'online_kick'] });
  const { userId: foreign } = await server.createUser({ account: 'foreign', tenantId: '100001' });
  expect((await stateOf(other, weak)).data).toEqual({ hasSecondFactor: false });
  expect((await stateOf(userId, weak)).status).toBe(200);
  expect((await stateOf(strong, weak)).status).toBe(403);
  expect((await stateOf(foreign)).status).toBe(404);
  expect((await server.post(endPath, { userId: other }, { headers: weak })).status).toBe(403);
  const kicker = await server.createUser({ account: 'kicker', codes: ['user', 'online_kick'] }).then(() => server.signIn('kicker'));
  expect((await server.post(endPath, { userId: strong }, { headers: kicker })).status).toBe(403);
  expect((await server.post(endPath, { userId: foreign }, { headers: kicker })).status).toBe(404);
  expect((await server.get(path, { query: { userId: other } })).status).toBe(401);
});
