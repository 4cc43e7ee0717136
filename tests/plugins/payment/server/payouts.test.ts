import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { WorkPaying } from '#plugins/payment/contract';
import { defineServerPlugin, filterHandler } from '#server';
import { ApiError, problem } from '#shared/errors';
import { type Database, openDatabase } from '../../../../src/server/data/index.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath, taskPlugins } from '../../../support/task-office.ts';
import { openTestDatabase } from '../../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const payPath = '/api/things-task/weixinpay';
type Headers = Record<string, string>;

/** A plugin of the deployment refuses work that earns this amount. */
const unwanted = 777;
const rules = defineServerPlugin({
  id: 'rules',
  title: ['规则', 'Rules'],
  dependencies: ['payment'],
  setup() {
    return {
      filters: [
        filterHandler(WorkPaying, (work) => {
          if (work.some(({ amount }) => amount === unwanted)) throw new ApiError(problem(409, ['风控未通过', 'Held back by risk control.']));
        }),
      ],
    };
  },
});

let office: TaskOffice;
let other: TestServer;
let others: Database;
let drop: () => Promise<void>;
let gateway: ScriptedGateway;
let ann: Headers;
let eve: Headers;
let payer: Headers;
let checker: Headers;

/** Two servers share one database and one provider. */
beforeAll(async () => {
  gateway = new ScriptedGateway();
  const database = await openTestDatabase();
  drop = database.drop;
  office = await openTaskOffice({ db: database.db, plugins: [paymentWith({ gateway }), rules, 'transfers'] });
  others = database.url ? await openDatabase({ url: database.url, timeZone: 'Asia/Shanghai', poolSize: 10 }) : database.db;
  other = await openTestServer({ db: others, timeScale: 8, plugins: [...taskPlugins, paymentWith({ gateway }), rules] });
  const codes = ['task_pay', 'payout', 'payout_approve', 'ledger', 'receipt_add'];
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  for (const account of ['payer', 'checker']) await office.server.createUser({ account, codes });
  [payer, checker] = [await office.server.signIn('payer'), await office.server.signIn('checker')];
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 }, payer);
});
afterAll(async () => {
  await other.stop();
  await office.server.stop();
  if (others !== office.server.db) await others.close();
  await drop();
});
beforeEach(() => {
  gateway.faults.length = 0;
  gateway.outcome = 'paid';
});

const sql = (statement: string) => office.server.sql(statement);

