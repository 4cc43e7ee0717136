import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import type pg from 'pg';
import { crudRoutes } from '#server';
import { crud, entity } from '#shared/contract';
import { DateTime, Id, Integer, LongText, Money, Nullable, Select, Text } from '#shared/fields';
import { type Database, type Repository, repositoryOf } from '../../src/server/data/index.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

/** Number of changes; the full measurement sets it to 100,000,000. */
const changeCount = Number(process.env.BENCH_HISTORY_ROWS ?? 1_000_000);
const changesPerRecord = 20;
const watchedChanges = 500;
const months = 30;
const section = 'History of records on PostgreSQL';
const scope = { tenantId: '000000' };
const watched = '7';

const fields = {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], maxLength: 64 }),
  contact: Text({ title: ['联系人', 'Contact'], maxLength: 64 }),
  address: Nullable(Text({ title: ['地址', 'Address'] })),
  remark: Nullable(LongText({ title: ['备注', 'Remark'] })),
  price: Money({ title: ['价格', 'Price'], default: 0 }),
  limit: Money({ title: ['额度', 'Limit'], default: 0 }),
  places: Integer({ title: ['名额', 'Places'], default: 1 }),
  startTime: Nullable(DateTime({ title: ['开始', 'Start'] })),
  kind: Select({
    title: ['类别', 'Kind'],
    default: 1,
    options: [
      [1, ['甲', 'First']],
      [2, ['乙', 'Second']],
    ],
  }),
};
const Tracked = entity('tracked', fields);
const Untracked = entity('untracked', fields, { history: false });
const screens = { tracked: crud('/api/bench/tracked', Tracked, { menu: 'tracked' }), untracked: crud('/api/bench/untracked', Untracked, { menu: 'tracked' }) };
const tableSql = (name: string) => `create table ${name} (like base_row including all, name varchar(64) not null, contact varchar(64) not null,
  address varchar(255), remark text, price bigint not null, "limit" bigint not null, places integer not null, start_time timestamptz(0), kind integer not null);
  call own_by_tenant('${name}');`;
const plugin: InstalledPlugin = {
  plugin: defineServerPlugin({
    id: 'bench',
    title: ['基准', 'Bench'],
    setup: ({ db }) => ({ routes: [crudRoutes(screens.tracked, repositoryOf(db, Tracked)), crudRoutes(screens.untracked, repositoryOf(db, Untracked))] }),
  }),
  migrations: { '0001-bench.sql': `${tableSql('tracked')} ${tableSql('untracked')}` },
};

/** Inserts changes of many records over several months, past the server; one record has more changes than a page. */
async function fill(driver: pg.Client, entity: string): Promise<void> {
  await driver.query(`do $$ declare month date; begin for step in 1..${months} loop
    month := (date_trunc('month', now()) - make_interval(months => step))::date;
    execute format('create table record_change_%s partition of record_change for values from (%L) to (%L)', to_char(month, 'YYYYMM'), month, month + interval '1 month');
  end loop; end $$`);
  const seconds = ((months - 1) * 30 * 86_400) / changeCount;
  const batch = 1_000_000;
  for (let from = 1; from <= changeCount; from += batch) {
    await driver.query(`
      insert into record_change (id, create_time, tenant_id, entity, record_id, action, user_id, method, path, request_id, fields)
      select ((extract(epoch from t) * 1000)::bigint - 1704067200000) << 22 | (n & 4194303), t, '000000', '${entity}',
        case when n % ${Math.ceil(changeCount / watchedChanges)} = 0 then ${watched} else 1000 + n % ${Math.ceil(changeCount / changesPerRecord)} end, 'updated', 1, 'POST',
        '/api/bench/tracked/submit', 'request-' || n, jsonb_build_object('name', jsonb_build_array('name ' || n, 'name ' || n + 1), 'price', jsonb_build_array(n, n + 1))
      from (select n, now() - make_interval(secs => (${changeCount} - n) * ${seconds}) as t
        from generate_series(${from}, ${Math.min(from + batch - 1, changeCount)}) n) change`);
  }
  await driver.query('vacuum analyze record_change');
}

