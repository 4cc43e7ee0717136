import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { serverContract } from '#kit/server';
import * as contract from '#plugins/account/contract';
import { clientHeaders, openTestServer, password, type TestServer, testServer } from '../../../support/test-server.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const whoAmI = '/api/blade-auth/oauth/user-info';

serverContract('account', contract);

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['account'] });
});
afterAll(() => server.stop());

async function signIn(username: string, { agent = windows, address = '10.0.0.7' } = {}) {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/things-auth/oauth/token',
    remoteAddress: address,
    headers: { ...clientHeaders, 'user-agent': agent },
    payload: { grant_type: 'password', tenantId: '000000', username, password },
  });
  return { 'things-auth': `bearer ${reply.json().access_token}` };
}
const own = async (headers: Record<string, string>) => (await server.get('/api/blade-auth/session/list', { headers })).data;

test('users see their own sessions with device, address and times, the current one first', async () => {
  await server.createUser({ account: 'traveller' });
  const desk = await signIn('traveller');
  await signIn('traveller', { agent: phone, address: '10.0.0.8' });
  const sessions = await own(desk);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const id = expect.stringMatching(/^\d{15,19}$/);
  expect(sessions).toEqual([
    { id, device: 'Chrome 130 · Windows', address: '10.0.0.7', createTime: time, lastUsedAt: time, isCurrent: true },
    { id, device: 'Safari 17 · iOS', address: '10.0.0.8', createTime: time, lastUsedAt: time, isCurrent: false },
  ]);
});

test('users end their own sessions, one by one or all others; sessions of other users are ignored', async () => {
  await server.createUser({ account: 'owner' });
  await server.createUser({ account: 'bystander' });
  const bystander = await signIn('bystander');
  const [here, second, third] = [await signIn('owner'), await signIn('owner'), await signIn('owner')];
  const [foreign] = await own(bystander);
  const [, latest] = await own(here);
  expect((await server.post('/api/blade-auth/session/end', { ids: [latest.id, foreign.id, '1'] }, { headers: here })).data).toEqual({ count: 1 });
  expect((await server.get(whoAmI, { headers: bystander })).status).toBe(200);
  expect(await own(here)).toHaveLength(2);
  expect((await server.post('/api/blade-auth/session/end-others', {}, { headers: here })).data).toEqual({ count: 1 });
  expect((await server.get(whoAmI, { headers: here })).status).toBe(200);
  for (const headers of [second, third]) expect((await server.get(whoAmI, { headers })).status).toBe(401);
});

test('without the plugin a user still changes the password, and the other sessions end', async () => {
  const bare = await testServer({ plugins: [], db: server.db });
  try {
    await server.createUser({ account: 'newcomer' });
    await server.sql("update user_account set password_expired = true where account = 'newcomer'");
    const [here, elsewhere] = [await signIn('newcomer'), await signIn('newcomer')];
    expect(await bare.get('/api/blade-auth/session/list', { headers: here })).toMatchObject({ status: 404 });
    const change = { oldPassword: password, newPassword: 'Quiet-Harbour-2026', newPassword1: 'Quiet-Harbour-2026' };
    expect(await bare.post('/api/blade-system/user/update-password', change, { headers: here })).toMatchObject({ status: 200 });
    expect((await bare.get(whoAmI, { headers: here })).status).toBe(200);
    expect((await bare.get(whoAmI, { headers: elsewhere })).status).toBe(401);
  } finally {
    await bare.stop();
  }
});
