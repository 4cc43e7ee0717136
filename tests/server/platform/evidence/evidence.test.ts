import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { queryRows } from '../../../../src/server/data/database/rows.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import { Evidence } from '../../../../src/server/platform/evidence/evidence.ts';
import { resignSeals } from '../../../../src/server/platform/evidence/resign.ts';
import { SealKeys } from '../../../../src/server/platform/evidence/seal.ts';
import { openTestDatabase, serverUrl, testDatabase } from '../../../support/test-database.ts';

const keys = secretKeysOf('a key of the tests of evidence, long enough').evidence;
const coins = "create table coin (like base_row including all, amount bigint not null, note text); call own_by_tenant('coin')";
const tables = () => [{ table: 'coin' }];

/** A database with sealed coins of two tenants, and what its owner does to it. */
async function mint() {
  const db = await testDatabase({ kernelMigrations, migrations: coins });
  const directory = mkdtempSync(join(tmpdir(), 'marquee-evidence-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const options = { db, keys, tables, marginMs: 0, witnessPath: join(directory, 'heads.json') };
  const evidence = new Evidence(options);
  const owner = (statement: string) => db.asPlatform('a test', () => queryRows<Record<string, string>>(db, sql.raw(statement)));
  const add = async (tenant: string, count: number) => {
    const rows = await owner(
      `insert into coin (tenant_id, amount, note) select '${tenant}', n, '第' || n || E' 枚 "\\n' from generate_series(1, ${count}) n returning id::text as id`,
    );
    return rows.map(({ id = '' }) => id);
  };
  /** Seals until so many rows are sealed: rows wait for transactions of other tests on the same server. */
  const seal = async (count: number, by = evidence) => {
    let sealed = 0;
    for (let attempt = 0; sealed < count && attempt < 400; attempt += 1) {
      if (attempt > 0) await pause(50);
      sealed += await by.seal();
    }
    return sealed;
  };
  const differences = async (by = evidence) => (await by.verify()).differences;
  return { db, options, evidence, owner, add, seal, differences };
}

test('rows are sealed in batches by tenant, and untouched ones have no differences', async () => {
  const { evidence, seal, add, owner, differences } = await mint();
  await add('alpha', 1203);
  await add('beta', 2);
  expect(await seal(1205)).toBe(1205);
  expect(await evidence.seal()).toBe(0);
  await add('beta', 1);
  expect(await seal(1)).toBe(1);
  const chains: unknown[] = [];
  const report = await evidence.verify({
    onChain: ({ tenant, table, firstSeal, lastSeal, rows }) => void chains.push([tenant, table, firstSeal, lastSeal, rows]),
  });
  expect(report).toMatchObject({ rows: 1206, differences: [] });
  expect(chains).toContainEqual(['alpha', 'coin', 1, 3, 1203]);
  expect(chains).toContainEqual(['beta', 'coin', 1, 2, 3]);
  expect((await evidence.verify({ tenant: 'beta' })).rows).toBe(3);
  expect((await owner('select rows, differences::text as differences from evidence_check'))[0]).toMatchObject({ differences: '[]' });
  expect(await differences()).toEqual([]);
});

test('a row that the owner of the database edits, deletes, inserts or exchanges is named with its seal, table and tenant', async () => {
  const { seal, add, owner, differences } = await mint();
  const ids = await add('alpha', 20);
  await add('beta', 5);
  await seal(25);
  const [one, two, three, four, five] = ids.slice(3);
  await owner(`update coin set amount = amount + 100 where id = ${one}`);
  expect(await differences()).toEqual([expect.stringMatching(`^alpha coin: row ${one} was changed \\(seal 1, ids \\d+ to \\d+\\)$`)]);
  await owner(`update coin set amount = amount - 100 where id = ${one}`);
  expect(await differences()).toEqual([]);

  await owner(
    `update coin set amount = case id when ${two} then (select amount from coin where id = ${three}) else (select amount from coin where id = ${two}) end where id in (${two}, ${three})`,
  );
  expect(await differences()).toEqual([expect.stringContaining(`alpha coin: rows ${two}, ${three} were changed (seal 1,`)]);
  await owner(
    `update coin set amount = case id when ${two} then (select amount from coin where id = ${three}) else (select amount from coin where id = ${two}) end where id in (${two}, ${three})`,
  );

  await owner(`delete from coin where id in (${four}, ${five})`);
  const forged = BigInt(ids.at(-1) ?? 0) - 1_000_000_000n;
  await owner(`insert into coin (id, tenant_id, amount) values (${forged}, 'alpha', 5)`);
  expect(await differences()).toEqual([
    expect.stringContaining(`alpha coin: row ${forged} was inserted (seal 1,`),
    expect.stringContaining(`alpha coin: rows ${four}, ${five} were deleted (seal 1,`),
  ]);
});

test('a row that is inserted where all rows are sealed is found, also in a tenant that had none, and is never sealed', async () => {
  const { seal, add, owner, differences } = await mint();
  const [first = '0'] = await add('alpha', 3);
  await add('beta', 2);
  await seal(5);
  await add('beta', 2);
  await seal(2);
  // Between the last row of alpha and the end of the sealed rows, and for a tenant without rows.
  const [late] = await owner(`select (max(id) + 1)::text as id from coin where tenant_id = 'beta'`);
  await owner(`insert into coin (id, tenant_id, amount) values (${late?.id}, 'alpha', 5), (${BigInt(first) - 1n}, 'gamma', 5)`);
  await add('alpha', 1);
  await seal(1);
  expect(await differences()).toEqual([
    expect.stringContaining(`alpha coin: row ${late?.id} was inserted (seal 2,`),
    `gamma coin: row ${BigInt(first) - 1n} was inserted after the rows of its time had been sealed`,
  ]);
});

test('seals that are deleted, rewritten or added are found, also the last ones', async () => {
  const { seal, add, owner, differences } = await mint();
  await add('alpha', 1400);
  await seal(1400);
  const stored = await owner('select * from evidence_seal');
  expect(stored).toHaveLength(3);
  await owner("delete from evidence_seal where source = 'coin' and number = 2");
  expect(await differences()).toEqual(['alpha coin: seal 2 was deleted']);
  await owner("delete from evidence_seal where source = 'coin' and number = 3");
  expect(await differences()).toEqual(['alpha coin: seals 2 to 3 were deleted']);
  await owner("update evidence_seal set digest = repeat('0', 64) where number = 1");
  expect(await differences()).toEqual([
    expect.stringMatching(/^alpha coin: seal 1 \(rows 0 to \d+\) was changed: its hash or signature is wrong$/),
    'alpha coin: seals 2 to 3 were deleted',
  ]);
  await owner('delete from evidence_head');
  expect(await differences()).toEqual(expect.arrayContaining([expect.stringContaining('seal 1 (rows'), 'alpha coin: the head of the chain was deleted']));
});

test('a head that is replaced by its former version is found by the file of a server', async () => {
  const { seal, add, owner, differences, options } = await mint();
  await add('alpha', 2);
  await seal(2);
  await owner('create table former as select * from evidence_head');
  const [row = '0'] = await add('alpha', 2);
  await seal(2);
  await owner('delete from evidence_head');
  await owner('insert into evidence_head select * from former');
  await owner("delete from evidence_seal where source = 'coin' and number = 2");
  await owner(`delete from coin where id >= ${row}`);
  const restarted = new Evidence(options);
  expect(await differences(restarted)).toEqual(['alpha coin: seals 2 to 2 were deleted, with the former head of the chain; this server had seen them']);
  // Without that file the database is consistent, so that only who receives the seals knows of it.
  expect(await differences(new Evidence({ ...options, witnessPath: undefined }))).toEqual([]);
  // The chain that goes on from there is another one.
  await add('alpha', 3);
  await seal(3, restarted);
  expect(await differences(restarted)).toEqual(['alpha coin: seal 2 is another one than this server had seen']);
});

test('nothing is added to a chain whose head was not signed by this deployment', async () => {
  const { evidence, seal, add, owner, differences } = await mint();
  await add('alpha', 2);
  await seal(2);
  await owner("update evidence_head set to_id = 0 where tenant = 'alpha'");
  await add('alpha', 2);
  await expect(evidence.seal()).rejects.toThrow('The head of coin of tenant alpha was not signed by this deployment.');
  expect(await differences()).toEqual(['alpha coin: the head of the chain was changed: its signature is wrong']);
});

test('deletions of the product are recorded in the chain and are no differences, those by hand are', async () => {
  const { evidence, seal, add, owner, differences } = await mint();
  const [old = '0', young = '0'] = await add('alpha', 3);
  await owner(`update coin set create_time = now() - interval '40 days' where id = ${old}`);
  await add('beta', 4);
  await seal(7);
  const before = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 30 * 86_400_000;
  await evidence.recordPurge({ tables: ['coin'], before });
  await evidence.recordPurge({ tables: ['coin'], before });
  expect(await owner("select tenant, number from evidence_seal where kind = 'purge'")).toHaveLength(1);
  expect(await differences()).toEqual([]);
  await owner(`delete from coin where id = ${old}`);
  expect(await evidence.verify()).toMatchObject({ rows: 6, differences: [] });
  await owner(`delete from coin where id = ${young}`);
  expect(await differences()).toEqual([expect.stringContaining(`alpha coin: row ${young} was deleted`)]);

  // A tenant that is purged loses all rows.
  await evidence.recordPurge({ tenant: 'beta', before: Math.floor(Date.now() / 1000 + 1) * 1000 });
  await owner("delete from coin where tenant_id = 'beta'");
  expect(await differences()).toHaveLength(1);
});

test('seals of rows that were deleted long ago are removed, and the chain begins after them', async () => {
  const { evidence, seal, add, owner, differences } = await mint();
  await add('alpha', 600);
  // Ids of last month.
  await owner("update coin set id = id - (40::bigint * 86400000 << 22), create_time = create_time - interval '40 days'");
  await seal(600);
  const ids = await add('alpha', 2);
  await seal(2);
  const before = Math.floor(Date.now() / 1000) * 1000 - 30 * 86_400_000;
  await evidence.recordPurge({ tables: ['coin'], before });
  await owner("delete from coin where create_time < now() - interval '30 days'");
  expect(await owner("select number from evidence_seal where tenant = 'alpha' order by 1")).toEqual([{ number: '2' }, { number: '3' }]);
  expect(await differences()).toEqual([]);
  await owner(`delete from coin where id = ${ids[0]}`);
  expect(await differences()).toEqual([expect.stringContaining(`row ${ids[0]} was deleted`)]);
});

test('a key that was exchanged still verifies, and an unknown one does not', async () => {
  const { db, seal, add, owner, options, differences } = await mint();
  await add('alpha', 2);
  await seal(2);
  const [former] = keys;
  const [current] = secretKeysOf('another key of the tests of evidence, long enough').evidence;
  const exchanged = new Evidence({ ...options, keys: [current, former] });
  await add('alpha', 2);
  expect(await seal(2, exchanged)).toBe(2);
  expect(await differences(exchanged)).toEqual([]);
  expect(await owner("select key_id from evidence_seal where source = 'coin' group by 1")).toHaveLength(2);
  const alone = new Evidence({ ...options, keys: [current] });
  expect(await differences(alone)).toEqual([expect.stringContaining('seal 1 (rows')]);

  // The command that encrypts secrets with the new key signs the seals with it too; a seal that was changed stays unsigned.
  expect(await resignSeals(db, new SealKeys([current, former]))).toMatchObject({ unsigned: 0 });
  expect(await differences(alone)).toEqual([]);
  await owner("update evidence_seal set digest = repeat('0', 64), key_id = 'former' where tenant = 'alpha' and number = 1");
  expect(await resignSeals(db, new SealKeys([current, former]))).toEqual({ resigned: 0, unsigned: 1 });
});

test('a transaction that is still open keeps later rows from being sealed, so that none of its rows is missed', async () => {
  if (serverUrl === undefined) return;
  const { db, url, drop } = await openTestDatabase({ kernelMigrations, migrations: coins });
  onTestFinished(drop);
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const evidence = new Evidence({ db, keys, tables, marginMs: 0 });
  // Indexes are built after the end of all transactions.
  await evidence.seal();
  await client.query("begin; insert into coin (tenant_id, amount) values ('alpha', 1)");
  await db.asPlatform('a test', () => db.sql.execute(sql`insert into coin (tenant_id, amount) values ('alpha', 2), ('beta', 3)`));
  expect(await evidence.seal()).toBe(0);
  await client.query('commit');
  await client.end();
  let sealed = 0;
  for (let attempt = 0; sealed === 0 && attempt < 400; attempt += 1) {
    await pause(50);
    sealed = await evidence.seal();
  }
  expect(sealed).toBe(3);
  expect((await evidence.verify()).differences).toEqual([]);
});

test('two servers that seal at once make one chain, and one that is killed in a batch leaves it whole', async () => {
  const { evidence, seal, add, options, differences, owner, db } = await mint();
  for (let turn = 0; turn < 3; turn += 1) {
    await add('alpha', 1100);
    const other = new Evidence({ ...options, witnessPath: undefined });
    let sealed = 0;
    for (let attempt = 0; sealed < 1100 && attempt < 400; attempt += 1) {
      const counts = await Promise.all([evidence.seal(), other.seal()]);
      sealed += counts[0] + counts[1];
    }
    expect(sealed).toBe(1100);
  }
  await add('alpha', 700);
  const broken = new Evidence({ ...options, witnessPath: undefined });
  let appended = 0;
  const { store } = broken;
  const append = store.append.bind(store);
  store.append = async (...added) => {
    const head = await append(...added);
    appended += 1;
    if (appended === 2) throw new Error('killed');
    return head;
  };
  await expect(seal(700, broken)).rejects.toThrow('killed');
  expect(await seal(200)).toBe(200);
  expect(await differences()).toEqual([]);
  expect(await owner("select count(*)::integer as seals, sum(row_count)::integer as rows from evidence_seal where tenant = 'alpha'")).toEqual([
    { seals: 11, rows: 4000 },
  ]);
  expect(db.engine).toBe(serverUrl ? 'postgres' : 'embedded');
});
