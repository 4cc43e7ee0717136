import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { ChartFigure, DayFigure, WaitingFigure } from '../../../../src/shared/platform/figures.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { openTestServer } from '../../../support/test-server.ts';

type Headers = Record<string, string>;

interface Board {
  readonly waiting: readonly WaitingFigure[];
  readonly alerts: readonly { id: string }[];
  readonly days: readonly DayFigure[];
  readonly charts: readonly ChartFigure[];
}

const path = '/api/blade-desk/dashboard/figures';
let office: TaskOffice;
let eve: { userId: string; headers: Headers };

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access', 'dashboard', paymentWith({ gateway: new ScriptedGateway() })] });
  eve = await office.createAuditor('eve');
  const ann = await office.createMember('ann');
  const ben = await office.createMember('ben');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 });
  const tasks = [
    await office.publishTask({ quantity: 30, perUserLimit: 0 }),
    await office.publishTask({ quantity: 30, perUserLimit: 0, unitPrice: 700, title: '拍一条咖啡视频' }),
  ];
  const city = await office.post('/api/oms-system/base/addcity', { code: '3301', tier: 1 });
  await sql(`update task set city_ids = jsonb_build_array('${city.data.id}') where id = ${tasks[0]}`);
  const proofs: string[] = [];
  for (let made = 0; made < 12; made += 1) proofs.push(await office.submitProof(tasks[made % 2] as string, (made % 3 ? ann : ben).headers));
  await office.post(`${taskPath}/doAudit`, { ids: proofs.slice(0, 7), status: 1 }, eve.headers);
  await office.post(`${taskPath}/doAudit`, { ids: proofs.slice(7, 9), status: 2, reason: '看不清' }, eve.headers);
  await office.post(`${taskPath}/audit/undo`, { ids: [proofs[6], proofs[8]] }, eve.headers);
  const backThen = (days: number) => `now() - interval '${days} days'`;
  await sql(`update task_submission set openid = 'wallet', submit_time = ${backThen(2)}, audit_time = ${backThen(1)} where id in (${proofs.slice(0, 3)})`);
  await sql(`update task_submission set openid = 'wallet', audit_time = now() - interval '61 seconds' where id in (${proofs.slice(3, 6)})`);
  const paid = await office.post('/api/things-task/weixinpay', { ids: proofs.slice(0, 4) });
  expect(paid.code, paid.msg).toBe(200);
  for (let settled = 0; settled < 4; ) {
    await sql('update payout set next_try = now() where state = 1');
    await new Promise((resolve) => setTimeout(resolve, 200));
    settled = Number((await sql('select count(*)::integer as count from payout where state = 2'))[0]?.count);
  }
  await sql(`update payout set paid_time = ${backThen(1)} where id = (select min(id) from payout)`);
});
afterAll(() => office.server.stop());

const sql = (statement: string) => office.server.sql(statement);
async function board(headers: Headers = office.admin, query: Record<string, string> = {}): Promise<Board> {
  const { code, msg, data } = await office.get(path, query, headers);
  expect(code, msg).toBe(200);
  return data;
}
const dayOf = ({ days }: Board, id: string) => days.find((one) => one.id === id);
const waitingOf = ({ waiting }: Board, id: string) => waiting.find((one) => one.id === id);
const chartOf = ({ charts }: Board, id: string) => charts.find((one) => one.id === id);
const sumOf = (chart: ChartFigure | undefined, series = 0) => (chart?.rows ?? []).reduce((sum, { values }) => sum + (values[series] ?? 0), 0);

const differences = `
  with counted as (
    select tenant_id, submit_time::date as day, task_id, 0::bigint as auditor_id, 1 as submitted, 0 as approved, 0 as rejected
    from task_submission where submit_time is not null and is_deleted = 0
    union all
    select tenant_id, audit_time::date, task_id, audit_user, 0, (audit_status = 1)::integer, (audit_status = 2)::integer
    from task_submission where audit_status in (1, 2) and is_deleted = 0
  ), added as (select tenant_id, day, task_id, auditor_id, sum(submitted) as a, sum(approved) as b, sum(rejected) as c from counted group by 1, 2, 3, 4)
  select day from added full join task_day k using (tenant_id, day, task_id, auditor_id)
  where (coalesce(a, 0), coalesce(b, 0), coalesce(c, 0)) is distinct from (coalesce(k.submitted, 0), coalesce(k.approved, 0), coalesce(k.rejected, 0))
  union all
  select day from (select tenant_id, paid_time::date as day, task_id, advertiser_id, count(*) as n, sum(amount) as m from payout where state = 2 and is_deleted = 0 group by 1, 2, 3, 4) paid
  full join payout_day k using (tenant_id, day, task_id, advertiser_id) where (coalesce(n, 0), coalesce(m, 0)) is distinct from (coalesce(k.paid, 0), coalesce(k.amount, 0))`;

