import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from '@rstest/core';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { requestCopy } from '../../../../src/server/data/embedded/embedded-copies.ts';
import { type Database, openDatabase } from '../../../../src/server/data/index.ts';
import type { ArchiveTrailer } from '../../../../src/server/host/backup/archive.ts';
import { makeBackup } from '../../../../src/server/host/backup/make-backup.ts';
import { archiveOf } from '../../../../src/server/host/backup/write-archive.ts';
import { DiskStore } from '../../../../src/server/platform/files/disk-store.ts';
import { FileRows } from '../../../../src/server/platform/files/file-rows.ts';
import { Files, newKey } from '../../../../src/server/platform/files/files.ts';
import { Signatures } from '../../../../src/server/platform/files/signatures.ts';
import { Stores } from '../../../../src/server/platform/files/stores.ts';
import { BackupDeployment, engines } from '../../../support/backup-deployment.ts';
import { onServer, serverUrl } from '../../../support/test-database.ts';

const facts = { version: '0.1.0', engine: 'embedded', timeZone: 'Asia/Shanghai', keyFingerprint: '', plugins: [] };

/** Opens what a backup of a running server reads: the database itself, or the copy of the embedded one. */
async function backedUp(deployment: BackupDeployment): Promise<{ source: Database; release: () => Promise<void> }> {
  if (deployment.engine === 'postgres') {
    const source = await deployment.open();
    return { source, release: () => source.close() };
  }
  const copy = await requestCopy(join(deployment.dataDirectory, 'database'));
  if (!copy) throw new Error('The server made no copy.');
  const source = await openDatabase({ dataDirectory: copy.directory, timeZone: 'UTC' });
  const release = async () => {
    await source.close();
    await copy.release();
  };
  return { source, release };
}

describe.each(engines)('a backup of a running server on %s', (engine) => {
  test('contains the files of its snapshot that users delete meanwhile; they are deleted later', async () => {
    const deployment = await BackupDeployment.create(engine);
    const server = await deployment.start();
    const store = new DiskStore(join(deployment.dataDirectory, 'files'));
    const stores = new Stores();
    stores.setDefault('disk', store);
    const files = new Files(new FileRows(server.db, async () => Number.POSITIVE_INFINITY), new Signatures(new Uint8Array(32)), stores);
    const placement = { tenantId: '000000', userId: '1', purpose: 'upload' };
    const save = (text: string) => files.save('a.txt', Readable.from([Buffer.from(text)], { objectMode: false }), placement);
    const [deleted, gone, kept] = [await save('deleted meanwhile'), await save('lost before'), await save('kept')];
    await store.remove(gone.key);

    const { source, release } = await backedUp(deployment);
    const names: string[] = [];
    let end: ArchiveTrailer | undefined;
    await source.snapshot('a test', async () => {
      const bytes = archiveOf(source, store, facts);
      await bytes.next();
      await files.remove('000000', [deleted.id]);
      await save('added meanwhile');
      for (let step = await bytes.next(); ; step = await bytes.next()) {
        if (step.done) {
          end = step.value;
          break;
        }
        const name = /^files\/[0-9a-f/]+/.exec(Buffer.from(step.value).toString('latin1', 0, 100))?.[0];
        if (name) names.push(name);
      }
    });
    const pathOf = ({ key }: { key: string }) => `files/${key.slice(0, 2)}/${key}`;
    expect(names).toEqual([pathOf(deleted), pathOf(kept)]);
    expect(end?.files).toEqual({ count: 2, bytes: 'deleted meanwhile'.length + 'kept'.length, missing: 1, missingKeys: [gone.key], elsewhere: 0 });
    await release();

    expect(await server.db.isBackupRunning()).toBe(false);
    expect(await store.size(deleted.key)).toBeDefined();
    await server.sql(`update stored_file set expires_at = now() - interval '1 second' where stage = 'removed'`);
    await files.sweep();
    expect(await store.size(deleted.key)).toBeUndefined();
  }, 180_000);

  test('counts files in other stores, and leaves nothing when it is interrupted', async () => {
    const deployment = await BackupDeployment.create(engine);
    const server = await deployment.start();
    await server.sql(
      `insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id) values ('000000', '${newKey()}', 'oss-1', 'a', 'text/plain', 5, 'upload', 1)`,
    );
    const stopping = AbortSignal.abort(new Error('Interrupted. Partial output was removed.'));
    const path = deployment.path('backup.tar.gz');
    const before = readdirSync(deployment.directory);
    await expect(deployment.backup(path, { signal: stopping })).rejects.toThrow('Interrupted. Partial output was removed.');
    await expect(deployment.backup(deployment.path('nowhere/backup.tar.gz'))).rejects.toThrow(/nowhere\/backup\.tar\.gz not found/);
    expect(readdirSync(deployment.directory)).toEqual(before);
    expect((await deployment.backup(path)).files).toMatchObject({ count: 0, missing: 0, elsewhere: 1 });
    await expect(deployment.backup(path)).rejects.toThrow('exists already');
    expect((await deployment.backup(deployment.directory)).path).toMatch(/marquee-\d{4}-\d\d-\d\dT\d{6}\.tar\.gz$/);
    expect(await server.sql('select count(*)::integer as count from backup')).toEqual([{ count: 2 }]);
  }, 180_000);
});

