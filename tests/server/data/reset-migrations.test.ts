import { afterAll, afterEach, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { type Database, migrate, migrationsOf } from '../../../src/server/data/index.ts';
import { createdObjects } from '../../../src/server/data/schema/created-objects.ts';
import { isOfDevelopment, markDatabase } from '../../../src/server/data/schema/development-mark.ts';
import { holderSentence, type MigrationReset, planReset, resetMigrations } from '../../../src/server/data/schema/reset-migrations.ts';
import { kernelMigrations } from '../../../src/server/host/kernel-migrations.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const plugin = (id: string, ...texts: string[]) => ({
  plugin: { id, title: ['插件', 'Plugin'] as const },
  migrations: Object.fromEntries(texts.map((text, index) => [`000${index + 1}.sql`, text])),
});
const lampTable = (columns: string) => `create table lamp (like tenant_row including all, ${columns});
  call own_by_tenant('lamp');
  call sort_by('lamp', 'name');`;
const lamp = plugin(
  'lamp',
  lampTable('name varchar(64) not null'),
  `create type lamp_state as enum ('on', 'off'); create function lit() returns int language sql as $$ select 1 $$`,
);
const shelf = (text: string) => plugin('shelf', text);

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase({ kernelMigrations }));
});
afterEach(() =>
  db.asPlatform('a test', () =>
    db.script(`drop table if exists lamp, light, shelf cascade; drop type if exists lamp_state; drop function if exists lit;
      delete from schema_migration where plugin in ('lamp', 'shelf'); delete from seeded_plugin where plugin_id like 'lamp%';
      delete from list_order where table_name = 'lamp'; delete from row_count_delta where table_name = 'lamp'`),
  ),
);
afterAll(() => drop());

/** Texts of the migrations as they were applied, by their hashes. */
const applied = (...installed: ReturnType<typeof plugin>[]) => {
  const texts = new Map(migrationsOf(installed).map(({ hash, text }) => [hash, text]));
  return (hash: string) => texts.get(hash);
};
const request = (more: Partial<MigrationReset> = {}): MigrationReset => ({
  plugin: 'lamp',
  migrations: migrationsOf([lamp]),
  references: [],
  appliedText: applied(lamp),
  ...more,
});
const addLamps = () => db.write({ tenantId: '000000' }, () => db.sql.execute(sql`insert into lamp (name) values ('a'), ('b')`));
const rowsOf = (statement: string) => db.asPlatform('a test', () => db.sql.execute<Record<string, unknown>>(sql.raw(statement)));

test('a reset names what it drops, and applies the changed migrations to a table without old rows, counts and orders', async () => {
  await migrate(db, [lamp]);
  await addLamps();
  await rowsOf(`insert into seeded_plugin (plugin_id) values ('lamp'), ('lamp@2'), ('lamps')`);
  const changed = plugin('lamp', lampTable('name varchar(64) not null, watts integer not null'));
  const wanted = request({ migrations: migrationsOf([changed]) });
  const plan = await planReset(db, wanted);
  expect(plan).toMatchObject({ applied: ['0001.sql', '0002.sql'], holders: [], rows: new Map([['lamp', 2]]) });
  expect(plan.objects).toEqual({ tables: ['lamp'], views: [], types: ['lamp_state'], sequences: [], routines: ['lit'] });

  expect(await resetMigrations(db, wanted, plan)).toEqual(['lamp/0001.sql']);
  expect(await rowsOf('select count(*)::int as rows from lamp where watts > 0')).toEqual([{ rows: 0 }]);
  expect(await rowsOf(`select (kept_count('lamp', false))[1]::int as rows`)).toEqual([{ rows: 0 }]);
  expect(await rowsOf(`select column_name as name from list_order where table_name = 'lamp' order by 1`)).toEqual([{ name: 'create_time' }, { name: 'name' }]);
  expect(await rowsOf(`select plugin_id as id from seeded_plugin where plugin_id like 'lamp%'`)).toEqual([{ id: 'lamps' }]);
  expect(await rowsOf(`select to_regtype('lamp_state') is null and to_regproc('lit') is null as gone`)).toEqual([{ gone: true }]);
  expect(await migrate(db, [changed])).toEqual([]);
});

test('the table that a changed migration created before is found by the text that was applied', async () => {
  await migrate(db, [lamp]);
  const renamed = plugin('lamp', 'create table light (like tenant_row including all)');
  const wanted = request({ migrations: migrationsOf([renamed]) });
  await resetMigrations(db, wanted, await planReset(db, wanted));
  expect(await rowsOf(`select to_regclass('lamp') is null as lamp, to_regclass('light') is null as light`)).toEqual([{ lamp: true, light: false }]);
});

test('a reset whose migration fails changes nothing', async () => {
  await migrate(db, [lamp]);
  await addLamps();
  const wanted = request({ migrations: migrationsOf([plugin('lamp', 'create table lamp (nonsense')]) });
  await expect(planReset(db, wanted).then((plan) => resetMigrations(db, wanted, plan))).rejects.toThrow('The migration lamp/0001.sql failed: syntax error');
  expect(await rowsOf('select count(*)::int as rows from lamp')).toEqual([{ rows: 2 }]);
  expect(await migrate(db, [lamp])).toEqual([]);
});

test('a reset is refused while tables of other plugins refer to its own, by a key or by the field of an entity', async () => {
  const keyed = shelf(
    'create table shelf (id bigint primary key, lamp_id bigint, tenant_id varchar(12), foreign key (lamp_id, tenant_id) references lamp (id, tenant_id))',
  );
  await migrate(db, [lamp, keyed]);
  const key = await planReset(db, request({ migrations: migrationsOf([lamp, keyed]) }));
  expect(key.holders.map(holderSentence)).toEqual(['The table shelf of the plugin shelf refers to lamp by the foreign key shelf_lamp_id_tenant_id_fkey.']);

  const fields = shelf('create table shelf (lamp_id bigint)');
  await db.asPlatform('a test', () => db.script(`drop table shelf; delete from schema_migration where plugin = 'shelf'`));
  await migrate(db, [fields]);
  const references = [{ table: 'shelf', column: 'lamp_id', target: 'lamp' }];
  const wanted = request({ migrations: migrationsOf([lamp, fields]), references });
  expect((await planReset(db, wanted)).holders).toEqual([]);
  await rowsOf('insert into shelf values (7), (null)');
  expect((await planReset(db, wanted)).holders.map(holderSentence)).toEqual(['1 row of shelf of the plugin shelf refer to lamp by lamp_id.']);
});

test('created objects are found in statements, not in comments and function bodies', () => {
  const text = `-- create table noted (a int);
    create table if not exists "Lamp" (a int); create unlogged table dim (a int);
    create or replace function made() returns void language plpgsql as $body$ begin create table inner_table (a int); end $body$;
    create materialized view lit as select 1; create sequence lamp_number; create domain watts as int; create index on lamp (a);`;
  const found = { tables: ['lamp', 'dim'], views: ['lit'], types: ['watts'], sequences: ['lamp_number'], routines: ['made'] };
  expect(createdObjects([text])).toEqual(found);
});

test('a database is one of development while the last server on it was', async () => {
  const isMarked = () => db.asPlatform('a test', () => isOfDevelopment(db));
  expect(await isMarked()).toBe(false);
  await markDatabase(db, 'development');
  await markDatabase(db, 'development');
  expect(await isMarked()).toBe(true);
  await markDatabase(db, 'production');
  expect(await isMarked()).toBe(false);
});
