import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { findReverseProxy } from '../../scripts/test-services.mjs';
import { Client, Product } from '../journeys/product.ts';
import { documentedCommands } from '../support/documented-commands.ts';
import { runOn } from './own-database.ts';
import { PostgresShell } from './postgres-shell.ts';
import { report } from './report.ts';

const section = 'A PostgreSQL killed under load, and its standby promoted';
const [buildStandby = '', promoteStandby = ''] = documentedCommands('Failover');
const failovers = 3;
const clients = 4;
/** Seconds from the promotion until both servers are ready. */
const maxSeconds = 10;

test(`${failovers} failovers lose no acknowledged write, and both servers are ready within ${maxSeconds} s of the promotion`, async () => {
  test.skip(!PostgresShell.exists, 'The commands need a shell and the programs of PostgreSQL.');
  const seconds: number[] = [];
  let [written, lost, refused] = [0, 0, 0];
  for (let round = 0; round < failovers; round += 1) {
    const result = await failOver(10_000 * (round + 1));
    seconds.push(result.seconds);
    written += result.written;
    lost += result.lost;
    refused += result.refused;
  }
  report(section, { what: 'failovers', after: failovers });
  report(section, { what: 'rows written and acknowledged', after: written });
  report(section, { what: 'of these lost', after: lost, bound: 0 });
  report(section, { what: 'requests refused meanwhile', after: refused });
  report(section, { what: 'seconds from the promotion until both servers are ready, longest', after: Math.max(...seconds), bound: maxSeconds });
  expect(lost).toBe(0);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(maxSeconds);
});

/** Kills the primary PostgreSQL below two servers under load, and promotes its synchronous standby. Keys of rows are numbered from `firstNumber`. */
async function failOver(firstNumber: number) {
  const [primaryPort, standbyPort, port] = await Promise.all([sparePort(), sparePort(), sparePort()]);
  const urlOf = (databasePort: number) => `postgres://postgres@127.0.0.1:${databasePort}/postgres`;
  const shell = new PostgresShell((folder) => ({
    PGDATA: join(folder, 'primary'),
    STANDBY: join(folder, 'standby'),
    ADMIN_DATABASE_URL: urlOf(primaryPort),
  }));
  const settingsFor = (databasePort: number) => `port = ${databasePort}\nunix_socket_directories = '${shell.folder}'\nlisten_addresses = '127.0.0.1'\n`;
  const environment = {
    DATABASE_URL: urlOf(port),
    NODE_ENV: 'development',
    CAPTCHA_TEST_ANSWER: '',
    CAPTCHA_MODE: 'off',
    SECRET_KEY: 'one key for both of the servers of the failover',
  };
  const servers = [new Product(environment), new Product(environment)] as const;
  let balancer: ChildProcess | undefined;
  let isOver = false;
  let load: Promise<unknown> = Promise.resolve();
  try {
    shell.run('initdb --username=postgres --auth=trust --encoding=UTF8');
    appendFileSync(join(shell.folder, 'primary/postgresql.conf'), settingsFor(primaryPort));
    shell.run('pg_ctl --wait --log=primary.log start');
    shell.run(buildStandby);
    appendFileSync(join(shell.folder, 'standby/postgresql.conf'), settingsFor(standbyPort));
    shell.run('pg_ctl --pgdata="$STANDBY" --wait --log=standby.log start');
    const isSynchronous = async () =>
      (await runOn(urlOf(primaryPort), `select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`)).length === 1;
    await expect.poll(isSynchronous, { timeout: 30_000 }).toBe(true);
    balancer = startBalancer(shell.folder, port, [primaryPort, standbyPort]);
    for (const server of servers) await server.start();
    const { access_token: token } = await servers[0].grant();
    const [acknowledged, counts] = [[] as string[], { refused: 0 }];
    const write = async (index: number) => {
      const client = new Client((servers[index % 2] as Product).address, token);
      for (let number = firstNumber; !isOver; number += 1) {
        const paramKey = `failover.${index}.${number}`;
        const saved = await client.post('/api/blade-system/param/submit', { paramName: paramKey, paramKey, paramValue: '1' }).catch(() => undefined);
        if (saved?.code === 200) acknowledged.push(paramKey);
        else {
          counts.refused += 1;
          await pause(100);
        }
      }
    };
    load = Promise.all(Array.from({ length: clients }, (_, index) => write(index)));
    await pause(5000);
    shell.run('kill -9 $(head -1 "$PGDATA/postmaster.pid")');
    await pause(3000);
    shell.run(promoteStandby);
    const promotedAt = performance.now();
    const isReady = async (server: Product) => (await fetch(`${server.address}/health/ready`)).status === 200;
    await expect.poll(async () => (await Promise.all(servers.map(isReady))).every(Boolean), { timeout: 60_000, intervals: [50] }).toBe(true);
    const seconds = Math.round((performance.now() - promotedAt) / 100) / 10;
    const acknowledgedBefore = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(acknowledgedBefore + 50);
    isOver = true;
    await load;
    const [row] = await runOn(urlOf(standbyPort), 'select count(*)::integer as stored from param where param_key = any($1)', [acknowledged]);
    return { seconds, written: acknowledged.length, lost: acknowledged.length - Number(row?.stored), refused: counts.refused };
  } finally {
    isOver = true;
    await load;
    for (const server of servers) await server.discard();
    balancer?.kill('SIGKILL');
    shell.discard(join(shell.folder, 'primary'), join(shell.folder, 'standby'));
  }
}

/** Starts a HAProxy that sends connections to the first PostgreSQL that accepts them. */
function startBalancer(folder: string, port: number, [primary, standby]: readonly [number, number]): ChildProcess {
  const program = findReverseProxy('haproxy');
  if (program === undefined) throw new Error('The failover test needs HAProxy: install the Debian package haproxy.');
  const file = join(folder, 'haproxy.cfg');
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen database',
    `  bind 127.0.0.1:${port}`,
    '  option pgsql-check user postgres',
    '  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    `  server primary 127.0.0.1:${primary}`,
    `  server standby 127.0.0.1:${standby} backup`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return spawn(program, ['-db', '-f', file], { stdio: 'ignore' });
}
