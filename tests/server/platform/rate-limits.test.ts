import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { openTestDatabase, serverUrl } from '../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const rate = 120;
const tolerated = rate * 1.1;
const open = '/api/things-auth/oauth/logout';

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('three servers on one PostgreSQL', () => {
  let drop: () => Promise<void>;
  let proxy: FaultyProxy;
  const databases: Database[] = [];
  const servers: TestServer[] = [];

  beforeAll(async () => {
    const database = await openTestDatabase();
    const { url = '' } = database;
    drop = database.drop;
    const through = new URL(url);
    proxy = await FaultyProxy.before(Number(through.port) || 5432);
    through.port = String(proxy.port);
    for (const address of [url, url, through.href]) databases.push(await openDatabase({ url: address, timeZone: 'Asia/Shanghai', poolSize: 3 }));
    for (const db of databases)
      servers.push(await openTestServer({ db, environment: { OPEN_RATE: String(rate), SECRET_KEY: 'one key of the servers that share their limits' } }));
    await Promise.all(servers.map((server) => callFrom(server, '10.9.9.9')));
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const db of databases) await db.close();
    await proxy.close();
    await drop();
  });

  const callFrom = async ({ app }: TestServer, remoteAddress: string) => (await app.inject({ method: 'GET', url: open, remoteAddress })).statusCode;
  /** Sends requests of one address to these servers in turn, several at a time, and returns how many each has answered. */
  const flood = async (address: string, by: readonly TestServer[], requests: number, concurrency = 10) => {
    const allowed = by.map(() => 0);
    let sent = 0;
    const send = async () => {
      while (sent < requests) {
        const place = sent++ % by.length;
        if ((await callFrom(by[place] as TestServer, address)) !== 429) allowed[place] = (allowed[place] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, send));
    return allowed.reduce((sum, count) => sum + count, 0);
  };

  test('allow an address its limit together, within a tenth', async () => {
    for (const [address, concurrency] of [
      ['10.0.0.1', 1],
      ['10.0.0.2', 30],
    ] as const) {
      const began = performance.now();
      const allowed = await flood(address, servers, rate * 4, concurrency);
      const refilled = ((performance.now() - began) / 60_000) * rate;
      expect(allowed).toBeLessThanOrEqual(Math.floor(tolerated + refilled));
      expect(allowed).toBeGreaterThanOrEqual(rate * 0.9);
    }
  });

  test('give what one does not use back, so that another can allow it', async () => {
    const [one, other] = servers as [TestServer, TestServer];
    expect(await flood('10.0.0.3', [one], 20)).toBe(20);
    await pause(3500);
    expect(await flood('10.0.0.3', [other], rate * 2)).toBeGreaterThanOrEqual(rate - 20);
  });

  test('deny what the others have allowed, and say until when', async () => {
    const [one, other] = servers as [TestServer, TestServer];
    await flood('10.0.0.4', [one], rate * 2);
    await flood('10.0.0.4', [other], 20);
    const refused = await other.app.inject({ method: 'GET', url: open, remoteAddress: '10.0.0.4' });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await callFrom(other, '10.0.0.5')).toBe(200);
  });

  test('write no row for an address that calls seldom', async () => {
    for (let count = 0; count < 2; count += 1) for (const server of servers) await callFrom(server, '10.0.0.6');
    await pause(100);
    expect(await servers[0]?.sql("select from rate_limit where subject = 'open 10.0.0.6'")).toEqual([]);
    expect(await servers[0]?.sql("select from rate_limit where subject = 'open 10.0.0.1'")).toHaveLength(1);
  });

  test('continue with their own limits while the database does not answer', async () => {
    const third = servers[2] as TestServer;
    proxy.fallSilent();
    const began = performance.now();
    const statuses = await Promise.all(Array.from({ length: rate + 5 }, () => callFrom(third, '10.0.0.7')));
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect(statuses.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(rate);
    proxy.return();
  });
});
