import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { plugins } from '#deployment/server';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { kernelMigrations } from '../../../src/server/host/kernel-migrations.ts';
import { testDatabase } from '../../support/test-database.ts';

/** Statements of a section of docs/scale.md. */
function statementsOf(heading: string): string[] {
  const page = readFileSync('docs/scale.md', 'utf8');
  const section = page.slice(page.indexOf(`## ${heading}`));
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  return block.split(/;\n| \\gexec\n/).filter((statement) => statement.trim() !== '');
}

test('submissions are spread over partitions by tenant with the statements of docs/scale.md, and keys and indexes go with them', async () => {
  const db = await testDatabase({ installed: plugins, kernelMigrations });
  await db.asPlatform('tests partitions by tenant', async () => {
    await db.script(`
      insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, advertiser_id, requirement)
        select n, 't' || n, 'x', 1, 1, 1, 1, 1, 1, 'x' from generate_series(1, 40) n;
      insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, deadline, amount)
        select 't' || n % 40 + 1, n % 40 + 1, 'x', n, 'x', now(), 1 from generate_series(1, 400) n`);
    for (const statement of statementsOf('Partitions by tenant')) {
      if (!statement.startsWith('select format(')) await db.script(statement);
      else for (const row of await queryRows<{ format: string }>(db, sql.raw(statement))) await db.script(row.format);
    }
    const parts = await queryRows<{ rows: number }>(db, sql`select count(*)::int as rows from task_submission group by tableoid`);
    expect(parts.length).toBeGreaterThan(8);
    expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(400);
    const [of] = await queryRows<{ keys: string; same: boolean }>(
      db,
      sql`select string_agg(indexrelid::regclass::text, ' ') filter (where indisunique) as keys, count(*) = (
            select count(*) from pg_index where indrelid = 'task_submission_before'::regclass) as same
          from pg_index where indrelid = 'task_submission'::regclass`,
    );
    expect([of?.keys?.split(' ').length, of?.same]).toEqual([2, true]);
    const plan = await queryRows<{ 'QUERY PLAN': string }>(db, sql`explain select 1 from task_submission where tenant_id = 't7' and is_deleted = 0`);
    expect(
      plan
        .map((row) => row['QUERY PLAN'])
        .join('\n')
        .match(/task_submission_\d+/g)?.length,
    ).toBeGreaterThan(0);
    expect(
      new Set(
        plan
          .map((row) => row['QUERY PLAN'])
          .join('\n')
          .match(/on task_submission_\d+ /g),
      ).size,
    ).toBe(1);
  });
});
