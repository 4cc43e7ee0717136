import * as Type from 'typebox';
import { crud, entity, get, NoInput, post, type RowOf } from '#shared/contract';
import { Id, Money, Nullable, Select } from '#shared/fields';
import { paymentLimitMenu } from './menus.ts';

const path = '/api/things-task/payment-limit';
const payments = ['付款', 'Payments'] as const;
const approval = ['复核', 'Approval'] as const;
const advertisers = ['广告主资金', 'Money of advertisers'] as const;
const unlimited = ['不限', 'No limit'] as const;

/** Values of `publishingBeyondFunds`. */
export const beyondFunds = { refuse: 'refuse', warn: 'warn' } as const;

/** Limits of a tenant that has saved none. Amounts in 分. */
export const defaultLimits = {
  perPayment: 200_000,
  perPayeeDay: null,
  perRun: null,
  perDay: 10_000_000,
  approvalAbove: 100_000,
  receiptApprovalAbove: null,
  lowFunds: 0,
  publishingBeyondFunds: beyondFunds.refuse,
} as const;

/** Limits of payments and receipts, one row per tenant. Amounts in 分; null for no limit. */
export const PaymentLimits = entity('payment_limits', {
  id: Id(),
  perPayment: Nullable(Money({ title: ['单笔上限', 'Per payment'], minimum: 1, placeholder: unlimited, group: payments })),
  perPayeeDay: Nullable(Money({ title: ['每人每日上限', 'Per payee and day'], minimum: 1, placeholder: unlimited, group: payments })),
  perRun: Nullable(Money({ title: ['每批次上限', 'Per run'], minimum: 1, placeholder: unlimited, group: payments })),
  perDay: Nullable(Money({ title: ['每日合计上限', 'Per day, in total'], minimum: 1, placeholder: unlimited, group: payments })),
  approvalAbove: Money({
    title: ['付款免复核额度', 'Payments without approval'],
    help: [
      '一人一日申请的付款合计超过此额度后须由他人复核，0 表示全部复核',
      'Payments requested by one person beyond this total a day need approval by another; 0 to always require approval',
    ],
    group: approval,
  }),
  receiptApprovalAbove: Nullable(
    Money({
      title: ['收退款免复核额度', 'Receipts without approval'],
      help: [
        '单笔收款、退款、冲销超过此额度须由他人复核；0 表示全部复核，留空则不复核',
        'A receipt, refund or reversal above it needs approval by another; 0 to always require approval, empty to never require it',
      ],
      group: approval,
    }),
  ),
  lowFunds: Money({
    title: ['余额预警线', 'Low balance threshold'],
    help: [
      '广告主的可用资金低于此数时，通知可登记收款的人员；0 表示仅在可用资金为负时通知',
      'Users who can record receipts are notified when the available money of an advertiser falls below it; 0 to notify only of negative amounts',
    ],
    group: advertisers,
  }),
  publishingBeyondFunds: Select({
    title: ['资金不足时发布', 'Publishing beyond available money'],
    help: ['发布任务的费用超过广告主可用资金（含授信）时的处理', 'Applies when tasks cost more than the advertiser has available, credit included'],
    options: [
      [beyondFunds.refuse, ['禁止发布', 'Refuse']],
      [beyondFunds.warn, ['提醒后可发布', 'Warn']],
    ],
    group: advertisers,
  }),
});
export type PaymentLimitsRow = RowOf<typeof PaymentLimits>;

const { history } = crud(path, PaymentLimits, { menu: paymentLimitMenu.code });

export const paymentLimits = {
  entity: PaymentLimits,
  menu: paymentLimitMenu.code,
  /** Returns the defaults with the id '0' and an empty version while nothing is saved. */
  read: get(`${path}/detail`, {
    title: ['付款限额', 'Payment limits'],
    access: { code: paymentLimitMenu.code },
    input: NoInput,
    reply: Type.Object({ ...PaymentLimits.row.properties, version: Type.Unsafe<string>({ type: 'string' }) }, { entity: PaymentLimits.name }),
  }),
  submit: post(`${path}/submit`, {
    title: ['保存付款限额', 'Save payment limits'],
    access: { code: 'payment_limit_edit' },
    proof: 'fresh',
    effect: 'updated',
    input: PaymentLimits.form,
    reply: PaymentLimits.row,
  }),
  ...(history ? { history } : {}),
};
