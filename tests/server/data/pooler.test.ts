import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { sparePort } from '../../../scripts/port.mjs';
import { findPgbouncer } from '../../../scripts/test-services.mjs';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { openDatabase } from '../../../src/server/data/index.ts';
import { serverUrl } from '../../support/test-database.ts';

const pgbouncer = serverUrl === undefined ? undefined : findPgbouncer();
if (serverUrl !== undefined && pgbouncer === undefined) process.stdout.write('PgBouncer was not found: its tests are skipped. Install it.\n');

test.skipIf(!pgbouncer)('a PgBouncer in transaction mode is refused with what to change', async () => {
  const url = await pooled('transaction');
  await expect(openDatabase({ url, timeZone: 'Asia/Shanghai' })).rejects.toThrow(
    'DATABASE_URL points to a pooler in transaction mode, which cannot keep tenants apart. Set its pool_mode to session (PgBouncer)',
  );
});

test.skipIf(!pgbouncer)('one in statement mode as well', async () => {
  await expect(openDatabase({ url: await pooled('statement'), timeZone: 'Asia/Shanghai' })).rejects.toThrow();
});

test.skipIf(!pgbouncer)('a pooler in session mode is accepted', async () => {
  const db = await openDatabase({ url: await pooled('session'), timeZone: 'Asia/Shanghai' });
  const tenants = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      db.read({ tenantId: String(index) }, () => queryRows<{ tenant: string }>(db, sql`select current_setting('app.tenant', true) as tenant`)),
    ),
  );
  expect(tenants).toHaveLength(20);
  await db.check();
  await db.close();
});

/** Starts a PgBouncer of the test's own in front of the test PostgreSQL; it refuses to run as root. */
async function pooled(mode: string): Promise<string> {
  const target = new URL(serverUrl ?? '');
  const home = mkdtempSync(join(tmpdir(), 'marquee-pooler-'));
  const port = await sparePort();
  const users = join(home, 'users.txt');
  writeFileSync(users, `"${target.username}" "${target.password}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    auth_file: users,
    pool_mode: mode,
    default_pool_size: 30,
    logfile: join(home, 'log'),
    pidfile: '',
  };
  const database = `* = host=${target.hostname} port=${target.port || 5432} user=${target.username}${target.password && ` password=${target.password}`}`;
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(join(home, 'pgbouncer.ini'), ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) spawnSync('chown', ['-R', 'postgres', home]);
  const running = spawn(pgbouncer ?? '', [...(asRoot ? ['-u', 'postgres'] : []), join(home, 'pgbouncer.ini')], { stdio: 'ignore' });
  onTestFinished(() => {
    running.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  for (let tries = 0; tries < 100 && !(await isListening(port)); tries += 1) await pause(50);
  target.port = String(port);
  target.hostname = '127.0.0.1';
  return target.href;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
