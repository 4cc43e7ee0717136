import { Submission } from '#plugins/task/contract';
import { repositoryOf } from '../../src/server/data/index.ts';
import type { ListInput, Page } from '../../src/shared/contract/contract.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestServer } from '../support/test-server.ts';
import { plainClient } from './million-params.ts';

const chunk = 10_000;
/** Plugins of a server that lists submissions. */
export const pluginsOfSubmissions = ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task'];

/** A database with submissions, and how its lists are read. */
export type Submissions = Awaited<ReturnType<typeof fillSubmissions>>;

/** Fills a database with the submissions of some tenants, so many each, whose rows lie among each other in chunks of 10,000. */
export async function fillSubmissions(tenants: readonly string[], rowsEach: number) {
  const { db, url, drop } = await openTestDatabase();
  const server = await openTestServer({ plugins: pluginsOfSubmissions, db });
  const driver = await plainClient(url as string);
  const { rows: indexes } = await driver.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class c on c.oid = indexrelid
     where indrelid = 'task_submission'::regclass and not indisprimary`,
  );
  for (const { name } of indexes) await driver.query(`drop index ${name}`);
  for (const [index, tenant] of tenants.entries())
    await driver.query(
      `insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, advertiser_id, requirement, status)
       select ${(index + 1) * 1000} + n, '${tenant}', '探店' || n, 1, 1, 1, 500, 1000, n, '要', 2 from generate_series(0, 99) n`,
    );
  for (let from = 1; from <= rowsEach; from += chunk)
    for (const [index, tenant] of tenants.entries())
      await driver.query(
        `insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, link, submit_time, create_time, audit_status, audit_user, audit_time)
         select '${tenant}', ${(index + 1) * 1000} + n % 100, '探店' || n % 100, n % 1000, 'n' || n % 1000, at + interval '10 years', 500, 'https://video.example/' || n, at, at,
           case when n % 20 = 0 then 0 else 1 end, case when n % 20 > 0 then n % 40 end, case when n % 20 > 0 then at end
         from (select n, timestamptz '2025-01-01 00:00:00+08' + make_interval(secs => n * 10.0) as at
           from generate_series(${from}, ${Math.min(rowsEach, from + chunk - 1)}) n) made`,
      );
  for (const { definition } of indexes) await driver.query(definition);
  await driver.query('vacuum analyze');
  const submissions = repositoryOf(db, Submission);
  const page = (tenantId: string, input: ListInput): Promise<Page<{ id: string }>> => db.read({ tenantId }, () => submissions.page(input));
  const close = async () => {
    await server.stop();
    await driver.end();
    await drop();
  };
  return { db, url: url as string, driver, page, close };
}
