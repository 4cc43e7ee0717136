import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { accountKinds, payout, payoutOutcome, payoutOutcomes, payoutStates } from '#plugins/payment/contract';
import { openPayoutDesk, type PayoutDesk } from '../../../support/payout-desk.ts';
import { scopedUser } from '../../../support/scoped-users.ts';
import { deployedWith } from '../../../support/scripted-gateway.ts';
import { WechatPayServer } from '../../../support/wechat-pay-server.ts';

type Headers = Record<string, string>;

let wechat: WechatPayServer;
let desk: PayoutDesk;
let recorder: Headers;
let checker: Headers;

beforeAll(async () => {
  wechat = new WechatPayServer();
  desk = await openPayoutDesk([deployedWith('wechat-pay', { address: await wechat.listen() })]);
  const { server, post } = desk.office;
  const added = await post('/api/things-task/pay-channel/submit', wechat.channel());
  await post('/api/things-task/pay-channel/enable', { id: added.data.id });
  await server.createUser({ account: 'recorder', codes: ['payout', 'payout_outcome', 'payout_approve'] });
  await server.createUser({ account: 'checker', codes: ['payout', 'payout_approve'] });
  [recorder, checker] = [await server.signIn('recorder'), await server.signIn('checker')];
});
afterAll(async () => {
  await desk.office.server.stop();
  await wechat.close();
});
beforeEach(async () => {
  // Outcomes of the test before do not count.
  await desk.office.server.sql("update payout set recorded_time = now() - interval '2 days' where recorded_time is not null");
});

const sql = (statement: string) => desk.office.server.sql(statement);
const isSound = async () => expect((await desk.office.get('/api/things-task/ledger/check')).data).toEqual([]);
const balance = async () => Number((await sql(`select balance from advertiser where id = ${desk.office.requiredIds.advertiserId}`))[0]?.balance);
const rowOf = async (payNo: string) => (await desk.office.get(payout.list.path, { payNo_equal: payNo })).data.records[0];
const [today, lastWeek] = ['current_date', 'current_date - 7'].map((day) => async () => String((await sql(`select (${day})::text as day`))[0]?.day)) as [
  () => Promise<string>,
  () => Promise<string>,
];

/** Starts payouts whose orders WeChat no longer knows. */
async function forgotten(...amounts: number[]): Promise<string[]> {
  const payNos: string[] = [];
  for (const amount of amounts) {
    const [payNo = ''] = await desk.start([amount], accountKinds.wechat);
    await desk.turn([payNo]);
    await sql(`update payout set sent_time = now() - interval '29 days', create_time = now() - interval '29 days' where pay_no = '${payNo}'`);
    payNos.push(payNo);
  }
  for (const payNo of payNos) wechat.hidden.add(payNo);
  await desk.turn(payNos);
  for (const one of await desk.stored(payNos)) expect(one).toMatchObject({ state: 1, providerState: 'NOT_FOUND', postings: 2 });
  return payNos;
}
const proof = { voucher: ['https://files.example.com/bill.pdf'], remark: '资金账单第 12 行' };
async function recordPaid(payNo: string, by = recorder, fields: object = {}) {
  const { id } = await rowOf(payNo);
  return desk.office.post(payoutOutcome.recordPaid.path, { id, outcomeNo: '10000012', outcomeDay: await lastWeek(), ...proof, ...fields }, by);
}
async function recordUnpaid(payNo: string, by = recorder, fields: object = {}) {
  const { id } = await rowOf(payNo);
  return desk.office.post(payoutOutcome.recordUnpaid.path, { id, remark: '账单中没有', ...fields }, by);
}
const decide = async (payNo: string, outcome: number, by = checker) =>
  desk.office.post(payoutOutcome.approve.path, { id: (await rowOf(payNo)).id, outcome }, by);
const notify = async (payNo: string, state: 'SUCCESS' | 'FAIL') => {
  wechat.hidden.delete(payNo);
  wechat.end(payNo, state, state === 'FAIL' ? 'ACCOUNT_FROZEN' : undefined);
  const { body, headers } = wechat.notice(payNo);
  return desk.office.server.post('/api/things-task/weixinpay/notify', body, { headers });
};

