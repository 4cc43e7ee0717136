import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { approvalTotal, defaultLimits, paymentLimits, paymentRun, payout } from '#plugins/payment/contract';
import { type IncomeSoFar, taxOn, type WithholdingTerms } from '../../../../src/plugins/payee/server/withholding-rules.ts';
import { Ledger } from '../../../../src/plugins/payment/server/ledger.ts';
import { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from '../../../support/no-webhooks.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import type { Reply } from '../../../support/test-server.ts';

const rulePath = '/api/things-task/withholding-rule';
const ledgerPath = '/api/things-task/ledger';
const payPath = '/api/things-task/weixinpay';

const yearly: WithholdingTerms = {
  basis: 3,
  allowanceRate: 20,
  allowanceFixed: 500_000,
  allowanceMethod: 1,
  bands: '0 3 0\n36000 10 2520\n144000 20 16920\n300000 25 31920\n420000 30 52920\n660000 35 85920\n960000 45 181920',
};
const single: WithholdingTerms = { basis: 1, allowanceRate: 20, allowanceFixed: 80_000, allowanceMethod: 2, bands: '0 20 0\n20000, 30%, 2000\n50000 40 7000' };
const nothing: IncomeSoFar = { gross: 0, withheld: 0, months: 1 };

test('a payment alone: 800 yuan or 20 percent are free, the rest falls into bands', () => {
  expect(taxOn(single, 80_000, nothing)).toBe(0);
  expect(taxOn(single, 300_000, nothing)).toBe(44_000);
  expect(taxOn(single, 400_000, nothing)).toBe(64_000);
  expect(taxOn(single, 500_000, nothing)).toBe(80_000);
  // 25,000 yuan: 20,000 are taxable, which is not above the next band yet; 25,000.01 yuan are.
  expect(taxOn(single, 2_500_000, nothing)).toBe(400_000);
  expect(taxOn(single, 10_000_000, nothing)).toBe(2_500_000);
  // Earlier income does not matter.
  expect(taxOn(single, 300_000, { gross: 9_000_000, withheld: 1, months: 5 })).toBe(44_000);
});

test('accumulated over the year: 20 percent and 5,000 yuan a month are free, and what was withheld is subtracted', () => {
  expect(taxOn(yearly, 625_000, nothing)).toBe(0);
  expect(taxOn(yearly, 1_000_000, nothing)).toBe(9_000);
  expect(taxOn(yearly, 1_000_000, { gross: 1_000_000, withheld: 9_000, months: 2 })).toBe(9_000);
  // A month below the allowance gives nothing back.
  expect(taxOn(yearly, 100, { gross: 1_000_000, withheld: 9_000, months: 2 })).toBe(0);
});

test('half a 分 is rounded up, once, and one 分 remains for the payee', () => {
  const flat: WithholdingTerms = { basis: 2, allowanceRate: 0, allowanceFixed: 0, allowanceMethod: 1, bands: '0 0.5 0' };
  expect(taxOn(flat, 99, nothing)).toBe(0);
  expect(taxOn(flat, 100, nothing)).toBe(1);
  expect(taxOn(flat, 299, nothing)).toBe(1);
  expect(taxOn(flat, 300, nothing)).toBe(2);
  expect(taxOn({ ...flat, bands: '0 100 0' }, 50, nothing)).toBe(49);
  // The rest is withheld from the next payment.
  expect(taxOn({ ...flat, bands: '0 100 0' }, 50, { gross: 50, withheld: 49, months: 1 })).toBe(49);
});

test('however income is split into payments of a month, the tax on it is that on the whole', () => {
  const monthly: WithholdingTerms = { ...yearly, basis: 2 };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1_000, max: 3_000_000 }), { minLength: 1, maxLength: 20 }), (amounts) => {
      const end = amounts.reduce<IncomeSoFar>(
        (income, amount) => ({ gross: income.gross + amount, withheld: income.withheld + taxOn(monthly, amount, income), months: 1 }),
        nothing,
      );
      expect(end.withheld).toBe(taxOn(monthly, end.gross, nothing));
    }),
  );
});