/** Creates work of a user with a wallet that was approved more than a minute ago. */
async function approved(count = 1, fields: object = {}): Promise<string[]> {
  const taskId = await office.publishTask({ quantity: 100, perUserLimit: 0, ...fields });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await office.submitProof(taskId, ann));
  await office.post(`${taskPath}/doAudit`, { ids, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet-of-ann' where id in (${ids.join(',')})`);
  return ids;
}
const pay = (body: object, headers = payer) => office.post(payPath, body, headers);
const state = async (id: string) => (await sql(`select pay_status, pay_no from task_submission where id = ${id}`))[0];
const bills = (id: string) => sql(`select pay_no, state, note from payout where submission_id = ${id} order by id`);
const hurry = () => sql('update payout set next_try = now() where state = 1');
async function settled(id: string, status: number): Promise<void> {
  await expect
    .poll(
      async () => {
        await hurry();
        return (await state(id))?.pay_status;
      },
      { timeout: 25_000, interval: 200 },
    )
    .toBe(status);
}
const isSound = async () => expect((await office.get('/api/things-task/ledger/check', {}, payer)).data).toEqual([]);

test('another plugin can prevent a payment: no bill, no entry; accepted work is paid', async () => {
  const [held = ''] = await approved(1, { unitPrice: unwanted });
  const [sound = ''] = await approved();
  const entries = async () => (await sql('select count(*)::integer as count from ledger_posting'))[0]?.count;
  const before = await entries();
  for (const ids of [[held], [sound, held]]) expect(await pay({ ids })).toMatchObject({ status: 409, msg: '风控未通过' });
  expect(await state(held)).toMatchObject({ pay_status: 0, pay_no: null });
  expect([...(await bills(held)), ...(await bills(sound))]).toEqual([]);
  expect(await entries()).toBe(before);
  expect(await pay({ ids: [sound] })).toMatchObject({ code: 200 });
  expect(await bills(sound)).toHaveLength(1);
});

test('with automatic payment in the mini-app settings, approved work is paid once and within the limits', async () => {
  const autoPay = async (auto_pay: number) =>
    expect((await office.post('/api/oms-system/miniapp/updatesetting', { app_name: '任务帮', auto_pay })).code).toBe(200);
  const costs = (id: string, amount: number) => sql(`update task_submission set amount = ${amount} where id = ${id}`);
  const [held = ''] = await approved(1, { unitPrice: unwanted });
  const [old = '', dear = '', first = ''] = await approved(3);
  await sql(`update task_submission set audit_time = now() - interval '2 days' where id = ${old}`);
  await costs(dear, 200_001);
  await autoPay(1);
  await settled(first, 2);
  expect(await sql(`select create_user, requester_name from payout where submission_id = ${first}`)).toEqual([{ create_user: null, requester_name: '' }]);
  for (const waiting of [old, dear, held]) expect(await bills(waiting)).toEqual([]);

  // A payout above the limit of automatic payment must be approved.
  await autoPay(0);
  const [second = ''] = await approved();
  await costs(second, 100_000);
  await autoPay(1);
  await expect.poll(async () => (await bills(second))[0]?.state, { timeout: 25_000, interval: 300 }).toBe(0);
  const [bill] = await sql(`select id::text as id from payout where submission_id = ${second}`);
  expect(await office.post(`${payPath}/approve`, { ids: [bill?.id] }, payer)).toMatchObject({ code: 200 });
  await settled(second, 2);
  await autoPay(0);
  await isSound();
});

test('approved work is paid once with the advertiser’s money, and booked in the ledger', async () => {
  const [id] = (await approved()) as [string];
  const before = await balance();
  const begun = await pay({ id });
  expect(begun.data).toMatchObject({ state: 1, payouts: [{ id, payNo: begun.data.payNo }] });
  expect(await balance()).toBe(before - 500);
  await settled(id, 2);
  expect(gateway.bills.get(begun.data.payNo)).toMatchObject({ amount: 500 });
  expect(await pay({ id })).toMatchObject({ code: 200, data: { payNo: begun.data.payNo, state: 2 } });
  expect(await bills(id)).toHaveLength(1);
  const postings = await sql(`select kind, account, amount::integer as amount from ledger_posting where pay_no = '${begun.data.payNo}' order by id`);
  expect(postings).toEqual([
    { kind: 3, account: 1, amount: -500 },
    { kind: 3, account: 3, amount: 500 },
    { kind: 4, account: 3, amount: -500 },
    { kind: 4, account: 4, amount: 500 },
  ]);
  await isSound();
});

test('work is not paid if it is not approved, can still be undone, has no wallet or belongs to the caller', async () => {
  const [id] = (await approved()) as [string];
  await sql(`update task_submission set audit_time = now() - interval '58 seconds' where id = ${id}`);
  expect(await pay({ id })).toMatchObject({ status: 409, msg: '「拍一条面包视频」刚通过审核，60 秒内仍可撤销，请稍后付款' });
  expect((await office.get(`${payPath}/payable`, { ids: id }, payer)).data.records).toEqual([]);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = null where id = ${id}`);
  expect(await pay({ id })).toMatchObject({ status: 409, msg: 'ann 没有绑定微信，不能付款' });
  await sql(`update task_submission set openid = 'w', user_id = (select id from user_account where account = 'payer') where id = ${id}`);
  expect(await pay({ id })).toMatchObject({ status: 403 });
  await sql(`update task_submission set audit_status = 2 where id = ${id}`);
  expect(await pay({ id })).toMatchObject({ status: 409, msg: '「拍一条面包视频」未通过审核，不能付款' });
  expect((await pay({ id: '999999999999999999' })).status).toBe(404);
  expect(await bills(id)).toEqual([]);
});

test('an approval that is being paid cannot be undone, and an undone one is not paid', async () => {
  const [id] = (await approved()) as [string];
  await sql(`update task_submission set audit_time = now() - interval '59.5 seconds' where id = ${id}`);
  const race = await Promise.all([
    office.post(`${taskPath}/audit/undo`, { ids: [id] }, eve),
    ...Array.from({ length: 6 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 200));
      return pay({ id });
    }),
  ]);
  const wasUndone = race[0]?.code === 200;
  expect(race.slice(1).some(({ code }) => code === 200)).toBe(!wasUndone);
});

test('fifty requests at once, from several people at two servers, make one bill and set the money aside once', async () => {
  const [id] = (await approved()) as [string];
  const before = await balance();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? other : office.server).post(payPath, { ids: [id] }, { headers: index % 3 ? payer : checker })),
  );
  expect(replies.map(({ code }) => code)).toEqual(Array(50).fill(200));
  expect(new Set(replies.map(({ data }) => data.payNo)).size).toBe(1);
  expect(await bills(id)).toHaveLength(1);
  expect(await balance()).toBe(before - 500);
  await settled(id, 2);
  expect(gateway.bills.get(replies[0]?.data.payNo)).toMatchObject({ paidOut: 500 });
  await isSound();
});

test('a batch starts completely or not at all, and never exceeds the advertiser’s balance', async () => {
  const ids = await approved(3);
  await sql(`update task_submission set audit_status = 2 where id = ${ids[2]}`);
  const before = await balance();
  expect((await pay({ ids })).status).toBe(409);
  expect(await balance()).toBe(before);
  const poor = await office.post('/api/oms-system/base/addadvertiser', { name: '新客户', contact_name: '李', contact_phone: '13800000002', credit_limit: 600 });
  const owed = await approved(2, { advertiserId: poor.data.id });
  expect(await pay({ ids: owed })).toMatchObject({ status: 409, msg: '广告主「新客户」余额不足：需要 10.00 元，可用 6.00 元' });
  expect((await pay({ id: owed[0] })).code).toBe(200);
  expect((await pay({ id: owed[1] })).status).toBe(409);
  await settled(owed[0] as string, 2);
});

test('after a lost answer the bill stays in progress under its number, and is paid once', async () => {
  gateway.faults.push('answerLost');
  const [id] = (await approved()) as [string];
  const { payNo } = (await pay({ id })).data;
  await expect.poll(async () => (await bills(id))[0]?.note, { timeout: 8000, interval: 100 }).toBe('socket hang up');
  expect(await state(id)).toEqual({ pay_status: 1, pay_no: payNo });
  await settled(id, 2);
  expect(gateway.sent.filter((order) => order.payNo === payNo)).toHaveLength(1);
  expect(await bills(id)).toMatchObject([{ pay_no: payNo, state: 2 }]);
});

test('a request that was lost is sent again under the same number', async () => {
  gateway.faults.push('lost', 'lost');
  const [id] = (await approved()) as [string];
  const { payNo } = (await pay({ id })).data;
  await settled(id, 2);
  expect(gateway.sent.filter((order) => order.payNo === payNo)).toHaveLength(3);
  expect(await bills(id)).toHaveLength(1);
});

test('a refusal ends a bill only where no earlier request may still arrive', async () => {
  gateway.faults.push('refused');
  const [first] = (await approved()) as [string];
  await pay({ id: first });
  await settled(first, 3);
  // The provider may be asked any number of times before the check; its latest answer is the refusal.
  gateway.faults.push('lost', ...Array.from({ length: 100 }, () => 'refused' as const));
  const [second] = (await approved()) as [string];
  const { payNo } = (await pay({ id: second })).data;
  await expect
    .poll(
      async () => {
        await hurry();
        return (await bills(second))[0]?.note;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toContain('PARAM_ERROR');
  expect(await state(second)).toEqual({ pay_status: 1, pay_no: payNo });
  gateway.faults.length = 0;
  await settled(second, 2);
});

test('the sum of payments is returned before they start, for rows visible to the caller', async () => {
  const ids = [...(await approved(2)), ...(await approved(1, { unitPrice: 900 }))];
  const limits = { perPayment: 200_000, perPayeeDay: null, perRun: null, leftToday: expect.any(Number), approvalAbove: 100_000 };
  const sum = async (asked: readonly string[], headers = payer) => office.post(`${payPath}/sum`, { ids: asked }, headers);
  expect((await sum(ids)).data).toEqual({
    count: 3,
    people: 1,
    amount: 1900,
    withheld: 0,
    net: 1900,
    rows: [],
    channels: [{ channel: 9, count: 3 }],
    needsApproval: false,
    limits,
  });
  const gone = { id: '999999999999999999', title: null, code: 404, message: '数据不存在或已被删除' };
  expect((await sum([...ids.slice(2), gone.id])).data).toEqual({
    count: 1,
    people: 1,
    amount: 900,
    withheld: 0,
    net: 900,
    rows: [gone],
    channels: [{ channel: 9, count: 1 }],
    needsApproval: false,
    limits,
  });
  expect(await sum(ids, eve)).toMatchObject({ status: 403 });
});

test('in part everything is paid that can be paid, once, and the rest is reported with its reasons', async () => {
  const [one, two, early] = (await approved(3)) as [string, string, string];
  const [held] = (await approved(1, { unitPrice: unwanted })) as [string];
  const { data: poor } = await office.post('/api/oms-system/base/addadvertiser', { name: '小店', contact_name: '王', contact_phone: '13800000000' });
  const [dear] = (await approved(1)) as [string];
  await sql(`update task set advertiser_id = ${poor.id} where id = (select task_id from task_submission where id = ${dear})`);
  await sql(`update task_submission set audit_time = now() where id = ${early}`);
  const ids = [one, held, dear, early, two];
  const { data: sum } = await office.post(`${payPath}/sum`, { ids }, payer);
  expect(sum).toMatchObject({ count: 2, amount: 1000, rows: [{ id: held, message: '风控未通过' }, { id: dear }, { id: early }] });
  // Another user pays one of them while the total is being confirmed.
  expect((await pay({ id: two })).data.state).toBe(1);
  const expected = { count: sum.count, amount: sum.amount };
  expect(await pay({ ids, partial: true, expected })).toMatchObject({ status: 409, data: { count: 1, amount: 500 } });
  expect(await bills(one)).toEqual([]);
  const { data: result } = await pay({ ids, partial: true, expected: { count: 1, amount: 500 } });
  expect(result).toMatchObject({ done: 1, total: 5, payouts: [{ id: one }] });
  expect(result.rows.map(({ id, code, message }: { id: string; code: number; message: string }) => [id, code, message])).toEqual([
    [held, 409, '风控未通过'],
    [dear, 409, '广告主「小店」余额不足：需要 5.00 元，可用 0.00 元'],
    [early, 409, expect.stringContaining('秒内仍可撤销')],
    [two, 409, expect.stringContaining('已付款或正在付款')],
  ]);
  expect((await pay({ ids, partial: true })).data).toMatchObject({ done: 0, total: 5, payNo: '' });
  expect(await pay({ ids: [dear], partial: true })).toMatchObject({ status: 409 });
  for (const id of [one, two]) await settled(id, 2);
  for (const id of [one, two]) expect(await bills(id)).toHaveLength(1);
  await isSound();
});

test('a failed payment returns the money, and is paid again under another number', async () => {
  gateway.outcome = 'failed';
  const [id] = (await approved()) as [string];
  const before = await balance();
  const { payNo } = (await pay({ id })).data;
  await settled(id, 3);
  expect(await balance()).toBe(before);
  gateway.outcome = 'paid';
  const again = (await pay({ id })).data;
  expect(again.payNo).not.toBe(payNo);
  await settled(id, 2);
  expect(await bills(id)).toMatchObject([{ state: 3 }, { state: 2 }]);
  await isSound();
});

test('an amount the provider did not pay as asked settles nothing and is noted', async () => {
  const [id] = (await approved()) as [string];
  gateway.faults.push('answerLost');
  const { payNo } = (await pay({ id })).data;
  await expect.poll(() => gateway.bills.has(payNo), { timeout: 8000 }).toBe(true);
  const bill = gateway.bills.get(payNo);
  if (bill) gateway.bills.set(payNo, { ...bill, amount: 5000 });
  await expect
    .poll(
      async () => {
        await hurry();
        return (await bills(id))[0]?.note;
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe('SUCCESS: 5000 ≠ 500');
  expect((await state(id))?.pay_status).toBe(1);
  if (bill) gateway.bills.set(payNo, bill);
  await settled(id, 2);
});

test('above the daily limit another user must approve, small batches are summed up, and a refusal returns the money', async () => {
  const ids = await approved(2, { unitPrice: 5000 });
  await sql(`update task_submission set amount = 90000 where id in (${ids.join(',')})`);
  const before = await balance();
  const first = (await pay({ id: ids[0] }, checker)).data;
  const second = (await pay({ id: ids[1] }, checker)).data;
  expect([first.state, second.state]).toEqual([1, 0]);
  expect(await balance()).toBe(before - 180_000);
  const [bill] = (await sql(`select id::text as id from payout where pay_no = '${second.payNo}'`)) as [{ id: string }];
  const sum = (headers = payer) => office.post(`${payPath}/approve-sum`, { ids: [bill.id] }, headers);
  expect((await sum()).data).toEqual({ count: 1, people: 1, amount: 90_000, withheld: 0, net: 90_000, rows: [] });
  expect((await sum(eve)).status).toBe(403);
  expect(await office.post(`${payPath}/approve`, { ids: [bill.id] }, checker)).toMatchObject({ status: 403, msg: '不能复核自己申请的付款' });
  expect((await office.post(`${payPath}/approve`, { ids: [bill.id] }, eve)).status).toBe(403);
  await hurry();
  expect((await bills(ids[1] as string))[0]).toMatchObject({ state: 0 });
  expect((await office.post(`${payPath}/refuse`, { id: bill.id, reason: '重复' }, payer)).code).toBe(200);
  expect(await state(ids[1] as string)).toEqual({ pay_status: 0, pay_no: null });
  expect(await balance()).toBe(before - 90_000);
  const again = (await pay({ id: ids[1] }, checker)).data;
  const [next] = (await sql(`select id::text as id from payout where pay_no = '${again.payNo}'`)) as [{ id: string }];
  const decisions = await Promise.all([
    ...Array.from({ length: 4 }, () => office.post(`${payPath}/approve`, { ids: [next.id] }, payer)),
    other.post(`${payPath}/refuse`, { id: next.id }, { headers: payer }),
  ]);
  expect(decisions.filter(({ code }) => code === 200)).toHaveLength(1);
  await isSound();
});

test('finance takes payouts away as a sheet', async () => {
  const codes = ['payout', 'payout_export'];
  await office.server.createUser({ account: 'finance', codes });
  const finance = await office.server.signIn('finance');
  const { data } = await office.post(`${payPath}/export`, { format: 'csv', query: { state: 2 } }, finance);
  expect(data.total).toBeGreaterThan(3);
});

async function balance(): Promise<number> {
  const [row] = await sql(`select balance::float8 as balance from advertiser where id = ${office.requiredIds.advertiserId}`);
  return Number(row?.balance);
}

test('work to pay, the longest waiting first, is listed for users from whom the time of its review is hidden', async () => {
  const [id] = await approved();
  await office.server.createUser({ account: 'blind', codes: ['task_pay'], roleAlias: 'blind' });
  await sql(`insert into data_scope (id, menu_id, scope_name, resource_code, scope_field, scope_class, scope_type)
    select 901, id, 'blind', 'blind', 'id,taskId,taskTitle,amount', 'task_submission', 1 from menu where code = 'task_pay'`);
  await sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) select '000000', id, 1, 901 from role where role_alias = 'blind'`);
  const { status, data } = await office.get(`${payPath}/payable`, { size: '200' }, await office.server.signIn('blind'));
  expect(status).toBe(200);
  const row = data.records.find((one: { id: string }) => one.id === id);
  expect(row).toBeTruthy();
  expect(row.auditTime ?? null).toBeNull();
});