test('a payout that the provider has forgotten is recorded as paid: with its number, the day of the bill and the proof, and booked once', async () => {
  const [payNo = ''] = await forgotten(700);
  const before = await balance();
  const replies = await Promise.all([recordPaid(payNo), recordPaid(payNo), recordUnpaid(payNo)]);
  expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  expect(await rowOf(payNo)).toMatchObject({ outcome: replies[2]?.status === 200 ? payoutOutcomes.unpaid : payoutOutcomes.paid, recorderName: 'recorder' });
  expect(await desk.stored([payNo])).toMatchObject([{ postings: 4 }]);
  await isSound();

  const [other = ''] = await forgotten(800);
  const reply = await recordPaid(other);
  expect(reply.data, reply.msg).toMatchObject({ state: payoutStates.paid, outcome: payoutOutcomes.paid, providerNo: '10000012', providerState: 'RECORDED' });
  expect(await rowOf(other)).toMatchObject({
    ...{ outcomeNo: '10000012', outcomeDay: await lastWeek(), paidTime: `${await lastWeek()} 00:00:00`, remark: proof.remark, outcomeApproverName: null },
    voucher: [expect.stringContaining('bill.pdf')],
  });
  expect(await desk.stored([other])).toMatchObject([{ state: 2, payStatus: 2, postings: 4 }]);
  expect(await balance()).toBe(before - 800 + (replies[2]?.status === 200 ? 700 : 0));
  const changes = await sql(`select fields from record_change where entity = 'payout' and record_id = ${(await rowOf(other)).id} order by id`);
  expect(changes.at(-1)?.fields).toMatchObject({ outcome: [null, 2], outcomeNo: [null, '10000012'], state: [1, 2] });
  await expect(sql(`update payout set outcome_no = '1' where pay_no = '${other}'`)).rejects.toThrow();
  await isSound();
});

test('recorded as not paid, the money returns and the work is paid again under a new number, and the old one is never paid', async () => {
  const before = await balance();
  const [payNo = ''] = await forgotten(900);
  expect(await balance()).toBe(before - 900);
  expect((await recordUnpaid(payNo)).data).toMatchObject({ state: payoutStates.failed, outcome: payoutOutcomes.unpaid, outcomeNo: null });
  expect(await balance()).toBe(before);
  expect(await desk.stored([payNo])).toMatchObject([{ state: 3, payStatus: 3, postings: 4, note: expect.stringContaining('账单中没有') }]);
  const [again = ''] = await desk.startAgain([payNo]);
  expect(again).not.toBe(payNo);
  expect((await notify(payNo, 'SUCCESS')).status).toBe(200);
  expect(await desk.stored([payNo])).toMatchObject([{ state: 3, postings: 4, note: 'SUCCESS after the end' }]);
  expect(await balance()).toBe(before - 900);
  await isSound();
});