test.skipIf(!serverUrl)(
  'a login from which row level security hides rows makes no backup',
  async () => {
    const deployment = await BackupDeployment.create('postgres');
    await (await deployment.start()).stop();
    const { username, pathname } = new URL(deployment.environment.DATABASE_URL ?? '');
    const reader = `${username}_reader`;
    const database = Object.assign(new URL(serverUrl ?? ''), { pathname }).href;
    await onServer(
      database,
      `create role ${reader} login password 'hush'; grant marquee_tenant to ${reader}; grant select on all tables in schema public to ${reader}`,
    );
    const DATABASE_URL = Object.assign(new URL(database), { username: reader, password: 'hush' }).href;
    const configuration = readConfiguration({ ...deployment.environment, DATABASE_URL });
    const made = makeBackup({ configuration, installed: [], notify: () => undefined }, { path: deployment.path('backup.tar.gz'), isVerified: false });
    const refusal = await made.catch(String);
    await onServer(database, `drop owned by ${reader}; drop role ${reader}`);
    expect(refusal).toMatch(new RegExp(`^Error: The login ${reader} does not see all rows of \\w+\\. Use the DATABASE_URL of the server\\.$`));
  },
  180_000,
);

test('an embedded database is copied for one backup at a time, and the copy ends with the backup or the server', async () => {
  const deployment = await BackupDeployment.create('embedded');
  const directory = join(deployment.dataDirectory, 'database');
  expect(await requestCopy(directory)).toBeUndefined();
  const db = await deployment.open();
  let close = () => db.close();
  onTestFinished(() => close());
  const first = await requestCopy(directory);
  await expect(requestCopy(directory)).rejects.toThrow('Another backup of this database is running.');
  expect(await db.isBackupRunning()).toBe(true);
  expect(existsSync(join(directory, 'copy/postgres/PG_VERSION'))).toBe(true);
  await first?.release();
  expect(await db.isBackupRunning()).toBe(false);
  expect(existsSync(join(directory, 'copy'))).toBe(false);

  const second = await requestCopy(directory);
  await db.close();
  close = async () => undefined;
  await expect.poll(() => second?.signal.aborted).toBe(true);
  expect(String(second?.signal.reason)).toBe('Error: The server stopped during the backup. Repeat it.');
  await expect(second?.finish()).rejects.toThrow('The server stopped');
  expect(existsSync(join(directory, 'copy'))).toBe(false);
}, 180_000);

test('only a database with tables is backed up', async () => {
  const deployment = await BackupDeployment.create(engines[0] ?? 'embedded');
  if (deployment.engine === 'embedded') {
    await (await openDatabase({ dataDirectory: join(deployment.dataDirectory, 'database'), timeZone: 'UTC' })).close();
  }
  await expect(deployment.backup(deployment.path('backup.tar.gz'))).rejects.toThrow('The database is empty: no server has been started on it yet.');
});
