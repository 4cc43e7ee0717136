import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase } from '../../../../../src/server/data/index.ts';
import { openTestDatabase, serverUrl } from '../../../../support/test-database.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const poolSize = 10;
let first: TestServer;
let second: TestServer;
let others: Database;
let drop: () => Promise<void>;

/** On PostgreSQL each replica has connections of its own; the embedded database runs in one process, which both replicas share. */
beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  others = database.url ? await openDatabase({ url: database.url, timeZone: 'Asia/Shanghai', poolSize }) : database.db;
  first = await openTestServer({ db: database.db });
  second = await openTestServer({ db: others });
});
afterAll(async () => {
  await first.stop();
  await second.stop();
  await others.close();
  await drop();
});

const address = '/api/things-auth/oauth/token';
const whoAmI = '/api/blade-auth/oauth/user-info';

async function session() {
  const { body } = await first.post(address, { grant_type: 'password', username: 'admin', password }, { headers: clientHeaders });
  return { refresh: body.refresh_token as string, headers: { 'things-auth': `bearer ${body.access_token}` } };
}
const renew = (server: TestServer, refresh_token: string) => server.post(address, { grant_type: 'refresh_token', refresh_token }, { headers: clientHeaders });

test('a session that starts at one replica is valid at the other, and its end there applies here at the next request', async () => {
  const { headers } = await session();
  expect((await second.get(whoAmI, { headers })).status).toBe(200);
  expect((await second.get('/api/things-auth/oauth/logout', { headers })).status).toBe(200);
  expect((await second.get(whoAmI, { headers })).status).toBe(401);
  await expect.poll(async () => (await first.get(whoAmI, { headers })).status, { timeout: 3000 }).toBe(401);
});

test('twenty concurrent refreshes at two replicas get one new token', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { refresh } = await session();
    // The connections are opened in advance, so that the requests race from their first statement on.
    await Promise.all(Array.from({ length: 20 }, (_, index) => renew(index % 2 ? first : second, 'no token')));
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => renew(index % 2 ? first : second, refresh)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1);
  }
});

test.skipIf(!serverUrl)('a refresh that waited for a connection while the other replica rotated its token has raced it', async () => {
  const { refresh } = await session();
  await renew(second, 'no token');
  const busy = Array.from({ length: poolSize }, () => others.read({ tenantId: 'anonymous' }, () => others.sql.execute(sql`select pg_sleep(0.7)`)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const late = renew(second, refresh);
  const { body } = await renew(first, refresh);
  expect(await late).toMatchObject({ status: 200, body: { refresh_token: body.refresh_token } });
  await Promise.all(busy);
});

test('a token rotated at one replica and presented at the other afterwards is a replay', async () => {
  const { refresh } = await session();
  const child = (await renew(first, refresh)).body.refresh_token;
  // A request that arrives within the time the database takes to answer it may have raced the rotation.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await renew(second, refresh)).status).toBe(400);
  expect((await renew(first, child)).status).toBe(400);
});

test('a session survives the server that started it, and so does the record of its used tokens', async () => {
  const [kept, replayed] = [await session(), await session()];
  const child = (await renew(first, replayed.refresh)).body.refresh_token;
  const restarted = await openTestServer({ db: others });
  try {
    expect((await restarted.get(whoAmI, { headers: kept.headers })).status).toBe(200);
    expect((await renew(restarted, kept.refresh)).status).toBe(200);
    expect((await renew(restarted, replayed.refresh)).status).toBe(400);
    expect((await renew(restarted, child)).status).toBe(400);
  } finally {
    await restarted.stop();
  }
});