let office: TaskOffice;
let settlement: Settlement;
let gateway: ScriptedGateway;
let ann: { userId: string; headers: Record<string, string> };
let eve: Record<string, string>;

beforeAll(async () => {
  gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway }), 'payee'] });
  settlement = new Settlement(office.server.db, new Ledger(office.server.db), new SubmissionPay(office.server.db), noWebhooks);
  ann = await office.createMember('ann');
  eve = (await office.createAuditor('eve')).headers;
  isOk(await office.post(`${ledgerPath}/submit`, { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 }));
});
afterAll(() => office.server.stop());

function isOk(reply: Reply) {
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
}
const today = async () => String((await office.server.sql('select current_date::text as today'))[0]?.today);
const rule = (fields: object) => office.post(`${rulePath}/submit`, { name: '测试', basis: 2, bands: '0 10 0', source: '测试', ...fields });
/** Creates approved work of Ann that can be paid. */
async function approved(...amounts: number[]): Promise<string[]> {
  const taskId = await office.publishTask({ quantity: amounts.length, perUserLimit: 0 });
  const ids: string[] = [];
  for (const amount of amounts) {
    const id = await office.submitProof(taskId, ann.headers);
    isOk(await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve));
    await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${amount} where id = ${id}`);
    ids.push(id);
  }
  return ids;
}
/** Pays approved work of Ann with one request, and returns the bills. */
async function pay(...amounts: number[]) {
  const ids = await approved(...amounts);
  isOk(await office.post(payPath, { ids }));
  return billsOf(ids);
}
async function billsOf(ids: readonly string[]): Promise<{ payNo: string; amount: number; withheld: number; net: number }[]> {
  const rows = await office.server.sql(
    `select pay_no as no, amount::integer as amount, withheld::integer as withheld, net_amount::integer as net from payout where submission_id in (${ids}) order by submission_id`,
  );
  return rows.map(({ no, ...row }) => ({ payNo: String(no), ...(row as { amount: number; withheld: number; net: number }) }));
}
const settle = (payNo: string, outcome: 'paid' | 'failed', amount?: number) =>
  settlement.settle('000000', { payNo, outcome, state: 'DONE', ...(amount === undefined ? {} : { amount }) });
const accounts = async () => {
  const rows = await office.server.sql('select account, sum(balance)::integer as balance from ledger_account group by account');
  return Object.fromEntries(rows.map(({ account, balance }) => [String(account), Number(balance)]));
};
const expectSound = async () => expect(isOk(await office.get(`${ledgerPath}/check`))).toEqual([]);

test('without a rule nothing is withheld; bands that are none are refused', async () => {
  const [bill] = await pay(10_000);
  expect(bill).toMatchObject({ amount: 10_000, withheld: 0, net: 10_000 });
  await settle(bill?.payNo ?? '', 'failed');
  expect((await rule({ validFrom: await today(), bands: '0 10' })).msg).toBe('税率表第 1 行不正确，应为：金额 税率 速算扣除数');
  // A line is named by its number in the field, where blank lines count.
  expect((await rule({ validFrom: await today(), bands: '0 10 0\n\n100 x 0' })).msg).toBe('税率表第 3 行不正确，应为：金额 税率 速算扣除数');
  expect((await rule({ validFrom: await today(), bands: '100 10 0' })).msg).toBe('税率表须从 0 起，金额逐行递增');
  expect((await rule({ validFrom: await today(), bands: '0 10 0\n0 20 0' })).code).toBe(400);
  expect((await rule({ validFrom: '2020-01-01' })).code).toBe(400);
});

test('the rule of the day withholds; the net is sent, the tax has an account of its own, and a failure returns the gross', async () => {
  await office.server.sql("update payout set create_time = now() - interval '2 days'");
  const { id } = isOk(await rule({ validFrom: await today(), allowanceFixed: 5_000, bands: '0 10 0\n150 20 15' }));
  // 30,000 fen in two payments: taxable 25,000 fen, above 15,000: 20 percent less 1,500.
  const [first, second] = await pay(10_000, 20_000);
  expect([first, second]).toMatchObject([
    { amount: 10_000, withheld: 500, net: 9_500 },
    { amount: 20_000, withheld: 3_000, net: 17_000 },
  ]);
  await expect.poll(() => gateway.sent.find(({ payNo }) => payNo === second?.payNo)?.amount, { timeout: 10_000 }).toBe(17_000);
  const before = await accounts();
  await settle(second?.payNo ?? '', 'paid', 20_000);
  expect(await accounts(), 'the gross is not what the provider was asked for').toEqual(before);
  await settle(second?.payNo ?? '', 'paid', 17_000);
  expect(await accounts()).toMatchObject({ 3: (before[3] ?? 0) - 20_000, 4: (before[4] ?? 0) + 17_000, 5: 3_000 });
  await settle(first?.payNo ?? '', 'failed');
  expect(await accounts()).toMatchObject({ 1: (before[1] ?? 0) + 10_000, 5: 3_000 });
  await expectSound();
  const income = await office.server.sql(
    `select kind, payouts, gross::integer as gross, withheld::integer as withheld, net::integer as net from payee_income order by kind`,
  );
  expect(income).toEqual([1, 2, 3].map((kind) => ({ kind, payouts: 1, gross: 20_000, withheld: 3_000, net: 17_000 })));
  expect((await office.post(`${rulePath}/submit`, { id, bands: '0 5 0' })).code).toBe(409);
  expect((await office.post(`${rulePath}/remove`, { ids: [id] })).code).toBe(409);
  // Earlier tax counts: the failed payout no longer does, and more has been withheld than is due now.
  const [third] = await pay(1_000);
  expect(third?.withheld).toBe(0);
  await settle(third?.payNo ?? '', 'paid');
  await expectSound();
  await expect(office.server.sql(`update payout set withheld = 1 where pay_no = '${third?.payNo}'`)).rejects.toThrow();
});

test('the tax that a preview shows is the one that is withheld, by a provider and outside of any; a change meanwhile is confirmed again', async () => {
  const sum = async (ids: readonly string[], more: object = {}) => isOk(await office.post(`${payPath}/sum`, { ids, ...more }));
  const totalOf = (bills: Awaited<ReturnType<typeof billsOf>>) => bills.reduce((total, { withheld }) => total + withheld, 0);
  await office.server.sql("update withholding_rule set bands = '0 10 0', allowance_fixed = 0");
  const manual = { voucher: ['https://files.example.com/slip.png'], remark: '现金支付' };
  for (const way of ['provider', 'manual'] as const) {
    const isManual = way === 'manual';
    const ids = await approved(30_000, 50_005);
    const shown = await sum(ids, isManual ? { manual: true } : {});
    expect(shown).toMatchObject({ count: 2, amount: 80_005, rows: [], channels: [{ channel: isManual ? 5 : 9, count: 2 }] });
    expect(shown.withheld).toBeGreaterThan(5_000);
    expect(shown.net).toBe(80_005 - shown.withheld);
    const record = (expected: object) => office.post(isManual ? `${payPath}/manual` : payPath, { ids, expected, ...(isManual ? manual : {}) });
    const { count, amount, withheld } = shown;
    expect(await record({ count, amount, withheld: withheld - 1 })).toMatchObject({ code: 409, msg: '可付款的内容已有变化，请按新的合计重新确认' });
    expect(await record({ count, amount: amount - 1, withheld })).toMatchObject({ code: 409 });
    // The rule changes between the preview and the click.
    await office.server.sql("update withholding_rule set bands = '0 12 0'");
    expect(await record({ count, amount, withheld })).toMatchObject({ code: 409 });
    expect(await billsOf(ids)).toEqual([]);
    const again = await sum(ids, isManual ? { manual: true } : {});
    expect(again.withheld).toBeGreaterThan(withheld);
    isOk(await record({ count, amount, withheld: again.withheld }));
    const bills = await billsOf(ids);
    expect(totalOf(bills)).toBe(again.withheld);
    for (const { payNo } of bills) if (!isManual) await settle(payNo, 'failed');
    await office.server.sql("update withholding_rule set bands = '0 10 0'");
  }
  await office.server.sql('update payout set next_try = now() where state = 1');
  await expect.poll(() => office.server.sql('select pay_no from payout where state = 1'), { timeout: 20_000, interval: 200 }).toEqual([]);
  await expectSound();
});

test('an approval shows the tax that is withheld from its payouts, of a run and one by one, and confirms it', async () => {
  await office.server.sql("update withholding_rule set bands = '0 10 0', allowance_fixed = 0");
  await office.server.createUser({ account: 'checker', codes: ['payout', 'payment_run', 'payout_approve'] });
  const checker = await office.server.signIn('checker');
  for (const way of ['run', 'payouts'] as const) {
    const bills = await pay(90_000, 80_000);
    const withheld = bills.reduce((sum, one) => sum + one.withheld, 0);
    expect(withheld).toBeGreaterThan(10_000);
    const [first] = await office.server.sql(
      `select r.id::text as run, array_agg(p.id::text) as ids from payout p join payment_run r on r.run_no = p.batch_no where p.pay_no in (${bills.map(({ payNo }) => `'${payNo}'`)}) group by r.id`,
    );
    const what = way === 'run' ? { id: first?.run } : { ids: first?.ids };
    const [total, approve] = way === 'run' ? [paymentRun.total, paymentRun.approve] : [approvalTotal, payout.approve];
    const shown = isOk(await office.post(total.path, what, checker));
    expect(shown).toMatchObject({ count: 2, amount: 170_000, withheld, net: 170_000 - withheld });
    const confirm = (tax: number) => office.post(approve.path, { ...what, expected: { count: 2, amount: 170_000, withheld: tax } }, checker);
    expect(await confirm(withheld - 1)).toMatchObject({ code: 409, msg: '可付款的内容已有变化，请按新的合计重新确认' });
    isOk(await confirm(withheld));
    for (const { payNo } of bills) await settle(payNo, 'failed');
  }
  await expectSound();
});

test('the ledger stays sound whatever rates, amounts and outcomes there are', { timeout: 120_000 }, async () => {
  // All payments of a day count towards the approval of the next one, which would then wait.
  isOk(await office.post(paymentLimits.submit.path, { ...defaultLimits, approvalAbove: 100_000_000 }));
  const outcome = fc.constantFrom('paid' as const, 'failed' as const);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 10_000 }),
      fc.array(fc.record({ amount: fc.integer({ min: 1, max: 9_999 }), outcome }), { minLength: 1, maxLength: 4 }),
      async (rate, payments) => {
        await office.server.sql(`update withholding_rule set bands = '0 ${(rate / 100).toFixed(2)} 0', allowance_fixed = 0`);
        const balance = (await accounts())[1] ?? 0;
        const bills = await pay(...payments.map(({ amount }) => amount));
        for (const [index, { payNo, net }] of bills.entries()) await settle(payNo, payments[index]?.outcome ?? 'paid', net);
        const paid = payments.filter((one) => one.outcome === 'paid').reduce((sum, { amount }) => sum + amount, 0);
        expect((await accounts())[1]).toBe(balance - paid);
        await expectSound();
        const [odd] = await office.server.sql(`
          select count(*)::integer as count from payee_income i cross join (
            select sum(l.amount) filter (where l.account = 4) as net, sum(l.amount) filter (where l.account = 5) as withheld
            from ledger_posting l where l.kind = 4 and l.account in (4, 5)) booked
          where i.kind = 3 and (i.net, i.withheld) is distinct from (booked.net, booked.withheld)`);
        expect(odd?.count).toBe(0);
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});
