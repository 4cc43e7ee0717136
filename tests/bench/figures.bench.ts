import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import pg from 'pg';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, report } from './report.ts';

const rowCount = Number(process.env.BENCH_SUBMISSIONS ?? 1_000_000);
const days = 180;
const path = '/api/blade-desk/dashboard/figures';
const section = 'Figures of the first page';
const plugins = ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment', 'access', 'dashboard'];

describe.skipIf(serverUrl === undefined)('the figures of a million submissions', () => {
  let server: TestServer;
  let driver: pg.Client;
  let close = async () => {};
  let everybody: Record<string, string>;
  let scoped: Record<string, string>;

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const { db, url, drop } = await openTestDatabase();
    server = await openTestServer({ db, plugins });
    driver = await plainClient(url as string);
    await driver.query(`
      insert into advertiser (id, tenant_id, name, contact_name, contact_phone) select n, '000000', 'advertiser ' || n, 'x', '13800000000' from generate_series(1, 200) n;
      insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, claimed, submitted, passed, advertiser_id, requirement, status)
        select n, '000000', 'task ' || n, n % 8, n % 30, 1, 500, 1000000, 1000000, 1000000, 1000000, 1 + n % 200, 'x', 2 from generate_series(1, 2000) n;
      insert into task_submission (id, tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, submit_time, audit_status, audit_user, audit_time, pay_status)
        select n, '000000', 1 + n % 2000, 'x', n % 5000, 'x', now(), 500, at, case when n <= 3000 then 0 when n % 12 = 0 then 2 else 1 end,
          case when n > 3000 then 1 + n % 20 end, case when n > 3000 then at + interval '2 hours' end, case when n > 3000 and n % 12 <> 0 then 2 else 0 end
        from (select n, date_trunc('second', now() - interval '3 hours' - make_interval(secs => n * ${(days * 86_400) / rowCount})) as at from generate_series(1, ${rowCount}) n) work;
      insert into payout (tenant_id, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, requester_name, paid_time)
        select tenant_id, 'B', id, task_id, 'x', 1 + task_id % 200, user_id, 'x', 'w', amount, 2, 'x', audit_time from task_submission where pay_status = 2`);
    await driver.query('vacuum analyze');
    everybody = await server.signIn();
    const codes = ['task_audit', 'task_record', 'payout'];
    const { roleId } = await server.createUser({ account: 'partial', codes });
    const [page] = await server.sql(`select id::text as id from menu where code = 'task_record'`);
    const value = JSON.stringify({ field: 'taskId', is: Array.from({ length: 200 }, (_, index) => String(index + 1)) });
    const form = { menuId: page?.id, scopeName: 'part', resourceCode: 'part', scopeClass: 'task_submission', scopeType: 5, scopeValue: value, scopeField: '*' };
    const { data, msg } = await server.post('/api/blade-system/data-scope/submit', form, { headers: everybody });
    expect(data?.id, msg).toBeTruthy();
    await server.post('/api/blade-system/role/grant', { roleIds: [roleId], dataScopeIds: [data.id] }, { headers: everybody });
    scoped = await server.signIn('partial');
    close = async () => {
      await driver.end();
      await server.stop();
      await drop();
    };
  }, 1_200_000);
  afterAll(() => close());

  const look = async (headers: Record<string, string>) => expect((await server.get(path, { headers })).code).toBe(200);
  /** Changes one row of each kind, so that no cached count is valid any more. */
  const change = () =>
    driver.query(`update task_submission set content = 'x' where id = 5; update payout set note = 'x' where id = (select min(id) from payout)`);

  test('are returned in milliseconds', async () => {
    const naive = `select submit_time::date, count(*), count(*) filter (where audit_status = 1) from task_submission where tenant_id = '000000' group by 1`;
    await look(everybody);
    await look(scoped);
    const fresh: number[] = [];
    const partial: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      await change();
      let from = performance.now();
      await look(everybody);
      fresh.push(performance.now() - from);
      from = performance.now();
      await look(scoped);
      partial.push(performance.now() - from);
    }
    const [kept, counting] = await inTurn(
      7,
      () => look(everybody),
      () => driver.query(naive),
    );
    const statements = await statementsOf(() => look(everybody));
    await change();
    const freshStatements = await statementsOf(() => look(everybody));
    const at = `${rowCount.toLocaleString('en')} submissions, 2,000 tasks, PostgreSQL`;
    const row = (what: string, figures: number[], bound?: number) => {
      const figure = median(figures);
      report({ section, what, figure: `${figure.toFixed(1)} ms`, at, ...(bound ? { bound: `${bound} ms`, isMet: figure <= bound } : {}) });
    };
    row('all figures, right after a change', fresh, 500);
    row('all figures, nothing has changed', kept, 50);
    row('all figures for a user who sees a tenth of the rows, right after a change', partial);
    row('for comparison: one chart counted from all rows', counting);
    report({ section, what: 'statements, right after a change', figure: String(freshStatements), at });
    report({ section, what: 'statements, nothing has changed', figure: String(statements), at });
  }, 600_000);
});

/** Counts the statements that reach PostgreSQL during the work, transactions and sign-in included. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...asked: unknown[]) {
    count += 1;
    return (query as (...given: unknown[]) => unknown).apply(this, asked);
  } as typeof query;
  await work();
  pg.Client.prototype.query = query;
  return count;
}
