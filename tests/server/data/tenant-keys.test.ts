import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { plugins } from '#deployment/server';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import type { Database } from '../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../src/server/host/kernel-migrations.ts';
import { testDatabase } from '../../support/test-database.ts';
import exceptionsByReason from './keys-without-tenant.json' with { type: 'json' };

/** Tables of tenants whose size grows with the work that is done in them. */
const hot = [
  'api_log',
  'error_log',
  'usual_log',
  'record_change',
  'login_log',
  'stored_file',
  'task',
  'task_submission',
  'task_proof_mark',
  'payout',
  'ledger_posting',
];

const isTenantTable = sql`c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
  and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)`;

/** Returns the names of the unique keys and foreign keys of tenants' tables that do not contain the tenant. */
async function keysWithoutTenant(db: Database): Promise<string[]> {
  const rows = await db.asPlatform('reads the catalogue', () =>
    queryRows<{ key: string }>(
      db,
      sql`select c.relname || '.' || i.relname as key from pg_class c join pg_index x on x.indrelid = c.oid and x.indisunique join pg_class i on i.oid = x.indexrelid
          where ${isTenantTable} and not (select attnum from pg_attribute where attrelid = c.oid and attname = 'tenant_id') = any(x.indkey)
          union all
          select c.relname || '.' || f.conname from pg_class c join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
          where ${isTenantTable} and not (select attnum from pg_attribute where attrelid = c.oid and attname = 'tenant_id') = any(f.conkey)
            and exists (select from pg_attribute where attrelid = f.confrelid and attname = 'tenant_id')`,
    ),
  );
  return rows.map(({ key }) => key).sort();
}

test('each unique key and each reference of a tenant’s table contains the tenant, except for those listed', async () => {
  const db = await testDatabase({ installed: plugins, kernelMigrations });
  expect(await keysWithoutTenant(db)).toEqual(Object.values(exceptionsByReason).flat().sort());
});

test('no hot table is among the exceptions, except for keys that servers of the previous version still use', () => {
  const exceptions = Object.entries(exceptionsByReason).flatMap(([reason, keys]) => (reason.startsWith('used by the previous version') ? [] : keys));
  expect(exceptions.filter((key) => hot.includes(key.split('.')[0] ?? ''))).toEqual([]);
});

test('a reference to a row of another tenant is refused by the key itself', async () => {
  const db = await testDatabase({ installed: plugins, kernelMigrations });
  const write = (statement: string) => db.asPlatform('tests a reference', () => db.script(statement));
  await write("insert into stored_file (id, tenant_id, key, store, name, type, size, purpose, owner_id) values (1, 'a', 'k', 's', 'n', 't', 1, 'p', 1)");
  const addPart = (tenant: string) => write(`insert into stored_part (file_id, tenant_id, number, size, tag) values (1, '${tenant}', 1, 1, 't')`);
  await expect(addPart('b')).rejects.toThrow('stored_part_file');
  await addPart('a');
});
