import * as Type from 'typebox';
import { Advertiser, AdvertiserId } from '#plugins/base-data/contract';
import { Submission, Task } from '#plugins/task/contract';
import { BatchIds, BatchReply, ById, crud, entity, get, list, NoContent, NoInput, post, type RowOf, withBatchResult } from '#shared/contract';
import { Attachment, DateTime, Id, Integer, Money, Nullable, Select, Text } from '#shared/fields';
import { accountOptions, entryKinds, kindOptions, LedgerMismatches, ledgerAccounts } from './ledger-terms-contract.ts';
import { ledgerMenu, payMenu, payoutMenu, receiptMenu } from './menus.ts';
import { accountKinds } from './payee-contract.ts';
import { PaymentRun } from './run-contract.ts';
import { Expected } from './work-contract.ts';

export * from './closing-contract.ts';
export * from './confirmation-contract.ts';
export * from './funds-contract.ts';
export { accountTitles, journal } from './journal-contract.ts';
export { entryKinds, type LedgerMismatch, ledgerAccounts } from './ledger-terms-contract.ts';
export * from './limit-contract.ts';
export * from './payee-contract.ts';
export * from './problem-contract.ts';
export * from './reconciliation-contract.ts';
export * from './routing-contract.ts';
export * from './run-contract.ts';
export * from './statement-contract.ts';
export * from './withholding-contract.ts';
export * from './work-contract.ts';

const moneyPath = '/api/things-task/ledger';
const maxAmount = 1_000_000_000_000;
const Int = Type.Unsafe<number>({ type: 'integer' });

/** Names of providers by the channel of their payouts. */
export const channelTitles = [
  [1, ['沙箱', 'Sandbox']],
  [2, ['微信支付', 'WeChat Pay']],
  [3, ['支付宝', 'Alipay']],
  [4, ['银行文件', 'Bank file']],
  [9, ['其他', 'Other']],
] as const;

/** States of a payout. */
export const payoutStates = { awaiting: 0, processing: 1, paid: 2, failed: 3, refused: 4 } as const;

const readOnlyText = (title: readonly [string, string], maxLength = 64) => Text({ title, maxLength, form: false });

/** Payment for one approved submission. Its number is stable until the provider reports a failure; a submission has at most one payout not failed or refused. */
export const Payout = entity(
  'payout',
  {
    id: Id(),
    payNo: Text({ title: ['付款单号', 'Payment no.'], maxLength: 32, form: false, search: true, copyable: true, width: 248 }),
    batchNo: Text({ title: ['批次号', 'Batch no.'], maxLength: 32, form: false, search: true, copyable: true }),
    submissionId: Id({ title: ['提交编号', 'Submission ID'], search: true }),
    taskId: Id({ title: ['任务编号', 'Task ID'], search: true }),
    taskTitle: Text({ title: ['任务', 'Task'], maxLength: 128, form: false, search: true, width: 200 }),
    advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true, form: false }),
    userId: Id({ title: ['收款人编号', 'Payee ID'], search: true }),
    nickName: Text({ title: ['收款人', 'Payee'], maxLength: 64, form: false, search: true, width: 110 }),
    openid: Text({ title: ['微信标识', 'WeChat ID'], form: false, list: false }),
    accountKind: Select({
      title: ['收款方式', 'Paid to'],
      form: false,
      search: true,
      options: [
        [accountKinds.wechat, ['微信', 'WeChat']],
        [accountKinds.alipay, ['支付宝', 'Alipay']],
        [accountKinds.bank, ['银行卡', 'Bank account']],
      ],
    }),
    /** Beginning and end of the account; null for WeChat. */
    accountMask: Nullable(Text({ title: ['收款账户', 'Account'], maxLength: 64, form: false })),
    amount: Money({ title: ['金额', 'Amount'], form: false, search: true }),
    /** Tax that is not transferred to the payee. */
    withheld: Money({ title: ['代扣税款', 'Withheld tax'], form: false, search: true }),
    netAmount: Money({ title: ['实付金额', 'Net amount'], form: false }),
    state: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      options: [
        [payoutStates.awaiting, ['待复核', 'Pending approval']],
        [payoutStates.processing, ['处理中', 'Processing']],
        [payoutStates.paid, ['已付', 'Paid']],
        [payoutStates.failed, ['失败', 'Failed']],
        [payoutStates.refused, ['已驳回', 'Rejected']],
      ],
      tones: { 0: 'brand', 1: 'warning', 2: 'good', 3: 'danger', 4: 'neutral' },
    }),
    channel: Nullable(Select({ title: ['支付渠道', 'Channel'], form: false, search: true, options: channelTitles })),
    gateway: Text({ title: ['渠道配置', 'Gateway'], maxLength: 32, form: false, list: false }),
    providerNo: Nullable(Text({ title: ['渠道单号', 'Provider no.'], maxLength: 64, form: false, search: true, copyable: true })),
    providerState: Nullable(readOnlyText(['渠道状态', 'Provider status'])),
    tries: Integer({ title: ['询问次数', 'Attempts'], minimum: 0, form: false, list: false }),
    note: Nullable(Text({ title: ['说明', 'Note'], form: false })),
    requesterName: readOnlyText(['申请人', 'Requested by']),
    approverName: Nullable(readOnlyText(['复核人', 'Approved by'])),
    reason: Nullable(Text({ title: ['驳回原因', 'Reason'], list: false })),
    paidTime: Nullable(DateTime({ title: ['付款时间', 'Paid'], form: false, search: true, sort: true })),
  },
  {
    belongsTo: { taskId: { entity: Task }, batchNo: { entity: PaymentRun, field: 'runNo' } },
    ownership: { user: 'taskId.createUser', department: 'taskId.createDept' },
  },
);
export type PayoutRow = RowOf<typeof Payout>;

