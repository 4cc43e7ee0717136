import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { readTar, tarEnd, tarEntry } from '../../../../src/server/base/tar.ts';
import { migrate, openDatabase } from '../../../../src/server/data/index.ts';
import type { ArchiveManifest } from '../../../../src/server/host/backup/archive.ts';
import { makeBackup } from '../../../../src/server/host/backup/make-backup.ts';
import { assertRestoreFinished, isEmpty } from '../../../../src/server/host/backup/unfinished-restore.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import { BackupDeployment, bank, engines } from '../../../support/backup-deployment.ts';
import { preparedTemplate } from '../../../support/test-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-archive-'));
const archive = join(folder, 'backup.tar.gz');
const key = '0123456789abcdef0123456789abcdef';
const secret = 'the key of the deployment that is backed up';

/** One archive for all refusals: the kernel's tables, those of the bank, and one file. */
beforeAll(async () => {
  const DATA_DIR = join(folder, 'data');
  const db = await openDatabase({ dataDirectory: join(DATA_DIR, 'database'), timeZone: 'Asia/Shanghai', template: await preparedTemplate(kernelMigrations) });
  await migrate(db, [bank]);
  await db.asPlatform('a test', () =>
    db.script(
      `insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id) values ('000000', '${key}', 'disk', 'a', 'text/plain', 5, 'upload', 1)`,
    ),
  );
  await db.close();
  mkdirSync(join(DATA_DIR, 'files', key.slice(0, 2)), { recursive: true });
  writeFileSync(join(DATA_DIR, 'files', key.slice(0, 2), key), 'hello');
  const configuration = readConfiguration({ NODE_ENV: 'test', DATA_DIR, SECRET_KEY: secret });
  await makeBackup({ configuration, installed: [bank], notify: () => undefined }, { path: archive, isVerified: false });
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes an archive whose files are those of the original, changed by a function; undefined leaves one out. `sha256` digests the archive before the file. */
async function changedArchive(name: string, change: (name: string, content: Buffer, sha256: () => string) => Buffer | undefined): Promise<string> {
  const bytes: Uint8Array[] = [];
  for await (const entry of readTar(Readable.from([gunzipSync(readFileSync(archive))]))) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.content()) chunks.push(chunk);
    const content = change(entry.name, Buffer.concat(chunks), () => createHash('sha256').update(Buffer.concat(bytes)).digest('hex'));
    if (content) for await (const chunk of tarEntry(entry.name, content.length, [content])) bytes.push(chunk);
  }
  const path = join(folder, name);
  writeFileSync(path, gzipSync(Buffer.concat([...bytes, tarEnd])));
  return path;
}

const withManifest = (name: string, change: (manifest: ArchiveManifest) => object) =>
  changedArchive(name, (entry, content) => (entry === 'manifest.json' ? Buffer.from(JSON.stringify(change(JSON.parse(String(content))))) : content));

/** Asserts that a deployment is as empty as before. */
async function expectUntouched(deployment: BackupDeployment): Promise<void> {
  const { dataDirectory } = deployment;
  expect(existsSync(dataDirectory) ? readdirSync(dataDirectory) : []).toEqual([]);
  if (deployment.engine === 'embedded') return;
  const db = await deployment.open();
  expect(await isEmpty(db)).toBe(true);
  await db.close();
}

test('an archive of another key is refused with both fingerprints, and one without a key with the way to provide it', async () => {
  const other = await BackupDeployment.create('embedded', { SECRET_KEY: 'a key that has nothing to do with the archive' });
  await expect(other.restore(archive)).rejects.toThrow(
    /belongs to another SECRET_KEY: its key has the fingerprint [0-9a-f]{32}, the key given has [0-9a-f]{32}\./,
  );
  const keyless = await BackupDeployment.create('embedded', { SECRET_KEY: '' });
  await expect(keyless.restore(archive)).rejects.toThrow('No key found. Copy secret.key of the deployment that was backed up into DATA_DIR');
  await expectUntouched(other);
  await expectUntouched(keyless);
});

test('an archive of a newer version is refused, by its format, its version or its migrations', async () => {
  const target = await BackupDeployment.create('embedded');
  const newer = 'which is newer than this one';
  await expect(target.restore(await withManifest('format', (manifest) => ({ ...manifest, format: 2 })))).rejects.toThrow(newer);
  await expect(target.restore(await withManifest('version', (manifest) => ({ ...manifest, version: '99.0.0' })))).rejects.toThrow(newer);
  const later = { plugin: 'kernel', name: '9999-later.sql', hash: 'x' };
  const unknown = await withManifest('unknown', (manifest) => ({ ...manifest, migrations: [...manifest.migrations, later] }));
  await expect(target.restore(unknown)).rejects.toThrow('made by a newer version: this build does not have its migration kernel/9999-later.sql');
  const changed = await withManifest('changed', ({ migrations, ...manifest }) => ({
    ...manifest,
    migrations: migrations.map((each) => ({ ...each, hash: 'x' })),
  }));
  await expect(target.restore(changed)).rejects.toThrow('of this build is not the one of the archive');
  await expectUntouched(target);
});

