import { beforeAll, expect } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { tenant, tenantRole } from '../../src/server/data/context/identity.ts';
import { queryRows } from '../../src/server/data/database/rows.ts';
import { isEveryPluginChecked } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';
import { contractServer, ruleTest } from './contract-server.ts';

let server: TestServer;
beforeAll(async () => {
  ({ server } = await contractServer());
  await server.createTenant('others');
});

/** Tables whose platform rows all tenants can read. */
const shared = ['api_scope', 'data_scope', 'dict', 'menu', 'region', 'seeded_menu', 'top_menu', 'top_menu_menu'];
/** Tables with a policy of their own, and its name. */
const ownRules = { code_output: 'platform_only', live_event: 'tenant_reads', tenant: 'own_reads', tenant_package: 'own_reads' };
/** Tables that only the platform reads and writes. */
const closed = ['client', 'code', 'datasource', 'model', 'model_prototype', 'param', 'pinyin_reading'];

/** Returns the tables that this deployment has; a check of single plugins starts few. */
async function present(tables: readonly string[]): Promise<string[]> {
  if (isEveryPluginChecked) return [...tables];
  const found = names(await server.sql('select table_name as name from information_schema.tables where table_schema = current_schema()'));
  return tables.filter((table) => found.includes(table));
}

const names = (rows: Record<string, unknown>[]) => rows.map(({ name }) => String(name)).toSorted();

ruleTest('tenant-policy', 'the role of tenants can read these tables only, each with a row policy', async () => {
  const granted =
    await server.sql(`select c.relname as name, c.relrowsecurity as secured, array(select polname::text from pg_policy p where p.polrelid = c.oid and p.polcmd in ('r', '*') and '${tenantRole}'::regrole = any (p.polroles) order by 1) as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition and has_any_column_privilege('${tenantRole}', c.oid, 'select')`);
  const byRule = (rule: (policies: readonly string[]) => boolean) => names(granted.filter(({ policies }) => rule(policies as string[])));
  // Readings of Chinese characters are the same for everyone and name no tenant.
  expect(names(granted.filter(({ secured }) => secured !== true))).toEqual(['pinyin_reading']);
  expect(byRule((policies) => policies.includes('everyone_reads'))).toEqual(await present(shared));
  expect(byRule((policies) => policies.every((name) => name === 'platform_writes'))).toEqual(await present(closed));
  const special = granted.filter(({ policies }) => !(policies as string[]).every((name) => ['tenant', 'everyone_reads', 'platform_writes'].includes(name)));
  const known = await present(Object.keys(ownRules));
  expect(Object.fromEntries(special.map(({ name, policies }) => [name, (policies as string[]).find((policy) => policy !== 'platform_writes')]))).toEqual(
    Object.fromEntries(Object.entries(ownRules).filter(([table]) => known.includes(table))),
  );
});

ruleTest('tenant-policy', 'partitions, views and sequences expose no more', async () => {
  const open = await server.sql(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and has_table_privilege('${tenantRole}', c.oid, 'select')
      and (c.relispartition and not c.relrowsecurity or c.relkind = 'm' or c.relkind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false))`);
  expect(names(open)).toEqual([]);
});

ruleTest('tenant-policy', 'a tenant with its database role reads only its own rows and shared ones', async () => {
  const tables = names(
    await server.sql(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v') and not c.relispartition`),
  );
  // Live events of the tenant `*` are for every tenant.
  const foreign: Record<string, number> = {};
  for (const table of tables) {
    const count = await server.db
      .read(tenant('others') as { tenantId: string }, () =>
        queryRows<{ count: string }>(
          server.db,
          sql`select count(*) as count from ${sql.identifier(table)} t where coalesce(to_jsonb(t) ->> 'tenant_id', '') not in ('others', '*')`,
        ),
      )
      .then(
        ([row]) => Number(row?.count),
        () => -1,
      );
    if (count > 0) foreign[table] = count;
  }
  // Terms of shared rows have no tenant.
  const terms = await server.db.read({ tenantId: 'others' }, () => queryRows(server.db, sql`select 1 from search_term where tenant_id not in ('', 'others')`));
  expect(terms).toEqual([]);
  expect(Object.keys(foreign).filter((table) => ![...shared, 'pinyin_reading', 'search_term'].includes(table))).toEqual([]);
  const [row] = await server.db.read({ tenantId: 'others' }, () => queryRows<{ id: string }>(server.db, sql`select tenant_id as id from tenant`));
  expect(row).toEqual({ id: 'others' });
});
