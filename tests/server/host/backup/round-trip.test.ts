import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from '@rstest/core';
import { DiskStore } from '../../../../src/server/platform/files/disk-store.ts';
import { BackupDeployment, engines } from '../../../support/backup-deployment.ts';
import type { TestServer } from '../../../support/test-server.ts';

const awkward = `insert into bank_note values (
  1, E'line\\nbreak "quoted" back\\\\slash \\ttab 票据 😀', '\\x00ff5c'::bytea, 'null', '{"a": [1, null, "\\u2028"]}', '{1,NULL,3}', 0.1::float8 + 0.2::float8,
  12345678901234.567891, 'ab', '1 mon 2 days 03:04:05.678', 'infinity', '0044-03-15 12:00:00 BC', '10.0.0.0/8', true, ''
), (2, null, null, null, null, null, 'NaN', null, null, null, null, null, null, null, null)`;

/** Books pairs of entries until it is stopped; each pair adds up to 0. */
function bookPairs(server: TestServer): () => Promise<number> {
  let isStopped = false;
  let pairs = 0;
  const booking = (async () => {
    while (!isStopped) {
      pairs += 1;
      await server.sql(
        `insert into bank_entry (pair, account_id, before_id, amount)
         select ${pairs}, id, (select max(id) from bank_entry), case owner when 'ours' then 7 else -7 end from bank_account`,
      );
    }
  })();
  const stop = async () => {
    isStopped = true;
    await booking;
    return pairs;
  };
  onTestFinished(async () => void (await stop()));
  return stop;
}

const summary = `select (select count(*) from bank_entry)::integer as entries, (select count(distinct pair) from bank_entry)::integer as pairs,
  (select sum(amount) from bank_entry)::integer as total,
  (select count(*) from bank_account a where balance <> (select sum(amount) from bank_entry where account_id = a.id) or doubled <> balance * 2)::integer as wrong`;

async function storeFile(server: TestServer, folder: string, content: Uint8Array): Promise<string> {
  const key = randomBytes(16).toString('hex');
  await new DiskStore(folder).put(key, Readable.from([content], { objectMode: false }));
  await server.sql(
    `insert into stored_file (tenant_id, key, store, name, type, size, purpose, owner_id) values ('000000', '${key}', 'disk', 'receipt.bin', 'application/octet-stream', ${content.length}, 'upload', 1)`,
  );
  return key;
}

/** With a server, each engine is backed up and restored from once. */
const routes = engines.map((from, index) => ({ from, to: engines[(index + 1) % engines.length] ?? from }));

test.each(routes)(
  'a backup of a working $from database is restored on $to, where users sign in',
  async ({ from, to }) => {
    const old = await BackupDeployment.create(from);
    const server = await old.start();
    await server.sql(awkward);
    const content = randomBytes(70_000);
    const key = await storeFile(server, join(old.dataDirectory, 'files'), content);
    await server.createTenant('000700');
    await server.createUser({ account: 'warden', tenantId: '000700' });
    await server.sql(`create table api_log_203001 partition of api_log for values from ('2030-01-01 00:00+08') to ('2030-02-01 00:00+08')`);
    const headers = await server.signIn();
    const { body: publicKeys } = await server.get('/.well-known/jwks.json');
    const stopBooking = bookPairs(server);

    const report = await old.backup(old.path('backup.tar.gz'), { isVerified: true });
    const booked = await stopBooking();
    expect(report.files).toMatchObject({ count: 1, bytes: content.length, missing: 0, elsewhere: 0 });
    expect(statSync(report.path).mode & 0o777).toBe(0o600);
    const notes = await server.sql('select bank_note::text as row from bank_note order by id');
    const accounts = await server.sql('select * from user_account order by id');
    expect(await server.sql('select count(*)::integer as count from backup')).toEqual([{ count: 1 }]);
    await server.stop();

    const restored = await BackupDeployment.create(to);
    expect(await restored.restore(report.path)).toMatchObject({ engine: from, skippedTables: [] });
    const again = await restored.start();
    const [sums] = await again.sql(summary);
    expect(sums).toMatchObject({ total: 0, wrong: 0, entries: Number(sums?.pairs) * 2 });
    expect(Number(sums?.pairs)).toBeGreaterThan(0);
    expect(Number(sums?.pairs)).toBeLessThanOrEqual(booked);
    expect(await again.sql('select bank_note::text as row from bank_note order by id')).toEqual(notes);
    expect(await again.sql('select * from user_account order by id')).toEqual(accounts);
    expect(await again.sql(`select to_regclass('api_log_203001')::text as part`)).toEqual([{ part: 'api_log_203001' }]);
    expect(readFileSync(join(restored.dataDirectory, 'files', key.slice(0, 2), key))).toEqual(content);
    // Access tokens are signed by key pairs, which are in the backup.
    expect((await again.get('/.well-known/jwks.json')).body).toEqual(publicKeys);
    expect((await again.get('/api/blade-auth/oauth/user-info', { headers })).status).toBe(200);
    await again.signIn();
    await again.signIn('warden', '000700');
    // Triggers, foreign keys and sequences work again.
    await bookPairs(again)();
    expect((await again.sql(summary))[0]).toMatchObject({ total: 0, wrong: 0, entries: Number(sums?.entries) + 2 });
    await expect(again.sql('insert into bank_entry (pair, account_id, amount) values (0, 99, 1)')).rejects.toThrow();
  },
  300_000,
);