test('plugins that the build does not have are named, and left out on request', async () => {
  const target = await BackupDeployment.create('embedded');
  await expect(target.restore(archive, {}, { installed: [] })).rejects.toThrow('does not have these plugins of the archive: bank.');
  await expectUntouched(target);
  const report = await target.restore(archive, { leavesOutUnknown: true }, { installed: [] });
  expect(report.skippedTables).toEqual(['bank_account']);
  const db = await target.open();
  const [tables] = await db.asPlatform('a test', () =>
    db.rows(`select to_regclass('bank_account') is null, (select count(*) from schema_migration where plugin = 'bank')::text`, []),
  );
  expect(tables).toEqual([true, '0']);
  await db.close();
}, 180_000);

describe.each(engines)('on %s', (engine) => {
  test('a damaged or incomplete archive is refused and changes nothing', async () => {
    const target = await BackupDeployment.create(engine);
    const whole = readFileSync(archive);
    const truncated = join(folder, 'truncated');
    writeFileSync(truncated, whole.subarray(0, whole.length * 0.9));
    const flipped = join(folder, 'flipped');
    const middle = Math.floor(whole.length / 2);
    writeFileSync(flipped, Buffer.concat([whole.subarray(0, middle), Buffer.from([(whole[middle] ?? 0) ^ 0xff]), whole.subarray(middle + 1)]));
    const endless = await changedArchive('endless', (name, content) => (name === 'end.json' ? undefined : content));
    const altered = await changedArchive('altered', (name, content) =>
      name.startsWith('database/bank_account/') ? Buffer.from(String(content).replace('ours', 'mine')) : content,
    );
    const invalid = await changedArchive('invalid', (name, content) => (name.startsWith('database/bank_account/') ? Buffer.from('["x",') : content));
    // Its checksum is right and its rows cannot be inserted, because they are there twice.
    const doubled = await changedArchive('doubled', (name, content, sha256) => {
      if (name.startsWith('database/bank_account/')) return Buffer.concat([content, Buffer.from('\n'), content]);
      return name === 'end.json' ? Buffer.from(JSON.stringify({ ...JSON.parse(String(content)), sha256: sha256() })) : content;
    });
    // Embedded databases take seconds to create, so that with a server they only get one of the archives.
    for (const path of engine === engines[0] ? [truncated, flipped, endless, invalid, doubled, altered] : [altered]) {
      await expect(target.restore(path), path).rejects.toThrow(/^The archive is damaged or incomplete: /);
      await expectUntouched(target);
    }
    await expect(target.restore(join(folder, 'nowhere'))).rejects.toThrow(/nowhere not found\. Check the path/);
  }, 300_000);

  test('a target with data is refused, and an interrupted restore is recognised and repeated', async () => {
    const target = await BackupDeployment.create(engine);
    const { dataDirectory, configuration } = target;
    const stray = join(dataDirectory, 'files/aa/leftover');
    mkdirSync(join(dataDirectory, 'files/aa'), { recursive: true });
    writeFileSync(stray, 'of the interrupted restore');
    await expect(target.restore(archive)).rejects.toThrow(/files contains files\. Restore into an empty DATA_DIR/);
    expect(existsSync(stray)).toBe(true);

    // A killed restore leaves the marker, some files and, on the embedded database, a part of it.
    writeFileSync(join(dataDirectory, 'restore.unfinished'), '');
    mkdirSync(join(dataDirectory, 'database.restoring/postgres'), { recursive: true });
    await expect(assertRestoreFinished(configuration)).rejects.toThrow(/was interrupted\. Repeat it with npm run restore/);
    await target.restore(archive);
    expect(readdirSync(dataDirectory).sort()).toEqual(engine === 'embedded' ? ['database', 'files'] : ['files']);
    expect(existsSync(stray)).toBe(false);
    expect(readFileSync(join(dataDirectory, 'files', key.slice(0, 2), key), 'utf8')).toBe('hello');

    // A restore that was killed after its last step is complete.
    writeFileSync(join(dataDirectory, 'restore.unfinished'), '');
    await expect(target.restore(archive)).rejects.toThrow(engine === 'embedded' ? /contains a database/ : /is not empty/);
    expect(existsSync(join(dataDirectory, 'files', key.slice(0, 2), key))).toBe(true);
    await assertRestoreFinished(configuration);
    expect(existsSync(join(dataDirectory, 'restore.unfinished'))).toBe(false);
  }, 300_000);
});
