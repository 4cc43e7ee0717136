import * as Type from 'typebox';
import { entity, NoContent, post } from '#shared/contract';
import { DateOnly, Id, Nullable, Text } from '#shared/fields';
import { Payout, payoutOutcomes } from './payout-contract.ts';
import { voucherField } from './voucher-contract.ts';

const path = '/api/things-task/weixinpay/outcome';
const remark = { title: ['说明', 'Remark'], placeholder: ['在哪里核实、结果如何', 'Where it was looked up, and with what result'] } as const;

/** Fields with which a person records that a payout was paid. Without a voucher the remark is required. */
export const PaidOutcome = entity(
  'payout',
  {
    id: Id(),
    outcomeNo: Text({ title: ['渠道单号', 'Provider no.'], maxLength: 64 }),
    outcomeDay: DateOnly({ title: ['付款日期', 'Payment date'] }),
    voucher: Nullable(voucherField),
    remark: Nullable(Text({ ...remark, requiredWhen: { field: 'voucher', filled: false } })),
  },
  { versioned: false },
);

/** Fields with which a person records that a payout was not paid. */
export const UnpaidOutcome = entity('payout', { id: Id(), remark: Text(remark), voucher: Nullable(voucherField) }, { versioned: false });

const mayRecord = { code: 'payout_outcome' };
const mayApprove = { code: 'payout_approve' };
const { outcomeNo, outcomeDay, voucher, remark: paidRemark } = PaidOutcome.fields;
/** Outcome that the user has seen; another one is not decided. */
const seen = Type.Unsafe<number>({ type: 'integer', enum: Object.values(payoutOutcomes) });

/** Calls with which people record the outcome of a payout whose order its provider no longer knows. Above the limit of the tenant another user approves it. */
export const payoutOutcome = {
  /** Records that the payout was paid, with the number and the date of the provider's bill. */
  recordPaid: post(`${path}/paid`, {
    title: ['登记为已付', 'Record as paid'],
    access: mayRecord,
    proof: 'fresh',
    input: Type.Object({ id: Id(), outcomeNo, outcomeDay, voucher, remark: paidRemark }),
    reply: Payout.row,
  }),
  /** Records that the payout was not paid: its money returns to the balance, and the work can be paid again under another number. */
  recordUnpaid: post(`${path}/unpaid`, {
    title: ['登记为未付', 'Record as not paid'],
    access: mayRecord,
    proof: 'fresh',
    input: Type.Object({ id: Id(), remark: UnpaidOutcome.fields.remark, voucher }),
    reply: Payout.row,
  }),
  /** Requires another user than the one who recorded the outcome. */
  approve: post(`${path}/approve`, {
    title: ['复核登记结果', 'Approve outcome'],
    access: mayApprove,
    proof: 'fresh',
    input: Type.Object({ id: Id(), outcome: seen }),
    reply: NoContent,
  }),
  /** Discards the outcome; the payout stays in process. */
  reject: post(`${path}/reject`, {
    title: ['驳回登记结果', 'Reject outcome'],
    access: mayApprove,
    input: Type.Object({ id: Id(), outcome: seen, reason: Payout.fields.reason }),
    reply: NoContent,
  }),
};
