import { afterAll, beforeAll, describe, expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';
import { Pgbouncer, pgbouncer, supportsPreparedStatements } from '../../support/pgbouncer.ts';
import { freshDatabase, openTestDatabase, serverUrl } from '../../support/test-database.ts';

const isSkipped = serverUrl === undefined || pgbouncer === undefined;
if (serverUrl !== undefined && pgbouncer === undefined) process.stdout.write('PgBouncer was not found: its tests are skipped. Install it.\n');
const timeZone = 'Asia/Shanghai';

async function pooled(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const pooler = await Pgbouncer.open(serverUrl as string, mode);
  onTestFinished(() => pooler.discard());
  return pooler.address;
}

describe.skipIf(isSkipped)('a pooler in front of PostgreSQL', () => {
  test('in transaction mode is refused without the address of PostgreSQL itself', async () => {
    await expect(openDatabase({ url: await pooled('transaction'), timeZone })).rejects.toThrow(
      'DATABASE_URL points to a pooler in transaction mode, which cannot keep tenants apart by the settings of a session. Set DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  });

  test('in transaction mode is refused as PostgreSQL itself, and so is another database', async () => {
    const url = await pooled('transaction');
    await expect(openDatabase({ url, directUrl: url, timeZone })).rejects.toThrow('DATABASE_DIRECT_URL points to a pooler in transaction mode');
    const other = await freshDatabase(serverUrl as string);
    await expect(openDatabase({ url, directUrl: other, timeZone })).rejects.toThrow('lead to different databases');
  });

  test('in statement mode is refused', async () => {
    const url = await pooled('statement');
    await expect(openDatabase({ url, timeZone })).rejects.toThrow();
    await expect(openDatabase({ url, directUrl: serverUrl, timeZone })).rejects.toThrow();
  });

  test('in session mode is accepted', async () => {
    const db = await openDatabase({ url: await pooled('session'), timeZone });
    const tenants = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        db.read({ tenantId: String(index) }, () => queryRows<{ tenant: string }>(db, sql`select current_setting('app.tenant', true) as tenant`)),
      ),
    );
    expect(tenants).toHaveLength(20);
    await db.check();
    await db.close();
  });
});

describe.skipIf(isSkipped)('two servers behind a pooler in transaction mode, with two connections for all', () => {
  let pooler: Pgbouncer;
  let one: Database;
  let two: Database;
  let pooledUrl: string;
  let end: () => Promise<void>;
  const tenants = ['acme', 'rival'];

  beforeAll(async () => {
    const migrations = "create table thing (like tenant_row including all, name text not null unique); call own_by_tenant('thing')";
    const { db, url, drop } = await openTestDatabase({ migrations });
    pooler = await Pgbouncer.open(url as string, 'transaction', 2);
    pooledUrl = pooler.addressOf(url as string);
    const options = { url: pooledUrl, directUrl: url, timeZone, poolSize: 6, statementSeconds: 2 };
    [one, two] = [await openDatabase(options), await openDatabase(options)];
    end = async () => {
      await Promise.all([one.close(), two.close()]);
      pooler.discard();
      await db.close();
      await drop();
    };
  });
  afterAll(() => end?.());

  const names = (db: Database, tenantId: string) =>
    db.read({ tenantId }, () => queryRows<{ tenant: string; name: string }>(db, sql`select tenant_id as tenant, name from thing order by name`));
  const add = (db: Database, tenantId: string, name: string) =>
    db.write({ tenantId }, () => db.sql.execute(sql`insert into thing (tenant_id, name) values (${tenantId}, ${name})`));

  test('show and store no row of another tenant, whatever fails in between', async () => {
    let foreign = 0;
    const count = (tenantId: string, rows: readonly { tenant: string }[]) => {
      foreign += rows.filter(({ tenant }) => tenant !== tenantId).length;
    };
    const works: readonly ((db: Database, tenantId: string, turn: number) => Promise<unknown>)[] = [
      async (db, tenantId) => count(tenantId, await names(db, tenantId)),
      (db, tenantId, turn) => add(db, tenantId, `${tenantId} ${turn}`),
      // A row for the other tenant is refused by the database.
      (db, tenantId, turn) =>
        db.write({ tenantId }, () =>
          db.sql.execute(sql`insert into thing (tenant_id, name) values (${tenants.find((other) => other !== tenantId)}, ${`foreign ${turn}`})`),
        ),
      (db, tenantId) => db.read({ tenantId }, () => db.sql.execute(sql`select missing from thing`)),
      (db, tenantId) => db.read({ tenantId }, () => db.sql.execute(sql`delete from thing`)),
      (db, tenantId, turn) =>
        db.write({ tenantId }, async () => {
          await db.sql.execute(sql`insert into thing (tenant_id, name) values (${tenantId}, ${`${tenantId} back ${turn}`})`);
          await db.asPlatform('a test counts all rows', () => db.sql.execute(sql`select count(*) from thing`));
          await db.asPlatform('a test fails', () => db.sql.execute(sql`select 1 / 0`)).catch(() => undefined);
          count(tenantId, await queryRows<{ tenant: string }>(db, sql`select tenant_id as tenant from thing`));
          throw new Error('taken back');
        }),
    ];
    const turns = Array.from({ length: 600 }, (_, turn) => turn);
    // Works, servers and tenants meet in all combinations.
    await Promise.allSettled(turns.map((turn) => works[turn % 6]?.(turn % 7 < 4 ? one : two, tenants[turn % 5 < 3 ? 0 : 1] as string, turn)));
    for (const tenantId of tenants) count(tenantId, await names(one, tenantId));
    expect(foreign).toBe(0);
    const kept = await one.asPlatform('a test counts', () =>
      queryRows<{ tenant: string; count: number }>(one, sql`select tenant_id as tenant, count(*)::integer as count from thing group by 1 order by 1`),
    );
    expect(kept.map(({ tenant }) => tenant)).toEqual(tenants);
    expect(kept.reduce((sum, row) => sum + row.count, 0)).toBe(100);
  });

  test('prepare a repeated statement once for each connection of a pooler that carries names, and never behind another', async () => {
    for (let turn = 0; turn < 12; turn += 1) await names(one, 'acme');
    const client = new pg.Client(pooledUrl);
    await client.connect();
    const { rows } = await client.query(
      "select generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%from thing order by name%'",
    );
    await client.end();
    expect(rows.length > 0 && rows.every(({ uses }) => Number(uses) > 1)).toBe(supportsPreparedStatements);
  });

  test('leave nothing of a tenant on a connection of the pooler', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, turn) => names(turn % 2 ? one : two, 'acme')));
    const clients = [new pg.Client(pooledUrl), new pg.Client(pooledUrl)];
    await Promise.all(clients.map((client) => client.connect()));
    const state = "select coalesce(current_setting('app.tenant', true), '') as tenant, session_user = current_user as is_login, pg_sleep(0.05)::text as slept";
    const states = await Promise.all(clients.map(async (client) => (await client.query(state)).rows[0]));
    await Promise.all(clients.map((client) => client.end()));
    expect(states).toEqual(Array(2).fill({ tenant: '', is_login: true, slept: '' }));
  });

  test('read only outside of transactions, in the time zone and within the time limit of the deployment', async () => {
    const acme = { tenantId: 'acme' };
    await expect(one.read(acme, () => one.sql.execute(sql`insert into thing (name) values ('read')`))).rejects.toMatchObject({
      cause: { code: '25006' },
    });
    const [row] = await one.read(acme, () => queryRows<{ at: string }>(one, sql`select timestamptz '2026-01-01 00:00:00+00' as at`));
    expect(row?.at).toBe('2026-01-01 08:00:00+08');
    await expect(one.read(acme, () => one.sql.execute(sql`select pg_sleep(5)`))).rejects.toMatchObject({ cause: { code: '57014' } });
    await expect(one.write(acme, () => one.sql.execute(sql`select pg_sleep(5)`))).rejects.toMatchObject({ cause: { code: '57014' } });
  });

  test('send signals to each other, and make snapshots and indexes', async () => {
    const heard: string[] = [];
    two.onSignal('changed', (payload) => heard.push(payload));
    await one.write({ tenantId: 'acme' }, () => one.signal('changed', 'thing'));
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['thing']);
    await one.snapshot('a test', async () => {
      const before = (await queryRows(one, sql`select 1 from thing`)).length;
      await add(two, 'rival', 'after the snapshot');
      expect(await queryRows(one, sql`select 1 from thing`)).toHaveLength(before);
      expect(await two.isBackupRunning()).toBe(true);
    });
    expect(await two.isBackupRunning()).toBe(false);
    expect(await one.runConcurrently(['create index concurrently thing_by_name on thing (tenant_id, name)'])).toBe(true);
  });

  test('answer again once a killed pooler is back, and are not ready meanwhile', async () => {
    pooler.kill();
    await expect(names(one, 'acme')).rejects.toMatchObject({ cause: { code: expect.stringMatching(/^(08006|08P01|ECONNREFUSED|ECONNRESET)$/) } });
    await expect(one.check()).rejects.toThrow();
    await pooler.start();
    await expect
      .poll(
        () =>
          names(one, 'acme').then(
            (rows) => rows.length > 0,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true);
    await one.check();
  });
});
