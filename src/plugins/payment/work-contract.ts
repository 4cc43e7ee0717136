import type { Static } from 'typebox';
import * as Type from 'typebox';
import { BatchResult, filter, post, SelectedIds } from '#shared/contract';
import { payMenu } from './menus.ts';

/** Approved work that is about to be paid; the amount is in 分. */
export interface WorkToPay {
  readonly submissionId: string;
  readonly taskId: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly amount: number;
}

/** Filters the work that a request is about to pay. */
export const WorkPaying = filter<readonly WorkToPay[]>('payment:paying');

const IntegerSchema = Type.Unsafe<number>({ type: 'integer' });

const Amount = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const Applied = Type.Object({ perPayment: Amount, perPayeeDay: Amount, perRun: Amount, leftToday: Amount, approvalAbove: IntegerSchema });
/** Limits that apply to a payment now, in 分; null for no limit. `leftToday` is what the limit of the day still allows. */
export type AppliedLimits = Static<typeof Applied>;
export const Sum = Type.Object({
  count: IntegerSchema,
  people: IntegerSchema,
  amount: Amount,
  /** Tax that is withheld, and what payees receive; absent for users who may not see them. */
  withheld: Type.Optional(IntegerSchema),
  net: Type.Optional(IntegerSchema),
  rows: BatchResult.properties.rows,
  /** Number of payments by the provider that would send them now, as the channel of their payouts. */
  channels: Type.Optional(Type.Array(Type.Object({ channel: IntegerSchema, count: IntegerSchema }))),
  /** True if the payments would wait until another user approves them. */
  needsApproval: Type.Optional(Type.Boolean()),
  /** Absent for users who may not see amounts. */
  limits: Type.Optional(Applied),
});
/** Number and total of the payments that a batch would make at this moment. `rows` lists the rows that it would leave out, with the reasons. */
export type PaymentSum = Static<typeof Sum>;

/** Number, total and, if it was shown, withheld tax, in 分, that a user has confirmed; a batch that would do anything else is refused. Users who may not see amounts confirm the number. */
export const Expected = Type.Optional(Type.Object({ count: IntegerSchema, amount: Amount, withheld: Type.Optional(IntegerSchema) }));
export type Expected = Static<typeof Expected>;

/** Returns the payments that would start, or would be recorded as made outside of any provider with `manual`, and their total, in 分; null for users who may not see amounts. Changes nothing; a POST because ten thousand ids exceed an address. */
export const payTotal = post('/api/things-task/weixinpay/sum', {
  title: ['付款合计', 'Payment total'],
  access: { code: payMenu.code },
  input: Type.Object({ ...SelectedIds.properties, manual: Type.Optional(Type.Boolean()) }),
  reply: Sum,
});

/** Returns the payouts that would be approved and their total, in 分; null for users who may not see amounts. */
export const approvalTotal = post('/api/things-task/weixinpay/approve-sum', {
  title: ['复核合计', 'Approval total'],
  access: { code: 'payout_approve' },
  input: SelectedIds,
  reply: Sum,
});
