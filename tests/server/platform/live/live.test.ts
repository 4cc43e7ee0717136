import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { event } from '#shared/contract';
import { LiveOpened, liveEvents, PermissionChanged } from '#shared/live';
import { anonymous } from '../../../../src/server/platform/http/authorize-call.ts';
import { LiveEvents } from '../../../../src/server/platform/live/live-events.ts';
import { LiveConnection } from '../../../../src/server/platform/live/live-hub.ts';
import { invalidatePrincipals } from '../../../../src/server/platform/principal/principal-cache.ts';
import { listen } from '../../../support/live-listener.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

const Lit = event<{ lamp: number }>('lamp:lit');

let server: TestServer;
let live: LiveEvents;
let headers: Record<string, string>;
let users: Record<'keeper' | 'visitor' | 'stranger', string>;

beforeAll(async () => {
  server = await openTestServer();
  live = new LiveEvents(server.db);
  await server.createTenant('rivals');
  const made = [
    await server.createUser({ account: 'keeper', roleAlias: 'keeper' }),
    await server.createUser({ account: 'visitor', roleAlias: 'visitor' }),
    await server.createUser({ account: 'stranger', roleAlias: 'keeper', tenantId: 'rivals' }),
  ];
  users = Object.fromEntries(['keeper', 'visitor', 'stranger'].map((name, index) => [name, made[index]?.userId])) as typeof users;
});
afterAll(() => server.stop());
beforeEach(async () => {
  headers = await server.signIn('keeper');
});

const inHall = <Result>(work: () => Promise<Result>) => server.db.write({ tenantId: '000000' }, work);

test('a stream opens at once, in a form that proxies pass on', async () => {
  const reply = await server.app.inject({ method: 'GET', url: liveEvents.path, headers, payloadAsStream: true });
  reply.stream().destroy();
  expect(reply.statusCode).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(reply.headers['content-security-policy']).toBeDefined();

  const listener = await listen(server, headers);
  expect(await listener.next(LiveOpened.name)).toEqual({
    id: expect.stringMatching(/^\d{15,19}$/),
    payload: { build: '', permissions: expect.stringMatching(/^.{16}$/), off: [], resumed: false },
  });
});

test('the stream names the console the server delivers: the same after a restart, another after an upgrade', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-console-'));
  const deployed = async (page: string) => {
    writeFileSync(join(folder, 'index.html'), page);
    const replica = await testServer({ db: server.db, environment: { CONSOLE_DIR: folder } });
    const { payload } = await (await listen(replica, headers)).next(LiveOpened.name);
    return (payload as { build: string }).build;
  };
  const first = await deployed('<script src="/assets/index.1.js"></script>');
  expect(first).toMatch(/^.{12}$/);
  expect(await deployed('<script src="/assets/index.1.js"></script>')).toBe(first);
  expect(await deployed('<script src="/assets/index.2.js"></script>')).not.toBe(first);
  rmSync(folder, { recursive: true });
});

test('listening requires a token in the header', async () => {
  expect(await server.get(liveEvents.path)).toMatchObject({ status: 401, code: 401 });
  const token = headers['things-auth']?.replace('bearer ', '') ?? '';
  expect(await server.get(liveEvents.path, { query: { 'things-auth': token, access_token: token } })).toMatchObject({ status: 401 });
});

test('an event is sent with the commit of its transaction, and never after a rollback', async () => {
  const listener = await listen(server, headers);
  await listener.next(LiveOpened.name);
  await inHall(async () => {
    await live.publish(Lit, { lamp: 1 }, { user: users.keeper });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(listener.heard.map(({ event: name }) => name)).toEqual([LiveOpened.name]);
  });
  expect(await listener.next(Lit.name)).toMatchObject({ payload: { lamp: 1 } });
  await inHall(async () => {
    await live.publish(Lit, { lamp: 2 }, { user: users.keeper });
    throw new Error('changed my mind');
  }).catch(() => undefined);
  await inHall(() => live.publish(Lit, { lamp: 3 }, { user: users.keeper }));
  expect(await listener.next(Lit.name)).toMatchObject({ payload: { lamp: 3 } });
});

