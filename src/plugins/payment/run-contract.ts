import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BatchResult, ById, crud, entity, get, NoContent, post, type RowOf } from '#shared/contract';
import { Id, Integer, LongText, Money, Nullable, Select, Text } from '#shared/fields';
import { paymentRunMenu } from './menus.ts';
import { Expected, Sum } from './work-contract.ts';

const path = '/api/things-task/payment-run';
const count = (title: readonly [string, string]) => Integer({ title, minimum: 0, form: false });
const name = (title: readonly [string, string]) => Text({ title, maxLength: 64, form: false });

/** States of a payment run: payouts wait for approval, payouts are being sent, all are paid, some have failed, or all were rejected. */
export const runStates = { awaiting: 0, processing: 1, done: 2, failed: 3, refused: 4 } as const;

/** Payouts that one user has started together. The counts and amounts, in 分, are updated with every change of a payout. */
export const PaymentRun = entity('payment_run', {
  id: Id(),
  runNo: Text({ title: ['批次号', 'Run no.'], maxLength: 32, form: false, search: true, copyable: true, width: 248 }),
  state: Select({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    options: [
      [runStates.awaiting, ['待复核', 'Pending approval']],
      [runStates.processing, ['付款中', 'Sending']],
      [runStates.done, ['已完成', 'Done']],
      [runStates.failed, ['有失败', 'Has failures']],
      [runStates.refused, ['已驳回', 'Rejected']],
    ],
    tones: { 0: 'brand', 1: 'warning', 2: 'good', 3: 'danger', 4: 'neutral' },
  }),
  paid: Integer({ title: ['已付', 'Paid'], minimum: 0, form: false, progress: { title: ['进度', 'Progress'], total: 'payouts', parts: ['paid'] } }),
  payouts: count(['笔数', 'Payouts']),
  amount: Money({ title: ['金额', 'Amount'], form: false, search: true }),
  paidAmount: Money({ title: ['已付金额', 'Paid amount'], form: false }),
  people: count(['收款人数', 'Payees']),
  advertisers: count(['广告主数', 'Advertisers']),
  awaiting: count(['待复核', 'Pending approval']),
  processing: count(['处理中', 'Processing']),
  failed: count(['失败', 'Failed']),
  refused: count(['已驳回', 'Rejected']),
  requesterName: name(['申请人', 'Requested by']),
  approverName: Nullable(name(['复核人', 'Approved by'])),
  reason: Nullable(LongText({ title: ['驳回原因', 'Reason'], maxLength: 255, list: false })),
});
export type PaymentRunRow = RowOf<typeof PaymentRun>;

const { list, detail, export: exported } = crud(path, PaymentRun, { menu: paymentRunMenu.code });
const Int = Type.Unsafe<number>({ type: 'integer' });

const Share = Type.Object({
  advertiserId: Id(),
  name: Type.Unsafe<string>({ type: 'string' }),
  payouts: Int,
  people: Int,
  amount: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
});
/** Payouts of a run for the work of one advertiser; the amount is in 分, null for users who may not see it. */
export type RunShare = Static<typeof Share>;

const nullable = (type: string) => ({ type: [type, 'null'] });
const Amount = Type.Unsafe<number | null>(nullable('integer'));
const PayeeSum = Type.Object({
  userId: Type.Unsafe<string | null>(nullable('string')),
  name: Type.Unsafe<string | null>(nullable('string')),
  payouts: Int,
  amount: Amount,
  withheld: Amount,
  net: Amount,
  /** Number of payouts in each state. */
  states: Type.Array(Type.Object({ state: Int, count: Int })),
});
/** Payouts of a run to one payee, in 分. Fields that the user may not see are null, and `states` is empty. */
export type PayeeSum = Static<typeof PayeeSum>;

const mayApprove = { code: 'payout_approve' };

export const paymentRun = {
  entity: PaymentRun,
  menu: paymentRunMenu.code,
  list,
  detail,
  export: exported,
  /** Returns the shares of the advertisers in a run, the largest first; at most a hundred. */
  shares: get(`${path}/shares`, { title: ['批次构成', 'Shares of a run'], access: { code: paymentRunMenu.code }, input: ById, reply: Type.Array(Share) }),
  /** Returns a page of the payees of a run, the largest sum first. `name` restricts them to payees whose name contains it. */
  payees: get(`${path}/payees`, {
    title: ['批次收款人', 'Payees of a run'],
    access: { code: paymentRunMenu.code },
    input: Type.Object({
      id: Id(),
      name: Type.Optional(Type.String({ maxLength: 64 })),
      current: Type.Optional(Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum: 1_000_000 })),
      size: Type.Optional(Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum: 200 })),
    }),
    reply: Type.Object({ records: Type.Array(PayeeSum), total: Int }),
  }),
  /** Returns the number and total of the payouts that an approval of the run would send. It changes nothing, but is a POST because it locks the payouts that it counts. */
  total: post(`${path}/total`, { title: ['批次复核合计', 'Total of a run to approve'], access: mayApprove, input: ById, reply: Sum }),
  /** Approves all payouts of a run that wait for approval. The user who started the payment cannot approve it. */
  approve: post(`${path}/approve`, {
    title: ['复核批次', 'Approve run'],
    access: mayApprove,
    proof: 'fresh',
    input: Type.Object({ id: Id(), expected: Expected }),
    reply: Type.Object({ count: Int }),
  }),
  /** Rejects all payouts of a run that wait for approval; their money returns to the balances. */
  reject: post(`${path}/reject`, {
    title: ['驳回批次', 'Reject run'],
    access: mayApprove,
    input: Type.Object({ id: Id(), reason: PaymentRun.fields.reason }),
    reply: Type.Object({ count: Int }),
  }),
  /** Marks a run with failed payouts as handled, when they are not going to be paid again here. */
  close: post(`${path}/close`, { title: ['标记已处理', 'Mark as handled'], access: { code: 'task_pay' }, input: ById, reply: NoContent }),
  /** Pays the failed payouts of a run again, as far as possible, in a new run. */
  retry: post(`${path}/retry`, {
    title: ['重付失败项', 'Retry failed payouts'],
    access: { code: 'task_pay' },
    proof: 'fresh',
    input: ById,
    reply: BatchResult,
  }),
};
