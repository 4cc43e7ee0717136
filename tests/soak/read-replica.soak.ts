import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { Product } from '../journeys/product.ts';
import { documentedCommands } from '../support/documented-commands.ts';
import { runOn } from './own-database.ts';
import { PostgresShell } from './postgres-shell.ts';
import { report } from './report.ts';

const section = 'Lists from a read replica that lags and is killed';
const [build = ''] = documentedCommands('Read replica');
const readers = 4;
const writers = 2;
const list = '/api/blade-system/param/list';

/** A browser, which keeps its cookie and whose balancer sends each request to the other server. */
class Browser {
  private cookie = '';
  private count = 0;
  failed = 0;

  constructor(
    private readonly servers: readonly Product[],
    private readonly token: string,
  ) {}

  async call(path: string, body?: object): Promise<{ data: { records: { paramKey: string }[] } } | undefined> {
    const { address } = this.servers[this.count++ % this.servers.length] as Product;
    const reply = await fetch(address + path, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: {
        'things-auth': `bearer ${this.token}`,
        authorization: `Basic ${btoa('sryx:sryx_secret')}`,
        cookie: this.cookie,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
    }).catch(() => undefined);
    const set = reply?.headers.getSetCookie().find((cookie) => cookie.startsWith('marquee-position='));
    if (set) this.cookie = set.split(';')[0] ?? '';
    if (reply?.status === 200) return reply.json() as Promise<{ data: { records: { paramKey: string }[] } }>;
    this.failed += 1;
    return undefined;
  }

  async save(key: string): Promise<void> {
    await this.call('/api/blade-system/param/submit', { paramName: key, paramKey: key, paramValue: '1' });
  }

  async sees(key: string): Promise<boolean> {
    const reply = await this.call(`${list}?paramKey_equal=${key}`);
    return reply?.data.records.some(({ paramKey }) => paramKey === key) ?? false;
  }
}

test('no request fails and each browser sees its own writes while the replica lags, is killed and returns', async () => {
  test.skip(!PostgresShell.exists, 'The commands are those of a shell, and need the programs of PostgreSQL.');
  const [primaryPort, replicaPort] = await Promise.all([sparePort(), sparePort()]);
  const addressAt = (at: number) => `postgres://postgres@127.0.0.1:${at}/postgres`;
  const shell = new PostgresShell((folder) => ({
    PGDATA: join(folder, 'primary'),
    REPLICA: join(folder, 'replica'),
    ADMIN_DATABASE_URL: addressAt(primaryPort),
  }));
  const settingsFor = (at: number) => `port = ${at}\nunix_socket_directories = '${shell.folder}'\nlisten_addresses = '127.0.0.1'\n`;
  const environment = {
    DATABASE_URL: addressAt(primaryPort),
    DATABASE_READ_URL: addressAt(replicaPort),
    NODE_ENV: 'development',
    CAPTCHA_TEST_ANSWER: '',
    CAPTCHA_MODE: 'off',
    SECRET_KEY: 'one key for both of the servers of the read replica',
  };
  const servers = [new Product(environment), new Product(environment)] as const;
  const startReplica = () => shell.run('pg_ctl --pgdata="$REPLICA" --wait --log=replica.log start');
  const scansAt = async (port: number) => {
    const [row] = await runOn(addressAt(port), "select (seq_scan + coalesce(idx_scan, 0))::integer as scans from pg_stat_user_tables where relname = 'param'");
    return Number(row?.scans ?? 0);
  };
  let isOver = false;
  let load: Promise<unknown> = Promise.resolve();
  try {
    shell.run('initdb --username=postgres --auth=trust --encoding=UTF8');
    appendFileSync(join(shell.folder, 'primary/postgresql.conf'), settingsFor(primaryPort));
    shell.run('pg_ctl --wait --log=primary.log start');
    shell.run(build);
    appendFileSync(join(shell.folder, 'replica/postgresql.conf'), settingsFor(replicaPort));
    startReplica();
    for (const one of servers) await one.start();
    const { access_token: token } = await servers[0].grant();
    const browsers = Array.from({ length: readers + writers }, () => new Browser(servers, token));
    const counts = { reads: 0, writes: 0, missing: 0 };
    const read = async (browser: Browser) => {
      await browser.save(`replica.reader.${browsers.indexOf(browser)}`);
      for (; !isOver; counts.reads += 1) await browser.call(list);
    };
    const write = async (browser: Browser) => {
      for (let count = 0; !isOver; count += 1) {
        const key = `replica.${browsers.indexOf(browser)}.${count}`;
        await browser.save(key);
        if (!(await browser.sees(key))) counts.missing += 1;
        counts.writes += 1;
        await pause(50);
      }
    };
    const before = [await scansAt(primaryPort), await scansAt(replicaPort)] as const;
    load = Promise.all(browsers.map((browser, index) => (index < readers ? read(browser) : write(browser))));
    await pause(10_000);
    const [primaryScans, replicaScans] = [(await scansAt(primaryPort)) - before[0], (await scansAt(replicaPort)) - before[1]];
    await runOn(addressAt(replicaPort), 'select pg_wal_replay_pause()');
    await pause(8000);
    await runOn(addressAt(replicaPort), 'select pg_wal_replay_resume()');
    await pause(3000);
    const scansBeforeKill = await scansAt(replicaPort);
    shell.run('kill -9 $(head -1 "$REPLICA/postmaster.pid")');
    await pause(4000);
    startReplica();
    await expect.poll(() => scansAt(replicaPort), { timeout: 60_000 }).toBeGreaterThan(50);
    isOver = true;
    await load;
    const failed = browsers.reduce((sum, browser) => sum + browser.failed, 0);
    report(section, { what: 'lists read', after: counts.reads });
    report(section, {
      what: 'scans of their table that the replica and the primary have counted after ten seconds',
      after: `${replicaScans}, ${primaryScans}`,
    });
    report(section, { what: 'writes, each read back from the other server', after: counts.writes });
    report(section, { what: 'of these not seen', after: counts.missing, bound: 0 });
    report(section, { what: 'requests that failed', after: failed, bound: 0 });
    expect({ ...counts, failed }).toMatchObject({ missing: 0, failed: 0 });
    expect(scansBeforeKill).toBeGreaterThan(0);
  } finally {
    isOver = true;
    await load;
    for (const one of servers) await one.discard();
    shell.discard(join(shell.folder, 'primary'), join(shell.folder, 'replica'));
  }
});