test('other users, roles and tenants do not get an event', async () => {
  const [keeper, visitor, stranger] = await Promise.all([
    listen(server, headers),
    server.signIn('visitor').then((as) => listen(server, as)),
    server.signIn('stranger', 'rivals').then((as) => listen(server, as)),
  ]);
  for (const listener of [keeper, visitor, stranger]) await listener.next(LiveOpened.name);
  await live.publish(Lit, { lamp: 1 }, { user: users.keeper, tenant: '000000' });
  await live.publish(Lit, { lamp: 2 }, { role: 'keeper', tenant: '000000' });
  await live.publish(Lit, { lamp: 3 }, { tenant: '000000' });
  await live.publish(Lit, { lamp: 4 }, { tenant: 'rivals' });
  await live.publish(Lit, { lamp: 5 }, { everyone: true });
  const lamps = (listener: { heard: { event?: string | undefined; data: string }[] }) =>
    listener.heard.filter(({ event: name }) => name === Lit.name).map(({ data }) => JSON.parse(data).lamp);
  for (const listener of [keeper, visitor, stranger]) while (!lamps(listener).includes(5)) await listener.next(Lit.name);
  expect({ keeper: lamps(keeper), visitor: lamps(visitor), stranger: lamps(stranger) }).toEqual({ keeper: [1, 2, 3, 5], visitor: [3, 5], stranger: [4, 5] });
});

test('a reconnecting console gets the missed events, from another replica too, and none of others', async () => {
  const replica = await testServer({ db: server.db });
  const first = await listen(server, headers);
  const { id: opened = '' } = await first.next(LiveOpened.name);
  await inHall(() => live.publish(Lit, { lamp: 21 }, { user: users.keeper }));
  const { id: place = '' } = await first.next(Lit.name);
  expect(BigInt(place)).toBeGreaterThan(BigInt(opened));
  first.cutOff();
  await inHall(() => live.publish(Lit, { lamp: 22 }, { user: users.keeper }));
  await inHall(() => live.publish(Lit, { lamp: 23 }, { user: users.visitor }));
  await inHall(() => live.publish(Lit, { lamp: 24 }, { role: 'visitor' }));
  await live.publish(Lit, { lamp: 25 }, { everyone: true });

  for (const any of [replica, server]) {
    const again = await listen(any, headers, place);
    expect(await again.next(LiveOpened.name)).toMatchObject({ payload: { resumed: true } });
    while (!again.heard.some(({ data }) => data === '{"lamp":25}')) await again.next(Lit.name);
    const missed = again.heard.filter(({ id }) => id !== undefined && BigInt(id) > BigInt(place)).map(({ data }) => JSON.parse(data).lamp);
    expect(missed, JSON.stringify(again.heard)).toEqual([22, 25]);
  }

  const stranger = await listen(replica, await server.signIn('stranger', 'rivals'), place);
  await stranger.next(LiveOpened.name);
  await live.publish(Lit, { lamp: 26 }, { everyone: true });
  while (!stranger.heard.some(({ data }) => data === '{"lamp":26}')) await stranger.next(Lit.name);
  expect(stranger.heard.some(({ data }) => /"lamp":2[1234]/.test(data))).toBe(false);
});