/** One side of a ledger entry, immutable once written. Both sides share an `entryId`, and their amounts sum to 0. In 分. */
export const LedgerPosting = entity(
  'ledger_posting',
  {
    id: Id(),
    entryId: Id({ title: ['分录编号', 'Entry ID'], search: true }),
    kind: Select({
      title: ['业务', 'Type'],
      form: false,
      search: true,
      options: kindOptions,
      tones: { 1: 'good', 2: 'warning', 3: 'brand', 4: 'neutral', 5: 'warning', 6: 'neutral', 7: 'danger' },
    }),
    account: Select({
      title: ['账户', 'Account'],
      form: false,
      search: true,
      options: accountOptions,
    }),
    advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true }),
    // The two sides of an entry sum to 0, and so do all.
    amount: Money({
      title: ['金额', 'Amount'],
      minimum: -maxAmount,
      search: true,
      total: false,
      help: ['正数为收款，负数为退款', 'Positive for money received, negative for refunds'],
    }),
    /** Balance of the account after this posting. */
    balanceAfter: Money({ title: ['余额', 'Balance'], minimum: -maxAmount, form: false, total: false }),
    payNo: Nullable(Text({ title: ['付款单号', 'Payment no.'], maxLength: 32, form: false, search: true, copyable: true, width: 248 })),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
    voucher: Nullable(Attachment({ title: ['凭证', 'Voucher'], max: 5, accept: 'image/png,image/jpeg,image/webp,application/pdf', maxSize: 10 * 1024 * 1024 })),
    /** Entry that this one reverses. */
    reverses: Nullable(Id({ title: ['被冲销分录', 'Reversed entry'], search: true })),
    createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }),
  },
  {
    belongsTo: { payNo: { entity: Payout, field: 'payNo' }, advertiserId: { entity: Advertiser } },
    ownership: { user: 'advertiserId.createUser', department: 'advertiserId.createDept' },
    // The record of an advertiser lists the postings on the advertiser's own account.
    relatedFilter: { account: ledgerAccounts.advertiser },
  },
);
export type LedgerRow = RowOf<typeof LedgerPosting>;

/** States of a receipt: it waits for approval, is in the ledger, was rejected, or was reversed. */
export const receiptStates = { awaiting: 0, recorded: 1, refused: 2, reversed: 3 } as const;
/** Kinds of receipts, with the numbers of their ledger entries. */
export const receiptKinds = { received: entryKinds.received, refunded: entryKinds.refunded, reversed: entryKinds.reversed } as const;

const name = (title: readonly [string, string]) => Text({ title, maxLength: 64, form: false });

/** Money received from an advertiser or refunded, or the reversal of either. Above the limit it enters the ledger only after another user has approved it. In 分. */
export const Receipt = entity(
  'receipt',
  {
    id: Id(),
    receiptNo: Text({ title: ['单号', 'No.'], maxLength: 32, form: false, search: true, copyable: true, width: 230 }),
    advertiserId: LedgerPosting.fields.advertiserId,
    kind: Select({
      title: ['类型', 'Type'],
      form: false,
      search: true,
      options: [
        [receiptKinds.received, ['收款', 'Received']],
        [receiptKinds.refunded, ['退款', 'Refunded']],
        [receiptKinds.reversed, ['冲销', 'Reversal']],
      ],
      tones: { 1: 'good', 2: 'warning', 7: 'danger' },
    }),
    amount: LedgerPosting.fields.amount,
    state: Select({
      title: ['状态', 'Status'],
      form: false,
      search: true,
      options: [
        [receiptStates.awaiting, ['待复核', 'Pending approval']],
        [receiptStates.recorded, ['已入账', 'Recorded']],
        [receiptStates.refused, ['已驳回', 'Rejected']],
        [receiptStates.reversed, ['已冲销', 'Reversed']],
      ],
      tones: { 0: 'brand', 1: 'good', 2: 'neutral', 3: 'warning' },
    }),
    remark: LedgerPosting.fields.remark,
    voucher: LedgerPosting.fields.voucher,
    /** Entry of the ledger, once recorded. */
    entryId: Nullable(Id({ title: ['分录编号', 'Entry ID'], search: true })),
    /** Entry that this one reverses. */
    reverses: Nullable(Id({ title: ['被冲销分录', 'Reversed entry'], search: true })),
    requesterName: name(['登记人', 'Recorded by']),
    approverName: Nullable(name(['复核人', 'Approved by'])),
    reason: Nullable(Text({ title: ['驳回原因', 'Reason'], list: false })),
  },
  {
    belongsTo: { advertiserId: { entity: Advertiser } },
    ownership: { user: 'advertiserId.createUser', department: 'advertiserId.createDept' },
  },
);
export type ReceiptRow = RowOf<typeof Receipt>;

