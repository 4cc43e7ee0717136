import { Object as Shape, Unsafe } from 'typebox';
import { filter, Ids, post } from '#shared/contract';
import { payMenu } from './menus.ts';

/** Approved work that is about to be paid for; the amount in 分. */
export interface WorkToPay {
  readonly submissionId: string;
  readonly taskId: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly amount: number;
}

/** All that one request is about to pay for. */
export const WorkPaying = filter<readonly WorkToPay[]>('payment:paying');

const tally = Unsafe<number>({ type: 'integer' });

const Sum = Shape({ people: tally, amount: Unsafe<number | null>({ type: ['integer', 'null'] }) });

/** What paying for submissions comes to, in 分, before it is begun; no sum for whom amounts are hidden. It changes nothing, and is posted since a thousand ids fit no address. */
export const paySum = post('/api/things-task/weixinpay/sum', {
  title: ['付款合计', 'What payments come to'],
  who: { code: payMenu.code },
  input: Ids,
  reply: Sum,
});

/** What payouts come to, in 分, before they are approved; no sum for whom amounts are hidden. */
export const approvalSum = post('/api/things-task/weixinpay/approve-sum', {
  title: ['复核合计', 'What approvals come to'],
  who: { code: 'payout_approve' },
  input: Ids,
  reply: Sum,
});
