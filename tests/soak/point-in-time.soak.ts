import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { type Client, Product } from '../journeys/product.ts';
import { documentedCommands } from '../support/documented-commands.ts';
import { runOn } from './own-database.ts';
import { PostgresShell } from './postgres-shell.ts';
import { report } from './report.ts';

const section = 'A PostgreSQL restored to the second before a deletion';
const [settings = ''] = documentedCommands('A point in time', 'ini');
const [backUp = '', stopServer = '', restore = ''] = documentedCommands('A point in time');
const rows = 500;

test('the documented commands restore the second before a deletion', async () => {
  test.skip(!PostgresShell.exists, 'The commands need a shell and the programs of PostgreSQL.');
  const port = await sparePort();
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const shell = new PostgresShell((folder) => ({
    PGDATA: join(folder, 'data'),
    WAL_ARCHIVE: join(folder, 'wal'),
    BASE_BACKUP: join(folder, 'base'),
    RESTORED: join(folder, 'restored'),
    ADMIN_DATABASE_URL: address,
  }));
  const product = new Product({
    DATABASE_URL: address,
    NODE_ENV: 'development',
    CAPTCHA_TEST_ANSWER: '',
    CAPTCHA_MODE: 'off',
    SECRET_KEY: 'one key for the original and for the restored database',
  });
  try {
    shell.run('mkdir "$WAL_ARCHIVE"; initdb --username=postgres --auth=trust --encoding=UTF8');
    const configuration = join(shell.folder, 'data/postgresql.conf');
    appendFileSync(configuration, `port = ${port}\nunix_socket_directories = '${shell.folder}'\nlisten_addresses = '127.0.0.1'\n`);
    appendFileSync(configuration, settings.replaceAll('/wal', join(shell.folder, 'wal')));
    shell.run('pg_ctl --wait --log=log start');
    await product.start();
    const client = await product.signIn();
    await writeRows(client, 'before-backup');
    shell.run(backUp);
    await writeRows(client, 'after-backup');
    await pause(1500);
    const recoveryTime = String((await runOn(address, 'select now()::text as now'))[0]?.now);
    await pause(1500);
    const { data } = await client.get('/api/blade-system/param/list', { paramKey: 'before-backup', size: 200 });
    const ids = (data.records as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(await client.post('/api/blade-system/param/remove', { ids })).toMatchObject({ code: 200 });
    await writeRows(client, 'after-deletion');
    await product.stop();
    shell.run(stopServer);
    const restoredAt = performance.now();
    shell.run(restore, { RECOVERY_TIME: recoveryTime });
    // Waits until it has applied the log and accepts writes.
    while ((await runOn(address, 'select pg_is_in_recovery() as recovering'))[0]?.recovering !== false) await pause(100);
    report(section, { what: 'seconds from the copy to a database that accepts writes', after: Math.round((performance.now() - restoredAt) / 100) / 10 });
    await product.start();
    const counts = await runOn(
      address,
      `select split_part(param_key, '.', 1) as name, count(*)::integer as rows from param where param_value = 'point' and is_deleted = 0 group by 1`,
    );
    const restored = new Map(counts.map(({ name, rows: count }) => [name, Number(count)]));
    report(section, {
      what: 'rows from before the deletion that are missing',
      after: 2 * rows - (restored.get('before-backup') ?? 0) - (restored.get('after-backup') ?? 0),
      bound: 0,
    });
    report(section, { what: 'rows from after that second that are present', after: restored.get('after-deletion') ?? 0, bound: 0 });
    expect(Object.fromEntries(restored)).toEqual({ 'before-backup': rows, 'after-backup': rows });
    const restoredClient = await product.signIn();
    await writeRows(restoredClient, 'after-restore');
    expect((await restoredClient.get('/api/things-task/ledger/check')).data).toEqual([]);
  } finally {
    await product.discard();
    shell.discard(join(shell.folder, 'data'), join(shell.folder, 'restored'));
  }
});

/** Saves 500 parameters one after the other. */
async function writeRows(client: Client, name: string): Promise<void> {
  for (let index = 0; index < rows; index += 1) {
    const saved = await client.post('/api/blade-system/param/submit', { paramName: name, paramKey: `${name}.${index}`, paramValue: 'point' });
    expect(saved).toMatchObject({ code: 200 });
  }
}