const { advertiserId, amount, remark, voucher } = LedgerPosting.fields;
const { list: postings, export: exported } = crud(moneyPath, LedgerPosting, { menu: ledgerMenu.code });

/** Ledger of a tenant's advertisers. */
export const ledger = {
  entity: LedgerPosting,
  menu: ledgerMenu.code,
  list: postings,
  export: exported,
  /** Records money received from an advertiser; a negative amount is a refund. Above the limit it waits for approval by another user. */
  submit: post(`${moneyPath}/submit`, {
    title: ['登记收退款', 'Record receipt or refund'],
    access: { code: 'receipt_add' },
    effect: 'saved',
    input: Type.Object({ advertiserId, amount, remark, voucher: Type.Optional(voucher) }, { additionalProperties: false }),
    reply: Receipt.row,
  }),
  /** Recomputes all sums; returns only those that do not match. */
  check: get(`${moneyPath}/check`, { title: ['核对账目', 'Check the ledger'], access: { code: ledgerMenu.code }, input: NoInput, reply: LedgerMismatches }),
};

const receiptPath = '/api/things-task/receipt';
const mayApproveReceipts = { code: 'receipt_approve' };
const { list: receipts, detail: receiptDetail, export: receiptExport } = crud(receiptPath, Receipt, { menu: receiptMenu.code });

export const receipt = {
  entity: Receipt,
  menu: receiptMenu.code,
  list: receipts,
  detail: receiptDetail,
  export: receiptExport,
  /** Reverses a receipt or a refund by an opposite entry, once. Above the limit it waits for approval by another user. */
  reverse: post(`${receiptPath}/reverse`, {
    title: ['冲销', 'Reverse'],
    access: { code: 'receipt_add' },
    input: Type.Object({ id: Id(), remark }),
    reply: Receipt.row,
  }),
  /** Records a receipt that waits for approval. Requires another user than the one who recorded it. */
  approve: post(`${receiptPath}/approve`, { title: ['复核收退款', 'Approve receipt'], access: mayApproveReceipts, input: ById, reply: Receipt.row }),
  reject: post(`${receiptPath}/reject`, {
    title: ['驳回收退款', 'Reject receipt'],
    access: mayApproveReceipts,
    input: Type.Object({ id: Id(), reason: Receipt.fields.reason }),
    reply: NoContent,
  }),
};

const payPath = '/api/things-task/weixinpay';

const StartedPayout = Type.Object({ id: Id(), payNo: Type.Unsafe<string>({ type: 'string' }), state: Int });
const { list: payouts, export: payoutExport } = crud(payPath, Payout, { menu: payoutMenu.code });
const mayApprove = { code: 'payout_approve' };

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
    input: Type.Object({ ...BatchIds.properties, ids: Type.Optional(BatchIds.properties.ids), id: Type.Optional(Id()), expected: Expected }),
    reply: withBatchResult(Type.Object({ payNo: Type.Unsafe<string>({ type: 'string' }), state: Int, payouts: Type.Array(StartedPayout) })),
  }),
};

export const payout = {
  entity: Payout,
  menu: payoutMenu.code,
  list: payouts,
  export: payoutExport,
  /** Requires another user than the one who started the payment. */
  approve: post(`${payPath}/approve`, {
    title: ['复核通过', 'Approve payouts'],
    access: mayApprove,
    input: Type.Object({ ...BatchIds.properties, expected: Expected }),
    reply: BatchReply,
  }),
  reject: post(`${payPath}/refuse`, {
    title: ['复核驳回', 'Reject payout'],
    access: mayApprove,
    input: Type.Object({ id: Id(), reason: Payout.fields.reason }),
    reply: NoContent,
  }),
};