describe.skipIf(serverUrl === undefined)('the history of records', () => {
  let server: TestServer;
  let driver: pg.Client;
  let db: Database;
  let records: Repository<typeof Tracked>;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const opened = await openTestDatabase();
    db = opened.db;
    server = await openTestServer({ db, plugins: [plugin] });
    records = repositoryOf(db, Tracked);
    driver = await plainClient(opened.url as string);
    await fill(driver, Tracked.name);
    await driver.query(`insert into tracked (id, tenant_id, name, contact, price, "limit", places, kind) values (${watched}, '000000', 'a', 'b', 1, 1, 1, 1)`);
    close = async () => {
      await server.stop();
      await driver.end();
      await opened.drop();
    };
  });
  afterAll(() => close());

  test('a save with and without history', async () => {
    const headers = await server.signIn();
    const form = {
      name: 'name',
      contact: 'contact',
      address: 'street',
      remark: 'remark '.repeat(20),
      price: 1,
      limit: 2,
      places: 3,
      startTime: '2026-01-01 00:00:00',
    };
    const saving = async ({ submit }: typeof screens.tracked | typeof screens.untracked) => {
      const { id } = (await server.post(submit.path, form, { headers })).data;
      let count = 0;
      return async () => {
        count += 1;
        const reply = await server.post(submit.path, { ...form, id, name: `name ${count}`, price: count, remark: `remark ${count} `.repeat(20) }, { headers });
        if (reply.code !== 200) throw new Error(reply.msg);
      };
    };
    const [tracked, untracked] = [await saving(screens.tracked), await saving(screens.untracked)];
    const [ours = [], plain = []] = await inTurn(1500, tracked, untracked);
    const ratio = median(ours) / median(plain);
    const figure = `${times(ratio)} the save without history (${milliseconds(median(ours))} to ${milliseconds(median(plain))})`;
    const at = `three changed fields of ten, ${changeCount.toLocaleString('en')} changes stored; 1500 runs`;
    report({ section, what: 'a save, the whole request', figure, bound: '1.1 ×', isMet: ratio <= 1.1, at });
    expect(ratio).toBeLessThanOrEqual(1.1);
  });

  for (const page of ['first', 'last'] as const)
    test(`the ${page} page of a record with many changes`, async () => {
      const next = page === 'first' ? undefined : await lastCursor();
      const input = { id: watched, size: 20, ...(next ? { cursor: next } : {}) };
      const bare = `select id, create_time, action, user_id, method, path, request_id, fields from record_change
        where record_id = $1 and entity = $2 ${next ? 'and id < $3' : ''} order by id desc limit 21`;
      const parameters = [watched, Tracked.name, ...(next ? [next] : [])];
      const [ours = [], plain = []] = await inTurn(
        300,
        () => db.read(scope, () => records.history(input)),
        () => driver.query(bare, parameters),
      );
      const ratio = median(ours) / median(plain);
      report({
        section,
        what: `${page} page of a timeline of ${watchedChanges} changes`,
        figure: `${milliseconds(median(ours))}, ${times(ratio)} the bare statement (${milliseconds(median(plain))})`,
        bound: '5 ms',
        isMet: median(ours) <= 5,
        at: `${changeCount.toLocaleString('en')} changes in ${months} months; 300 runs`,
      });
      expect(median(ours)).toBeLessThanOrEqual(5);
    });

  async function lastCursor(): Promise<string> {
    const { rows } = await driver.query<{ id: string }>(`select id from record_change where record_id = ${watched} order by id offset 20 limit 1`);
    return String(rows[0]?.id);
  }

  test('the size of a change', async () => {
    const sizes = `select sum(pg_total_relation_size(relid)) / ${changeCount} as total, sum(pg_indexes_size(relid)) / ${changeCount} as indexes from pg_partition_tree('record_change')`;
    const { rows } = await driver.query<{ total: string; indexes: string }>(sizes);
    const [{ total, indexes } = { total: '0', indexes: '0' }] = rows;
    report({
      section,
      what: 'size of a change of two fields',
      figure: `${Math.round(Number(total))} bytes, of which ${Math.round(Number(indexes))} indexes`,
      at: `${changeCount.toLocaleString('en')} changes`,
    });
    expect(Number(total)).toBeGreaterThan(0);
  });
});
