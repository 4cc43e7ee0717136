import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { plugins } from '#deployment/server';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { type Database, migrate } from '../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../src/server/host/kernel-migrations.ts';
import { testDatabase } from '../../support/test-database.ts';

/** First migrations that put the tenant into the remaining keys. */
const remainingKeys: Readonly<Record<string, string>> = {
  kernel: '0128',
  alipay: '0002',
  'bank-file': '0003',
  'base-data': '0005',
  dictionary: '0004',
  email: '0002',
  job: '0010',
  miniapp: '0002',
  notice: '0004',
  organization: '0005',
  payee: '0006',
  payment: '0026',
  resource: '0002',
  sms: '0003',
  storage: '0003',
  task: '0010',
};
/** Migration of payments that was added with the keys of hot tables, although its name sorts before all others. */
const referencedSubmissions = '0000-referenced-submissions.sql';
/** First migrations that put the tenant into the keys of hot tables. */
const hotKeys = { ...remainingKeys, kernel: '0125', 'base-data': '0004', payment: '0022', task: '0006' };

type Migrations = Readonly<Record<string, string>>;

/** Returns the plugins and the kernel with the migrations that are older than these. */
function releasedBefore(firstMigrations: Readonly<Record<string, string>>) {
  const isReleased = (owner: string, name: string) =>
    name < '0001' ? firstMigrations === remainingKeys && name === referencedSubmissions : name < (firstMigrations[owner] ?? '9');
  const released = (owner: string, migrations: Migrations) => Object.fromEntries(Object.entries(migrations).filter(([name]) => isReleased(owner, name)));
  return {
    installed: plugins.map(({ plugin, migrations }) => ({ plugin, migrations: released(plugin.id, migrations) })),
    kernelMigrations: released('kernel', kernelMigrations),
  };
}

/** Lists the constraints and indexes of a database; a constraint that has not been validated says so. */
const keysOf = (db: Database) =>
  db.asPlatform('reads the catalogue', () =>
    queryRows<{ key: string }>(
      db,
      sql`select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as key from pg_constraint where connamespace = 'public'::regnamespace
          union all select indexdef from pg_indexes where schemaname = 'public' order by key`,
    ),
  );

const rows = `
  insert into user_account (id, tenant_id, account, password_hash, name, real_name) values (1, 'a', 'baker', '', '', '');
  insert into role (id, tenant_id, role_name, role_alias) values (2, 'a', 'baker', 'baker');
  insert into user_role (tenant_id, user_id, role_id) values ('a', 1, 2);
  insert into user_oauth (tenant_id, source, uuid, user_id) values ('a', 'wechat_open', 'u', 1);
  insert into second_factor (tenant_id, user_id, secret) values ('a', 1, '');
  insert into recovery_code (tenant_id, user_id, code_hash) values ('a', 1, '');
  insert into email_view (tenant_id, user_id, list, view, weekday, hour) values ('a', 1, 'l', 'v', 1, 1);
  insert into advertiser (id, tenant_id, name, contact_name, contact_phone) values (3, 'a', 'bakery', '', '');
  insert into advertiser_funds_notice (tenant_id, advertiser_id) values ('a', 3);
  insert into job_instance (id, tenant_id, job_info_id, state, trigger, expected_time) values (4, 'a', 1, 1, 1, now());
  insert into job_log (tenant_id, instance_id, time, level, text) values ('a', 4, now(), 'info', '')`;

/** Long enough for all migrations, twice, on the embedded database of a busy machine. */
const timeoutMs = 180_000;

// In the second version, payments refer to advertisers by their id only.
for (const [version, firstMigrations] of Object.entries({ 'the previous version': remainingKeys, 'a version before keys of hot tables': hotKeys }))
  test(
    `after an upgrade from ${version}, rows are kept, and keys are those of a new database`,
    async () => {
      const [db, fresh] = [await testDatabase(releasedBefore(firstMigrations)), await testDatabase({ installed: plugins, kernelMigrations })];
      const run = (statement: string) => db.asPlatform('tests an upgrade', () => db.script(statement));
      await run(rows);
      await migrate(db, plugins, kernelMigrations);
      expect(await keysOf(db)).toEqual(await keysOf(fresh));

      await expect(run("insert into job_log (tenant_id, instance_id, time, level, text) values ('b', 4, now(), 'info', '')")).rejects.toThrow(
        'job_log_instance',
      );
      await run('delete from user_account; delete from job_instance; delete from advertiser');
      const remainingRows = await db.asPlatform('reads rows', () =>
        queryRows(
          db,
          sql`select tenant_id as tenant, user_id as "user" from user_oauth union all select tenant_id, user_id from user_role union all select tenant_id, user_id from recovery_code
            union all select tenant_id, user_id from email_view union all select tenant_id, advertiser_id from advertiser_funds_notice union all select tenant_id, instance_id from job_log`,
        ),
      );
      expect(remainingRows).toEqual([{ tenant: 'a', user: null }]);
    },
    timeoutMs,
  );