test('stored daily metrics equal a recount after any submissions, decisions, undos, payments, moves and removals', async () => {
  expect(await sql(differences)).toEqual([]);
  expect(
    (await sql('select sum(submitted)::integer as submitted, sum(approved)::integer as approved, sum(rejected)::integer as rejected from task_day'))[0],
  ).toEqual({
    submitted: 12,
    approved: 6,
    rejected: 1,
  });
  await sql('update task_submission set is_deleted = 1 where audit_status = 2');
  await sql(`insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, submit_time, audit_status)
    select tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, submit_time - interval '3 days', 0 from task_submission limit 5`);
  expect(await sql(differences)).toEqual([]);
  await sql(`delete from task_submission where submit_time < now() - interval '3 days'`);
  await sql('update task_submission set is_deleted = 0 where audit_status = 2');
  expect(await sql(differences)).toEqual([]);
});

test('users with full access get stored metrics: pending work, today beside yesterday, and payments', async () => {
  const all = await board();
  expect(waitingOf(all, 'audit')?.count).toBe(5);
  // Submissions 3 to 5 were approved and one of them was paid, so two are unpaid.
  expect(waitingOf(all, 'pay')).toMatchObject({ count: 2, amount: 500 + 700 });
  expect(dayOf(all, 'approved')).toMatchObject({ today: 3, yesterday: 3 });
  expect(dayOf(all, 'rejected')).toMatchObject({ today: 1, yesterday: 0 });
  const [paid] = await sql(
    `select sum(amount) filter (where paid_time >= current_date)::integer as today, sum(amount)::integer as all from payout where state = 2`,
  );
  expect(dayOf(all, 'paid')?.today).toBe(paid?.today);
  expect(sumOf(chartOf(all, 'work'))).toBe(12);
  expect(chartOf(all, 'work')?.rows).toHaveLength(30);
  expect(
    chartOf(all, 'work')
      ?.rows.slice(-2)
      .map(({ values }) => values[0]),
  ).toEqual([0, 9]);
  for (const part of ['spend', 'spend-advertiser', 'spend-category', 'spend-platform', 'spend-city']) expect(sumOf(chartOf(all, part)), part).toBe(paid?.all);
  expect(chartOf(all, 'spend-advertiser')?.rows[0]).toMatchObject({
    label: '面包店',
    rows: { menu: 'payout', filters: { advertiserId: office.requiredIds.advertiserId } },
  });
  expect(chartOf(all, 'auditors')?.rows).toMatchObject([{ label: 'eve', values: [6, 1] }]);
  expect(chartOf(await board(office.admin, { days: '7' }), 'spend')?.rows).toHaveLength(7);
  expect((await office.get(path, { days: '8' })).code).toBe(400);
});

test('the rows a figure leads to are as many as it says', async () => {
  const all = await board();
  const listed = async (list: string, query: Record<string, string>) => (await office.get(list, query)).data.total;
  for (const [id, field] of [
    ['approved', 'auditTime'],
    ['paid', 'paidTime'],
  ] as const) {
    const { list = '', filters = {}, conditions = [] } = dayOf(all, id)?.rows ?? { menu: '' };
    expect(conditions.map((one) => one.field)).toEqual([field, field]);
    const query = Object.fromEntries([...Object.entries(filters), ...conditions.map((one) => [`${one.field}_${one.operator}`, one.value])]);
    const chart = chartOf(all, id === 'paid' ? 'spend' : 'work');
    expect(await listed(list, query)).toBe(id === 'paid' ? 3 : chart?.rows.at(-1)?.values[1]);
  }
  const inCity = chartOf(all, 'spend-city')?.rows.find(({ label }) => String(label).startsWith('杭州'))?.rows;
  expect(inCity?.menu).toBe('tasks');
  expect(await listed(inCity?.list ?? '', inCity?.filters as Record<string, string>)).toBe(1);
  const ofCities = async (name: string) => {
    const { rows } = chartOf(await board(), 'spend-city')?.rows.find(({ label }) => label?.[0] === name) ?? {};
    const [condition] = rows?.conditions ?? [];
    return listed(rows?.list ?? '', { [`${condition?.field}_${condition?.operator}`]: String(condition?.value) });
  };
  expect(await ofCities('不限城市')).toBe(1);
  await sql(`update task set city_ids = '["1", "2"]' where jsonb_array_length(city_ids) = 1`);
  expect(await ofCities('多个城市')).toBe(1);
});

test('a metric is returned to users with its page, and amounts to no others', async () => {
  expect(await board((await office.createMember('nobody')).headers)).toMatchObject({ waiting: [], alerts: [], days: [], charts: [] });
  const seen = await board(eve.headers);
  expect(waitingOf(seen, 'audit')?.count).toBe(5);
  expect(seen.charts.map(({ id }) => id)).toEqual(['work', 'auditors']);
  expect(JSON.stringify(seen)).not.toMatch(/money|amount|payout|pay/);
  const { userId } = await office.server.createUser({ account: 'checker', codes: ['payout', 'payout_approve'] });
  const checker = await office.server.signIn('checker');
  const asked = await board(checker);
  expect(asked.days.map(({ id }) => id)).toEqual(['paid']);
  expect(waitingOf(asked, 'approve')?.count).toBe(0);
  await sql(`insert into payout (tenant_id, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, requester_name, create_user)
    select tenant_id, 'B1', id, task_id, task_title, ${office.requiredIds.advertiserId}, user_id, nick_name, 'w', 900, 0, 'x', case when id % 2 = 0 then ${userId} else 1 end
    from task_submission where audit_status = 0 order by id limit 4`);
  const [own] = await sql(`select count(*)::integer as count from payout where state = 0 and create_user = ${userId}`);
  await expect.poll(async () => waitingOf(await board(checker), 'approve')?.count, { timeout: 8000 }).toBe(4 - Number(own?.count));
  await sql('delete from payout where state = 0');
});