test('an outcome is refused for payouts in any other state, without proof, for an impossible day, without the permission and from the payee', async () => {
  const [sent = ''] = await desk.start([300], accountKinds.wechat);
  await desk.turn([sent]);
  const [payNo = ''] = await forgotten(400);
  expect(await recordPaid(sent)).toMatchObject({ status: 409, msg: `渠道仍有付款单 ${sent} 的记录，或已有结果，不能人工登记` });
  expect(await recordUnpaid(sent)).toMatchObject({ status: 409 });
  expect(await recordPaid(payNo, recorder, { voucher: [], remark: null })).toMatchObject({ status: 400, msg: '请输入说明' });
  const dayBefore = (await sql(`select (create_time::date - 1)::text as day from payout where pay_no = '${payNo}'`))[0]?.day;
  for (const outcomeDay of [dayBefore, (await sql('select (current_date + 1)::text as day'))[0]?.day])
    expect(await recordPaid(payNo, recorder, { outcomeDay })).toMatchObject({ status: 400, msg: '付款日期须在发起付款之后，且不晚于今天' });
  for (const missing of ['outcomeNo', 'outcomeDay']) expect((await recordPaid(payNo, recorder, { [missing]: undefined })).status).toBe(400);
  expect((await recordUnpaid(payNo, recorder, { remark: undefined })).status).toBe(400);
  expect([(await recordPaid(payNo, checker)).status, (await recordUnpaid(payNo, checker)).status]).toEqual([403, 403]);
  const rule = { field: 'payNo', is: sent };
  const codes = ['payout', 'payout_outcome', 'payout_approve'];
  const blind = await scopedUser(desk.office.server, { account: 'blind', codes, pages: ['payout'], scopes: [{ of: 'payout', rule }] });
  expect((await recordPaid(payNo, blind)).status).toBe(404);
  expect((await decide(payNo, payoutOutcomes.paid, blind)).status).toBe(404);

  const { userId } = desk.payees[accountKinds.wechat];
  await sql(`insert into user_role (tenant_id, user_id, role_id) select '000000', ${userId}, id from role where role_name = 'recorder'`);
  const payee = await desk.office.server.signIn('wendy');
  const own = { status: 403, msg: '不能登记或复核付给自己的款项的结果' };
  for (const reply of [await recordPaid(payNo, payee), await recordUnpaid(payNo, payee), await decide(payNo, payoutOutcomes.paid, payee)])
    expect(reply).toMatchObject(own);
  expect(await desk.stored([payNo])).toMatchObject([{ state: 1, providerState: 'NOT_FOUND', postings: 2 }]);

  wechat.hidden.delete(payNo);
  await desk.turn([payNo]);
  expect(await recordPaid(payNo), 'the provider knows it again').toMatchObject({ status: 409 });
  await isSound();
});

