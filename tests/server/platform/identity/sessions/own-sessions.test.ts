import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { LiveOpened } from '#shared/live';
import { SessionEnded } from '#shared/sessions';
import { deviceOf } from '../../../../../src/server/platform/http/device.ts';
import { listen } from '../../../../support/live-listener.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const whoAmI = '/api/blade-auth/oauth/user-info';

let server: TestServer;
let admin: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['session', 'account'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

async function signIn(username: string, { agent = windows, address = '10.0.0.7', tenantId = '000000' } = {}) {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/things-auth/oauth/token',
    remoteAddress: address,
    headers: { ...clientHeaders, 'user-agent': agent },
    payload: { grant_type: 'password', tenantId, username, password },
  });
  return { 'things-auth': `bearer ${reply.json().access_token}` };
}
const own = async (headers: Record<string, string>) => (await server.get('/api/blade-auth/session/list', { headers })).data;
const online = async (query: Record<string, string> = {}, headers = admin) =>
  (await server.get('/api/blade-system/online/list', { headers, query: { size: '200', ...query } })).data;

test('an administrator sees the sessions of the tenant, filtered and sorted, and none of another tenant', async () => {
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['online', 'online_kick'], tenantId: 'rivals', roleAlias: 'admin' });
  await server.createUser({ account: 'idler' });
  const rival = await signIn('rival', { tenantId: 'rivals' });
  await signIn('idler', { agent: phone });
  const [row] = (await online({ account: 'idler' })).records;
  expect(row).toMatchObject({ account: 'idler', realName: 'idler', device: 'Safari 17 · iOS', address: '10.0.0.7', isOnline: true });
  expect((await online()).records.map(({ account }: { account: string }) => account)).not.toContain('rival');
  expect((await online({}, rival)).records.map(({ account }: { account: string }) => account)).toEqual(['rival']);
  expect(await server.post('/api/blade-system/online/kick', { ids: [row.id] }, { headers: rival })).toMatchObject({ status: 200, data: { count: 0 } });
  await server.sql(`update session set last_used_at = now() - interval '11 minutes' where row_id = ${row.id}`);
  expect((await online({ account: 'idler', isOnline: 'true' })).total).toBe(0);
  expect((await online({ account: 'idler', isOnline: 'false' })).total).toBe(1);
  const total = (await online()).total;
  await server.sql(`update session set expires_at = now() - interval '1 second' where row_id = ${row.id}`);
  expect(await online()).toMatchObject({ total: total - 1, totalExact: true });
});

test('an ended session is notified at once and its next request is 401; ending requires the code', async () => {
  await server.createUser({ account: 'guest' });
  const [guest, elsewhere] = [await signIn('guest'), await signIn('guest', { agent: phone })];
  const listener = await listen(server, guest);
  const spared = await listen(server, elsewhere);
  await listener.next(LiveOpened.name);
  await spared.next(LiveOpened.name);
  const id = (await own(guest))[0].id;
  expect((await server.post('/api/blade-system/online/kick', { ids: [id] }, { headers: guest })).status).toBe(403);
  expect((await server.post('/api/blade-system/online/kick', { ids: [id] }, { headers: admin })).data).toEqual({ count: 1 });
  expect((await server.get(whoAmI, { headers: guest })).status).toBe(401);
  expect(await listener.next(SessionEnded.name)).toEqual({ id: undefined, payload: { reason: 'kicked' } });
  await listener.ended;
  expect((await server.get(whoAmI, { headers: elsewhere })).status).toBe(200);
  expect(spared.heard.map(({ event }) => event)).toEqual([LiveOpened.name]);
  expect((await server.sql(`select reason from session where row_id = ${id}`))[0]).toEqual({ reason: 'kicked' });
});

test('use is noted, though not with every request', async () => {
  await server.createUser({ account: 'worker' });
  const headers = await signIn('worker');
  const [{ id }] = await own(headers);
  await server.sql(`update session set last_used_at = now() - interval '5 minutes' where row_id = ${id}`);
  await server.get('/api/blade-auth/oauth/clear-cache', { headers });
  await server.get(whoAmI, { headers });
  await expect
    .poll(async () => (await server.sql(`select last_used_at > now() - interval '1 minute' as fresh from session where row_id = ${id}`))[0]?.fresh)
    .toBe(true);
});

test('an administrator lets locked accounts in again, of the own tenant alone', async () => {
  const { userId } = await server.createUser({ account: 'locked' });
  await server.createTenant('others');
  await server.createUser({ account: 'keeper', codes: ['user_unlock'], tenantId: 'others' });
  const keeper = await signIn('keeper', { tenantId: 'others' });
  const attempt = (word: string) =>
    server.post('/api/things-auth/oauth/token', { grant_type: 'password', username: 'locked', password: word }, { headers: clientHeaders });
  for (let failure = 0; failure < 6; failure += 1) {
    await attempt('wrong');
    await server.sql(`update login_failure set failed_at = now() - interval '1 minute'`);
  }
  expect((await attempt(password)).body.error_description).toBe('用户登录失败次数过多');
  const unlock = (headers: Record<string, string>) => server.post('/api/blade-system/user/unlock', undefined, { query: { userIds: userId }, headers });
  expect((await unlock(keeper)).status).toBe(404);
  expect((await attempt(password)).status).toBe(400);
  expect((await unlock(admin)).status).toBe(200);
  expect((await attempt(password)).status).toBe(200);
  await server.createUser({ account: 'plain' });
  expect((await unlock(await signIn('plain'))).status).toBe(403);
});

test('a user agent is described in words', () => {
  const told = [
    windows,
    phone,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36 Edg/129.0.2792.52',
    'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
    'Mozilla/5.0 (Linux; Android 14; 23127PN0CC) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0 Mobile Safari/537.36 MicroMessenger/8.0.50',
    'curl/8.5.0',
    '',
    '<script>alert(1)</script>',
  ].map(deviceOf);
  expect(told).toEqual([
    'Chrome 130 · Windows',
    'Safari 17 · iOS',
    'Safari 17 · macOS',
    'Edge 129 · Windows',
    'Firefox 131 · Linux',
    'WeChat 8 · Android',
    'curl 8.5.0',
    '–',
    '–',
  ]);
});
