import * as Type from 'typebox';
import { filter, Ids, post } from '#shared/contract';
import { payMenu } from './menus.ts';

/** Approved work that is about to be paid; the amount is in 分. */
export interface WorkToPay {
  readonly submissionId: string;
  readonly taskId: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly amount: number;
}

/** Filters the work one request is about to pay. */
export const WorkPaying = filter<readonly WorkToPay[]>('payment:paying');

const IntegerSchema = Type.Unsafe<number>({ type: 'integer' });

const Sum = Type.Object({ people: IntegerSchema, amount: Type.Unsafe<number | null>({ type: ['integer', 'null'] }) });

/** Returns the total of payments before they start, in 分; null for users who may not see amounts. Changes nothing; a POST because a thousand ids exceed an address. */
export const payTotal = post('/api/things-task/weixinpay/sum', {
  title: ['付款合计', 'Payment total'],
  access: { code: payMenu.code },
  input: Ids,
  reply: Sum,
});

/** Returns the total of payouts before they are approved, in 分; null for users who may not see amounts. */
export const approvalTotal = post('/api/things-task/weixinpay/approve-sum', {
  title: ['复核合计', 'Approval total'],
  access: { code: 'payout_approve' },
  input: Ids,
  reply: Sum,
});
