import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { defineServerPlugin, route } from '#server';
import { get, NoContent } from '#shared/contract';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { onServer, openTestDatabase, serverUrl } from '../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const glow = get('/api/test/lamp', { title: ['灯', 'Lamp'], access: 'open', input: Type.Object({}), reply: NoContent });
const lamp = defineServerPlugin({ id: 'lamp', title: ['灯', 'Lamp'], setup: () => ({ routes: [route(glow, () => null)] }) });
const timeScale = 20;

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('signals of servers on one PostgreSQL', () => {
  let url: string;
  let drop: () => Promise<void>;
  let server: TestServer;
  let proxy: FaultyProxy;
  /** Two further servers, of which the second reaches PostgreSQL through the proxy. */
  let one: Database;
  let behindProxy: Database;

  beforeAll(async () => {
    const database = await openTestDatabase({ installed: [{ plugin: lamp, migrations: {} }], migrations: 'create table thing (name text)' });
    url = database.url as string;
    drop = database.drop;
    server = await openTestServer({ plugins: [lamp], db: database.db, timeScale });
    one = await openDatabase({ url, timeZone: 'UTC' });
    const through = new URL(url);
    proxy = await FaultyProxy.before(Number(through.port) || 5432);
    through.port = String(proxy.port);
    behindProxy = await openDatabase({ url: through.href, timeZone: 'UTC' });
  });
  afterAll(async () => {
    await one.close();
    await behindProxy.close();
    await proxy.close();
    await server.stop();
    await drop();
  });

  const lampStatus = async () => (await server.get(glow.path)).status;
  const heardBy = (db: Database, topic: string) => {
    const heard: string[] = [];
    db.onSignal(topic, (payload) => heard.push(payload));
    return heard;
  };
  const change = (db: Database, topic: string, name: string, fails = false) =>
    db.asPlatform('a test', async () => {
      await db.sql.execute(sql`insert into thing values (${name})`);
      await db.signal(topic, name);
      if (fails) throw new Error('rolled back');
    });

  test('arrive for each committed transaction, in the order of its server, and for none that was rolled back', async () => {
    const heard = heardBy(server.db, 'thing');
    const names = Array.from({ length: 300 }, (_, index) => `thing ${index}`);
    const isCommitted = (index: number) => index % 3 !== 0;
    await Promise.all(names.map((name, index) => change(one, 'thing', name, !isCommitted(index)).catch(() => undefined)));
    const committed = names.filter((_, index) => isCommitted(index));
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(committed.length);
    expect([...heard].sort()).toEqual([...committed].sort());
    heard.length = 0;
    for (const name of ['on', 'off', 'on', 'off', 'on']) await change(one, 'thing', name);
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['on', 'off', 'on', 'off', 'on']);
  });

  test('of changes that follow one another within a statement keep repeated states, and wake-ups are sent once', async () => {
    const [states, wakeUps] = [heardBy(server.db, 'state'), heardBy(server.db, 'wake-up')];
    await one.asPlatform('a test', async () => {
      for (const state of ['on', 'off', 'on']) await one.signal('state', state);
      for (let count = 0; count < 50; count += 1) await one.signal('wake-up', '');
    });
    await expect.poll(() => states, { timeout: 10_000 }).toEqual(['on', 'off', 'on']);
    await expect.poll(() => wakeUps, { timeout: 10_000 }).toEqual(['']);
  });

  test('wait while their connection is lost, and too long ones fail their transaction', async () => {
    const heard = heardBy(one, 'late');
    const names = Array.from({ length: 100 }, (_, index) => `late ${index}`);
    const cut = onServer(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'marquee signals'",
    );
    const results = await Promise.allSettled(names.map((name) => change(one, 'late', name)));
    await cut;
    const acknowledged = names.filter((_, index) => results[index]?.status === 'fulfilled');
    await expect.poll(() => acknowledged.filter((name) => !heard.includes(name)), { timeout: 10_000 }).toEqual([]);
    const isBack = (db: Database) =>
      change(db, 'other', 'back').then(
        () => true,
        () => false,
      );
    // The connections of all servers were lost.
    for (const db of [one, server.db, behindProxy]) await expect.poll(() => isBack(db), { timeout: 10_000 }).toBe(true);
    await expect(change(one, 'late', '"'.repeat(4000))).rejects.toThrow('longer than 7,900 bytes');
  });

  test('of one plugin that arrive in another order leave the later state', async () => {
    await server.sql("insert into plugin_switch (tenant_id, plugin_id) values ('*', 'lamp')");
    await one.signal('plugins-switched', JSON.stringify({ place: '*', off: ['lamp'], at: 2_000 }));
    await expect.poll(lampStatus, { timeout: 10_000 }).toBe(404);
    await one.signal('plugins-switched', JSON.stringify({ place: '*', off: [], at: 1_000 }));
    await pause(200);
    expect(await lampStatus()).toBe(404);
    await server.sql('delete from plugin_switch');
    await one.signal('plugins-switched', JSON.stringify({ place: '*', off: [], at: 3_000 }));
    await expect.poll(lampStatus, { timeout: 10_000 }).toBe(200);
  });

  test('of a server that dies between its commit and its signal are made up for by the regular read', async () => {
    const heard = heardBy(server.db, 'plugins-switched');
    await behindProxy.asPlatform('a test', async () => {
      behindProxy.afterCommit(() => proxy.fallSilent());
      await behindProxy.sql.execute(sql`insert into plugin_switch (tenant_id, plugin_id) values ('*', 'lamp')`);
      await behindProxy.signal('plugins-switched', JSON.stringify({ place: '*', off: ['lamp'] }));
    });
    const began = performance.now();
    await expect.poll(lampStatus, { timeout: 10_000 }).toBe(404);
    expect(performance.now() - began).toBeLessThan((30_000 / timeScale) * 2);
    expect(heard).toEqual([]);
  });
});