test('outcomes that one person records in a day above the limit wait for another, are rejected or approved, and booked once', async () => {
  const [first = '', second = '', third = ''] = await forgotten(60_000, 50_000, 30_000);
  expect((await recordPaid(first)).data.state).toBe(payoutStates.paid);
  expect((await recordUnpaid(second)).data).toMatchObject({ state: payoutStates.processing, outcome: payoutOutcomes.unpaid });
  // One that waits does not count yet.
  expect((await recordPaid(third)).data.state).toBe(payoutStates.paid);
  expect(await recordPaid(second)).toMatchObject({ status: 409, msg: `付款单 ${second} 的结果已登记，等待复核` });
  expect(await decide(second, payoutOutcomes.unpaid, recorder)).toMatchObject({ status: 403, msg: '不能复核自己登记的结果' });
  expect(await decide(second, payoutOutcomes.paid)).toMatchObject({ status: 409, msg: `付款单 ${second} 没有待复核的这一结果` });
  expect(await desk.stored([second])).toMatchObject([{ state: 1, postings: 2 }]);

  const { id } = await rowOf(second);
  const reject = (by = checker) => desk.office.post(payoutOutcome.reject.path, { id, outcome: payoutOutcomes.unpaid, reason: '账单里有' }, by);
  expect((await reject(recorder)).status).toBe(403);
  expect((await reject()).code).toBe(200);
  expect(await rowOf(second)).toMatchObject({ state: 1, outcome: null, recorderName: null, remark: null, reason: '账单里有' });
  expect((await decide(second, payoutOutcomes.unpaid)).status).toBe(409);

  expect((await recordPaid(second)).data).toMatchObject({ state: payoutStates.processing, outcome: payoutOutcomes.paid, reason: null });
  await desk.turn([second]);
  expect(await rowOf(second), 'a query that finds nothing changes nothing').toMatchObject({ state: 1, outcome: payoutOutcomes.paid });
  const replies = await Promise.all([decide(second, payoutOutcomes.paid), decide(second, payoutOutcomes.paid)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await rowOf(second)).toMatchObject({ state: 2, providerNo: '10000012', outcomeApproverName: 'checker', paidTime: `${await lastWeek()} 00:00:00` });
  expect(await desk.stored([second])).toMatchObject([{ postings: 4 }]);
  // An outcome that another has approved does not count for the rest of the day.
  const [small = ''] = await forgotten(10_000);
  expect((await recordUnpaid(small)).data.state).toBe(payoutStates.failed);
  await isSound();
});

test('the answer of the provider discards an outcome that waits for approval', async () => {
  const [direct = '', paid = '', found = ''] = await forgotten(90_000, 80_000, 70_000);
  expect((await recordUnpaid(direct)).data.state).toBe(payoutStates.failed);
  expect((await recordUnpaid(paid)).data.state).toBe(payoutStates.processing);
  expect((await recordPaid(found, recorder, { outcomeDay: await today() })).data.state).toBe(payoutStates.processing);
  expect((await notify(paid, 'SUCCESS')).status).toBe(200);
  wechat.hidden.delete(found);
  await desk.turn([found]);
  expect(await rowOf(paid)).toMatchObject({ state: 2, outcome: null, recorderName: null, voucher: null });
  expect(await rowOf(found)).toMatchObject({ state: 1, outcome: null, providerState: expect.not.stringContaining('NOT_FOUND') });
  expect((await decide(paid, payoutOutcomes.unpaid)).status).toBe(409);
  expect((await decide(found, payoutOutcomes.paid)).status).toBe(409);
  expect(await desk.stored([paid, found])).toMatchObject([{ postings: 4 }, { postings: 2 }]);
  await isSound();
});

const events = {
  paidNotice: (payNo: string) => notify(payNo, 'SUCCESS'),
  failedNotice: (payNo: string) => notify(payNo, 'FAIL'),
  paidQuery: (payNo: string) => {
    wechat.hidden.delete(payNo);
    wechat.end(payNo);
    return desk.turn([payNo]);
  },
} as const;

const orders = ['before', 'after', 'together', 'together, reversed'] as const;

/** Lets the provider answer before, after or while a person decides about a payout of 500 fen, and checks that its money has moved once. */
async function raced(title: string, payNo: string, order: (typeof orders)[number], { event, decide, answered, outcome }: Race): Promise<void> {
  const before = await balance();
  const steps = [() => event(payNo), () => decide(payNo)];
  if (order === 'after' || order === 'together, reversed') steps.reverse();
  if (order === 'before' || order === 'after') for (const step of steps) await step();
  else await Promise.all(steps.map((step) => step()));
  const [stored] = await desk.stored([payNo]);
  expect(stored, title).toMatchObject({ postings: 4 });
  if (order === 'before') expect(stored?.state, title).toBe(answered);
  if (order === 'after') expect(stored?.state, title).toBe(outcome);
  expect(await balance(), title).toBe(before + (stored?.state === payoutStates.failed ? 500 : 0));
  const row = await rowOf(payNo);
  expect(row.outcome, title).toBe(row.providerState === 'RECORDED' ? outcome : null);
  await isSound();
}

interface Race {
  readonly event: (payNo: string) => Promise<unknown>;
  readonly decide: (payNo: string) => Promise<unknown>;
  /** State after the answer of the provider, and after the decision. */
  readonly answered: number;
  readonly outcome: number;
}

const record = (outcome: number) => (outcome === payoutOutcomes.paid ? recordPaid : recordUnpaid);

test('money moves once, whether the provider answers before, after or while a person records the outcome', { timeout: 120_000 }, async () => {
  for (const [name, event] of Object.entries(events))
    for (const outcome of Object.values(payoutOutcomes))
      for (const order of orders) {
        const [payNo = ''] = await forgotten(500);
        const answered = name === 'failedNotice' ? payoutStates.failed : payoutStates.paid;
        await raced(`${name} ${order} ${outcome}`, payNo, order, { event, decide: (no) => record(outcome)(no), answered, outcome });
      }
});

test('money moves once, whether the provider answers before, after or while another person approves the outcome', { timeout: 120_000 }, async () => {
  for (const payNo of await forgotten(50_000, 49_800)) expect((await recordUnpaid(payNo)).data.state).toBe(payoutStates.failed);
  for (const outcome of Object.values(payoutOutcomes))
    for (const order of orders) {
      const [payNo = ''] = await forgotten(500);
      expect((await record(outcome)(payNo)).data).toMatchObject({ state: payoutStates.processing, outcome });
      const approve = (no: string) => decide(no, outcome);
      await raced(`approval ${order} ${outcome}`, payNo, order, { event: events.paidNotice, decide: approve, answered: payoutStates.paid, outcome });
    }
});