test('a connecting console gets all events since its request, and none from before', async () => {
  await live.publish(Lit, { lamp: 31 }, { everyone: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = Date.now();
  await live.publish(Lit, { lamp: 32 }, { everyone: true });
  const listener = await listen(server, { ...headers, 'live-since': String(Date.now() - began + 100) });
  const { id: place = '', payload } = await listener.next(LiveOpened.name);
  expect(payload).toMatchObject({ resumed: true });
  while (!listener.heard.some(({ data }) => data === '{"lamp":32}')) await listener.next(Lit.name);
  const after = listener.heard.filter(({ event: name, id }) => name === Lit.name && BigInt(id ?? 0) > BigInt(place));
  expect(after.map(({ data }) => JSON.parse(data).lamp)).toEqual([32]);

  for (const since of ['-5', 'yesterday', '99999999']) {
    const other = await listen(server, { ...headers, 'live-since': since });
    expect({ since, ...(await other.next(LiveOpened.name)) }).toMatchObject({ since, payload: { resumed: false } });
  }
});

test('a position that is too old, too far or invalid is not resumed, which is reported', async () => {
  const day = (24n * 3_600_000n) << 22n;
  const yesterday = String(BigInt(await live.now()) - day);
  for (const place of [yesterday, '0', "1' or '1'='1", '99999999999999999999999']) {
    const listener = await listen(server, headers, place);
    expect({ place, ...(await listener.next(LiveOpened.name)) }).toMatchObject({ place, payload: { resumed: false } });
  }
});

test('signing out ends the stream, on every replica', async () => {
  const replica = await testServer({ db: server.db });
  const listeners = [await listen(server, headers), await listen(replica, headers)];
  for (const listener of listeners) await listener.next(LiveOpened.name);
  expect(await server.get('/api/things-auth/oauth/logout', { headers })).toMatchObject({ code: 200 });
  await Promise.all(listeners.map(({ ended }) => ended));
});

test('a user is notified of a new grant, and a new connection reports changed permissions', async () => {
  const before = await listen(server, headers);
  const opening = (await before.next(LiveOpened.name)).payload as { permissions: string };
  await server.sql(`insert into role_menu (tenant_id, role_id, menu_id)
    select '000000', role_id, (select id from menu where code = 'system') from user_role where user_id = ${users.keeper}`);
  await invalidatePrincipals(server.db, { userId: users.keeper });
  await before.next(PermissionChanged.name);
  const after = await listen(server, headers);
  expect((await after.next(LiveOpened.name)).payload).not.toMatchObject({ permissions: opening.permissions });
});

test('a console that does not read is cut off before it costs memory', () => {
  const connection = new LiveConnection(anonymous, async () => anonymous);
  for (let part = 0; part < 300 && !connection.stream.destroyed; part += 1) connection.send('x'.repeat(1024));
  expect(connection.stream.destroyed).toBe(true);
  connection.send('more');
});

test('a user can open thirty streams, and closing one allows another', async () => {
  const crowded = await testServer({ db: server.db });
  const address = await crowded.app.listen({ host: '127.0.0.1', port: 0 });
  const open = async () => {
    const controller = new AbortController();
    const reply = await fetch(address + liveEvents.path, { headers, signal: controller.signal });
    // The garbage collector closes the stream of a reply that is no longer referenced.
    return { reply, status: reply.status, leave: () => controller.abort() };
  };
  const opened = await Promise.all(Array.from({ length: 30 }, open));
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200));
  expect((await open()).status).toBe(429);
  opened[0]?.leave();
  let { status } = await open();
  for (let attempt = 0; status !== 200 && attempt < 50; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    ({ status } = await open());
  }
  expect(status).toBe(200);
});

test('a payload that no signal carries is refused where it is published', async () => {
  await expect(live.publish(Lit, { lamp: 1, more: 'x'.repeat(6000) } as { lamp: number }, { everyone: true })).rejects.toThrow(/longer than 6000 bytes/);
});

test('the server stops although consoles are connected', async () => {
  const stopping = await openTestServer();
  const address = await stopping.app.listen({ host: '127.0.0.1', port: 0 });
  const reply = await fetch(address + liveEvents.path, { headers: await stopping.signIn() });
  await Promise.all([stopping.stop(), reply.text()]);
});
