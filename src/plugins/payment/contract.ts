import * as Type from 'typebox';
import { Submission } from '#plugins/task/contract';
import { BatchIds, list, post, withBatchResult } from '#shared/contract';
import { Id, Text } from '#shared/fields';
import { payMenu } from './menus.ts';
import { voucherField } from './voucher-contract.ts';
import { Expected } from './work-contract.ts';

export * from './closing-contract.ts';
export * from './funds-contract.ts';
export * from './ledger-contract.ts';
export { accountNameOf, entryKinds, type LedgerMismatch, ledgerAccounts } from './ledger-terms-contract.ts';
export * from './limit-contract.ts';
export { payoutOutcome } from './outcome-contract.ts';
export * from './payee-contract.ts';
export * from './payout-contract.ts';
export * from './problem-contract.ts';
export * from './receipt-contract.ts';
export * from './reconciliation-contract.ts';
export * from './routing-contract.ts';
export * from './run-contract.ts';
export * from './work-contract.ts';

const payPath = '/api/things-task/weixinpay';

const Int = Type.Unsafe<number>({ type: 'integer' });
const StartedPayout = Type.Object({ id: Id(), payNo: Type.Unsafe<string>({ type: 'string' }), state: Int });
const PaymentReply = withBatchResult(Type.Object({ payNo: Type.Unsafe<string>({ type: 'string' }), state: Int, payouts: Type.Array(StartedPayout) }));

/** Calls that list and pay approved work. */
export const payable = {
  entity: Submission,
  menu: payMenu.code,
  /** Lists approved, unpaid work whose approval can no longer be undone, the oldest approval first. */
  list: list(`${payPath}/payable`, Submission, { code: payMenu.code }, ['待付款', 'Pending payments']),
  /**
   * Starts payments for submissions, all or none. Submissions that are already being paid or are paid are returned with their existing payout; `payNo` and `state` are those
   * of the first. With `partial`, those that cannot be paid, or already are, are reported instead; without any payout `payNo` is empty.
   */
  pay: post(payPath, {
    title: ['付款', 'Pay'],
    access: { code: payMenu.code },
    proof: 'fresh',
    input: Type.Object({ ...BatchIds.properties, ids: Type.Optional(BatchIds.properties.ids), id: Type.Optional(Id()), expected: Expected }),
    reply: PaymentReply,
  }),
  /** Records payments that were made outside of any provider, by the rules and limits of all payments. */
  payManually: post(`${payPath}/manual`, {
    title: ['登记线下付款', 'Record manual payment'],
    access: { code: 'task_pay_manual' },
    proof: 'fresh',
    input: Type.Object({ ...BatchIds.properties, voucher: voucherField, remark: Text({ title: ['备注', 'Remark'] }), expected: Expected }),
    reply: PaymentReply,
  }),
};
