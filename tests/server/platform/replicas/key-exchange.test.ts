import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { openDatabase } from '../../../../src/server/data/index.ts';
import { resealSecrets } from '../../../../src/server/host/reseal-secrets.ts';
import { rotateKeys } from '../../../../src/server/platform/identity/signing/stored-keys.ts';
import { files } from '../../../../src/shared/platform/files.ts';
import { openTestDatabase, serverUrl } from '../../../support/test-database.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';

const before = 'rN0o4mQ2sU8wY6aC1eG3iK5lP7tV9xZb+/=';
const after = 'Zb+/=rN0o4mQ2sU8wY6aC1eG3iK5lP7tV9x';
const token = '/api/things-auth/oauth/token';
const routes = '/api/blade-system/menu/routes';
const jwks = '/.well-known/jwks.json';

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('the key of two servers is exchanged, one server at a time', () => {
  let url: string;
  let drop: () => Promise<void>;
  let encrypted: string;
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'marquee-keys-'));
  const running = new Set<TestServer>();

  const start = async (SECRET_KEY: string, ...fallbacks: string[]): Promise<TestServer> => {
    const db = await openDatabase({ url, timeZone: 'Asia/Shanghai', poolSize: 5 });
    const environment = { DATA_DIR, SECRET_KEY, SECRET_KEY_FALLBACKS: fallbacks.join(','), ROLLING_CHANGE: 'off' };
    const server = await openTestServer({ db, environment }).catch(async (error) => {
      await db.close();
      throw error;
    });
    const started = { ...server, stop: () => server.stop().finally(() => db.close()) };
    running.add(started);
    return started;
  };
  const stop = async (server: TestServer) => {
    running.delete(server);
    await server.stop();
  };
  const signedIn = async (server: TestServer) => {
    const { body } = await server.post(token, { grant_type: 'password', tenantId: '000000', username: 'admin', password }, { headers: clientHeaders });
    return { headers: { ...clientHeaders, 'things-auth': `bearer ${body.access_token}` }, refresh: body.refresh_token as string };
  };
  const renewed = async (server: TestServer, refresh: string) => {
    const { status, body } = await server.post(token, { grant_type: 'refresh_token', refresh_token: refresh }, { headers: clientHeaders });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.refresh_token as string;
  };
  const publicKeysOf = async (server: TestServer) => (await server.get(jwks)).body;
  /** Sends requests one after the other while the work runs; returns their number by status. */
  const loadDuring = async (request: (count: number) => ReturnType<TestServer['get']>, work: () => Promise<void>) => {
    const statuses = new Map<number, number>();
    let isOver = false;
    const load = (async () => {
      for (let count = 0; !isOver; count += 1) {
        const { status } = await request(count);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    await work().finally(() => {
      isOver = true;
    });
    await load;
    return statuses;
  };

  beforeAll(async () => {
    const database = await openTestDatabase({ migrations: 'create table vault (secret text)' });
    url = database.url as string;
    ({ drop } = database);
  });
  afterAll(async () => {
    for (const server of running) await server.stop();
    await drop();
    rmSync(DATA_DIR, { recursive: true, force: true });
  });

  test('sessions, links and secrets of one are accepted by the others, and no request fails', async () => {
    let active = [await start(before), await start(before)];
    const [first] = active as [TestServer, TestServer];
    let { headers, refresh } = await signedIn(first);
    const linkFrom = async (server: TestServer) =>
      (await server.upload(files.upload.path, { name: 'a.txt', content: 'kept' }, { headers })).data.link as string;
    let link = await linkFrom(first);
    encrypted = first.db.encryption.encrypt('kept');
    await first.db.asPlatform('a test', () => first.db.script(`insert into vault values ('${encrypted}')`));

    const replaceAll = async (...keys: [string, ...string[]]) => {
      for (const server of [...active]) {
        const next = await start(...keys);
        active = [...active.filter((one) => one !== server), next];
        await stop(server);
        refresh = await renewed(next, refresh);
        expect((await next.get(link)).status).toBe(200);
      }
    };
    // Requests of one session reach the servers in turn.
    const request = (count: number) => (active[count % active.length] as TestServer).get(routes, { headers });
    const publicKeys = await publicKeysOf(first);
    const statuses = await loadDuring(request, async () => {
      await replaceAll(before, after);
      await replaceAll(after, before);
      const [server] = active as [TestServer, TestServer];
      expect(server.db.encryption.decrypt(encrypted)).toBe('kept');
      expect((await resealSecrets(server.db)).unreadable).toEqual(new Map());
      // Sessions and links of the former key end with it.
      ({ headers, refresh } = await signedIn(server));
      link = await linkFrom(server);
      await replaceAll(after);
    });
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(50);
    const [last] = active as [TestServer, TestServer];
    const [row] = await last.sql('select secret from vault');
    expect(last.db.encryption.decrypt(String(row?.secret))).toBe('kept');
    // The former key is worth nothing now.
    expect(() => last.db.encryption.decrypt(encrypted)).toThrow('which is not available');
    // The keys of access tokens have been encrypted again and are still the same.
    expect(await publicKeysOf(last)).toEqual(publicKeys);
  }, 180_000);

  test('the key of access tokens is replaced under load: no request fails, and nothing that verifies tokens elsewhere meets an unknown key', async () => {
    for (const server of [...running]) await stop(server);
    const servers = [await start(after), await start(after)] as const;
    const sessions = [await signedIn(servers[0]), await signedIn(servers[1])];
    const kids = new Set<string | undefined>();
    const request = (count: number) => {
      const { headers } = sessions[count % sessions.length] as (typeof sessions)[number];
      return servers[((count >> 1) % 2) as 0 | 1].get(routes, { headers });
    };
    const statuses = await loadDuring(request, async () => {
      for (let rotation = 0; rotation < 3; rotation += 1) {
        // A program elsewhere works with a copy that it has read before the rotation.
        const copy = createLocalJWKSet(await publicKeysOf(servers[(rotation % 2) as 0 | 1]));
        await servers[0].sql(`update signing_key set create_time = create_time - interval '1 hour' returning kid`);
        expect((await rotateKeys(servers[1].db, false)).hasBegun).toBe(true);
        for (let round = 0; round < 4; round += 1) {
          const session = await signedIn(servers[(round % 2) as 0 | 1]);
          sessions.push(session);
          const text = session.headers['things-auth'].slice('bearer '.length);
          await jwtVerify(text, copy, { algorithms: ['ES256'], issuer: 'marquee', audience: 'marquee' });
          kids.add(decodeProtectedHeader(text).kid);
        }
      }
    });
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(20);
    expect(kids.size).toBeGreaterThanOrEqual(3);
    for (const [place, { refresh }] of sessions.entries()) await renewed(servers[(place % 2) as 0 | 1], refresh);
    expect((await publicKeysOf(servers[0])).keys.map(({ kid }: { kid: string }) => kid)).toEqual(expect.arrayContaining([...kids]));
    expect(await publicKeysOf(servers[1])).toEqual(await publicKeysOf(servers[0]));
  }, 180_000);

  test('a server that lacks the key of the others is refused', async () => {
    await expect(start(before)).rejects.toThrow(/^SECRET_KEY differs from that of the server running on .+SECRET_KEY_FALLBACKS/);
    await expect(start(before, after)).rejects.toThrow(/^SECRET_KEY differs/);
  });
});
