import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import type { TransferResult } from '#plugins/payment/server-extension';
import { Ledger } from '../../../../src/plugins/payment/server/ledger.ts';
import { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from '../../../support/no-webhooks.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import type { Reply } from '../../../support/test-server.ts';

const payPath = '/api/things-task/weixinpay';
const ledgerPath = '/api/things-task/ledger';
/** Three of these amounts exceed the sum that one person can get in a day without approval. */
const amount = 40_000;
const submissionCount = 24;

let office: TaskOffice;
let settlement: Settlement;
let people: Record<string, string>[];
let submissions: string[];

/** The provider accepts every bill without a result; the generated steps decide the result. */
beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway })] });
  settlement = new Settlement(office.server.db, new Ledger(office.server.db), new SubmissionPay(office.server.db), noWebhooks);
  const { headers: ann } = await office.createMember('ann');
  const { headers: eve } = await office.createAuditor('eve');
  const codes = ['task_pay', 'payout', 'payout_approve', 'ledger', 'receipt_add'];
  for (const account of ['payer', 'checker']) await office.server.createUser({ account, codes });
  people = [await office.server.signIn('payer'), await office.server.signIn('checker')];
  const taskId = await office.publishTask({ quantity: submissionCount, perUserLimit: 0 });
  submissions = [];
  for (let made = 0; made < submissionCount; made += 1) submissions.push(await office.submitProof(taskId, ann));
  await office.post(`${taskPath}/doAudit`, { ids: submissions, status: 1 }, eve);
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${amount}`);
});
afterAll(() => office.server.stop());

const submissionIndex = fc.nat({ max: submissionCount - 1 });
const person = fc.nat({ max: 1 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), person, places: fc.uniqueArray(submissionIndex, { minLength: 1, maxLength: 3 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('told' as const),
      bill: fc.nat(),
      outcome: fc.constantFrom('paid' as const, 'failed' as const, 'processing' as const),
      wrong: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('toldTogether' as const),
      outcomes: fc.array(fc.record({ outcome: fc.constantFrom('paid' as const, 'failed' as const, 'processing' as const), wrong: fc.boolean() }), {
        minLength: 2,
        maxLength: 6,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('approve' as const, 'refuse' as const), person, bill: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('note' as const), person, amount: fc.integer({ min: -150_000, max: 200_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const resultOf = (payNo: string, { outcome, wrong }: { readonly outcome: TransferResult['outcome']; readonly wrong: boolean }): TransferResult => ({
  payNo,
  outcome,
  state: outcome.toUpperCase(),
  amount: wrong ? amount + 1 : amount,
});

async function perform(one: Step): Promise<void> {
  const replies: Promise<Reply>[] = [];
  const by = 'person' in one ? people[one.person] : undefined;
  if (one.kind === 'pay') replies.push(office.post(payPath, { ids: one.places.map((index) => submissions[index]) }, by));
  if (one.kind === 'note') replies.push(office.post(`${ledgerPath}/submit`, { advertiserId: office.requiredIds.advertiserId, amount: one.amount }, by));
  if (one.kind === 'toldTogether') {
    const bills = await office.server.sql(`select pay_no as "payNo" from payout order by payout.id desc limit ${one.outcomes.length}`);
    const results = bills.map(({ payNo }, index) => resultOf(String(payNo), one.outcomes[index] ?? { outcome: 'processing', wrong: false }));
    await settlement.settleAll('000000', results);
  }
  if (one.kind === 'approve' || one.kind === 'refuse' || one.kind === 'told') {
    const bills = await office.server.sql('select id::text as id, pay_no as "payNo" from payout order by payout.id desc limit 8');
    const bill = bills[one.bill % Math.max(1, bills.length)] as { id: string; payNo: string } | undefined;
    if (!bill) return;
    if (one.kind === 'approve') replies.push(office.post(`${payPath}/approve`, { ids: [bill.id] }, by));
    if (one.kind === 'refuse') replies.push(office.post(`${payPath}/refuse`, { id: bill.id }, by));
    if (one.kind === 'told') {
      await Promise.all(Array.from({ length: one.times }, () => settlement.settle('000000', resultOf(bill.payNo, one))));
    }
  }
  for (const { status, msg } of await Promise.all(replies)) expect(status, msg).toBeLessThan(500);
}

const paysFor = (index: number): Step => ({ kind: 'pay', person: 0, places: [index] });
/** Returns a step in which the provider reports a result for the latest bill. */
const reports = (outcome: 'paid' | 'failed'): Step => ({ kind: 'told', bill: 0, outcome, wrong: false, times: 1 });

/** Asserts the invariants of the ledger. */
async function expectBalanced(): Promise<void> {
  expect((await office.get(`${ledgerPath}/check`, {}, people[0])).data).toEqual([]);
  const [sums] = await office.server.sql(`
    select (select sum(amount) from ledger_posting)::text as all,
      (select balance from advertiser where id = ${office.requiredIds.advertiserId})
        = (select coalesce(sum(amount), 0) from ledger_posting where account = 1 and kind in (1, 2)) - (select coalesce(sum(amount), 0) from payout where state in (0, 1, 2)) as owed,
      (select count(*) from (select 1 from payout where state in (0, 1, 2) group by submission_id having count(*) > 1) twice)::integer as twice,
      (select count(*) from payout p where (select count(*) from ledger_posting l where l.pay_no = p.pay_no) <> case when p.state in (0, 1) then 2 else 4 end)::integer as odd,
      (select count(*) from task_submission s left join payout p on p.pay_no = s.pay_no
        where s.pay_status <> case when p.state in (0, 1) then 1 when p.state = 2 then 2 when p.state = 3 then 3 else 0 end)::integer as astray,
      (select count(*) from payment_run r join (select batch_no, count(*) as payouts, sum(amount) as amount, count(*) filter (where state = 0) as awaiting,
          count(*) filter (where state = 2) as paid, count(*) filter (where state = 3) as failed from payout group by batch_no) p on p.batch_no = r.run_no
        where (r.payouts, r.amount, r.awaiting, r.paid, r.failed) is distinct from (p.payouts, p.amount, p.awaiting, p.paid, p.failed))::integer as "wrongRuns",
      (select balance from advertiser where id = ${office.requiredIds.advertiserId}) < 0 as "belowNothing"`);
  expect(sums).toMatchObject({ owed: true, twice: 0, odd: 0, astray: 0, wrongRuns: 0, belowNothing: false });
  expect(Number(sums?.all)).toBe(0);
}

test('after any payments, results, approvals, refusals, receipts and refunds, also concurrent ones, the ledger balances and matches the bills', {
  timeout: 120_000,
}, async () => {
  await office.post(`${ledgerPath}/submit`, { advertiserId: office.requiredIds.advertiserId, amount: 500_000 }, people[0]);
  const round = fc.array(step, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 6 }), async (rounds) => {
      for (const steps of rounds) await Promise.all(steps.map(perform));
      await expectBalanced();
    }),
    { numRuns: 12, endOnFailure: true, examples: [[[[paysFor(0)], [reports('failed')], [paysFor(1)], [reports('paid')]]]] },
  );
  const [reached] = await office.server.sql(
    'select count(*) filter (where state = 2)::integer as paid, count(*) filter (where state = 3)::integer as failed, count(*)::integer as all from payout',
  );
  // The test would prove nothing if no bill was paid or failed.
  expect(Number(reached?.paid)).toBeGreaterThan(0);
  expect(Number(reached?.failed)).toBeGreaterThan(0);
});