test('users who see a part of the rows get a recount of that part, and hidden amounts are in no metric', async () => {
  const restricted = async (account: string, entity: string, menu: string, scope: object) => {
    const { roleId } = await office.server.createUser({ account, codes: ['task_audit', 'task_record', 'payout'] });
    const [page] = await sql(`select id::text as id from menu where code = '${menu}'`);
    const form = { menuId: page?.id, scopeName: '范围', resourceCode: `${account}_scope`, scopeClass: entity, scopeType: 1, scopeField: '*', ...scope };
    const reply = await office.post('/api/blade-system/data-scope/submit', form);
    expect(reply.code, reply.msg).toBe(200);
    await office.post('/api/blade-system/role/grant', { roleIds: [roleId], dataScopeIds: [reply.data.id] });
    return board(await office.server.signIn(account));
  };
  const ben = (await sql(`select user_id::text as id from task_submission where nick_name = 'ben' limit 1`))[0]?.id;
  const part = await restricted('partial', 'task_submission', 'task_record', { scopeType: 5, scopeValue: JSON.stringify({ field: 'userId', is: ben }) });
  const [recount] = await sql(`select count(*) filter (where audit_status = 0)::integer as waiting, count(*)::integer as handed,
    count(*) filter (where audit_status = 1)::integer as approved from task_submission where user_id = ${ben} and submit_time is not null`);
  expect(waitingOf(part, 'audit')?.count).toBe(recount?.waiting);
  expect([sumOf(chartOf(part, 'work')), sumOf(chartOf(part, 'work'), 1), sumOf(chartOf(part, 'auditors'))]).toEqual([
    recount?.handed,
    recount?.approved,
    recount?.approved,
  ]);
  const some = await restricted('some', 'payout', 'payout', { scopeType: 5, scopeValue: JSON.stringify({ field: 'userId', is: ben }) });
  const [money] = await sql(`select coalesce(sum(amount), 0)::integer as sum from payout where user_id = ${ben} and state = 2`);
  expect([sumOf(chartOf(some, 'spend')), sumOf(chartOf(some, 'spend-platform'))]).toEqual([money?.sum, money?.sum]);
  const masked = await restricted('masked', 'payout', 'payout', { scopeField: 'payNo,state,paidTime' });
  expect(masked.days.map(({ id }) => id)).toEqual(['approved', 'rejected']);
  expect(masked.charts.map(({ id }) => id)).toEqual(['work', 'auditors']);
});

test('another tenant gets its own metrics', async () => {
  await office.server.createTenant('200001');
  await office.server.createUser({ account: 'their', tenantId: '200001', codes: ['task_audit', 'task_record', 'payout', 'task_pay', 'ledger'] });
  const theirs = await board(await office.server.signIn('their', '200001'));
  expect(theirs.waiting.map(({ count }) => count)).toEqual([0, 0]);
  expect(theirs.charts.every(({ rows }) => rows.length === 0)).toBe(true);
  expect(theirs.alerts).toEqual([]);
});

test('unchanged metrics are cached, concurrent requests are counted once, and a change is in the next answer', async () => {
  const before = waitingOf(await board(eve.headers), 'audit')?.count ?? 0;
  const answers = await Promise.all(Array.from({ length: 8 }, () => board(eve.headers)));
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  const [one] = await sql('select id::text as id from task_submission where audit_status = 0 order by id limit 1');
  expect((await office.post(`${taskPath}/doAudit`, { ids: [one?.id], status: 1 }, eve.headers)).code).toBe(200);
  await expect.poll(async () => waitingOf(await board(eve.headers), 'audit')?.count, { timeout: 8000 }).toBe(before - 1);
});

test('proof is overdue according to the tenant’s mini-app settings', async () => {
  const isLate = async () => (await board(eve.headers)).alerts.some(({ id }) => id === 'late');
  await sql(`update task_submission set submit_time = now() - interval '2 hours' where id = (select max(id) from task_submission where audit_status = 0)`);
  expect(await isLate()).toBe(false);
  const save = (audit_hours: number) => office.post('/api/oms-system/miniapp/updatesetting', { app_name: '任务帮', audit_hours });
  expect((await save(1)).code).toBe(200);
  expect(await isLate()).toBe(true);
  expect((await save(3)).code).toBe(200);
  expect(await isLate()).toBe(false);
});

test('without the plugins for tasks and payment their metrics are missing', async () => {
  const server = await openTestServer({ plugins: ['dashboard'] });
  const { data } = await server.get(path, { headers: await server.signIn() });
  await server.stop();
  expect(data).toMatchObject({ waiting: [], alerts: [], days: [], charts: [] });
});
