import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { migrate } from '../../../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../../../src/server/host/kernel-migrations.ts';
import { testDatabase } from '../../../../support/test-database.ts';

test('an upgrade gives the roles of first accounts their English names, except those that were renamed', async () => {
  const before = Object.fromEntries(Object.entries(kernelMigrations).filter(([name]) => name < '0109-english-role-names.sql'));
  const db = await testDatabase({ kernelMigrations: before });
  const run = (statement: string) => db.asPlatform('fills a database of an earlier release', () => db.sql.execute(sql.raw(statement)));
  await run(`insert into role (tenant_id, role_name, role_alias) values
    ('000000', '超级管理员', 'administrator'), ('100001', '管理员', 'admin'), ('100002', '店长', 'admin'), ('100003', '管理员', 'user')`);
  await migrate(db, [], kernelMigrations);
  expect(await run('select tenant_id, role_name, role_name_en from role order by tenant_id')).toMatchObject([
    { role_name: '超级管理员', role_name_en: 'Administrator' },
    { role_name: '管理员', role_name_en: 'Tenant administrator' },
    { role_name: '店长', role_name_en: null },
    { role_name: '管理员', role_name_en: null },
  ]);
});
