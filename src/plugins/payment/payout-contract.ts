import * as Type from 'typebox';
import { AdvertiserId } from '#plugins/base-data/contract';
import { Task } from '#plugins/task/contract';
import { BatchIds, BatchReply, crud, entity, filter, get, NoContent, post, type RowOf } from '#shared/contract';
import { DateOnly, DateTime, Id, Integer, Money, Nullable, Select, Text } from '#shared/fields';
import { payoutMenu } from './menus.ts';
import { accountKinds } from './payee-contract.ts';
import { PaymentRun } from './run-contract.ts';
import { voucherField } from './voucher-contract.ts';
import { Expected } from './work-contract.ts';

/** Names of providers by the channel of their payouts. */
export const channelTitles = [
  [1, ['沙箱', 'Sandbox']],
  [2, ['微信支付', 'WeChat Pay']],
  [3, ['支付宝', 'Alipay']],
  [4, ['银行文件', 'Bank file']],
  [5, ['线下付款', 'Manual']],
  [9, ['其他', 'Other']],
] as const;

/** States of a payout. */
export const payoutStates = { awaiting: 0, processing: 1, paid: 2, failed: 3, refused: 4, reversed: 5 } as const;

/** Outcomes that people record, as the states of payouts. */
export const payoutOutcomes = { paid: payoutStates.paid, unpaid: payoutStates.failed } as const;

/** Provider status of a payout whose order its provider no longer knows, so that a person records its outcome; no provider uses this value itself. */
export const unknownState = 'NOT_FOUND';

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
    /** End of the account, which is stored encrypted; null for WeChat. */
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
        [payoutStates.reversed, ['已冲销', 'Reversed']],
      ],
      tones: { 0: 'brand', 1: 'warning', 2: 'good', 3: 'danger', 4: 'neutral', 5: 'danger' },
    }),
    channel: Nullable(Select({ title: ['支付渠道', 'Channel'], form: false, search: true, options: channelTitles })),
    gateway: Text({ title: ['渠道配置', 'Gateway'], maxLength: 32, form: false, list: false }),
    providerNo: Nullable(Text({ title: ['渠道单号', 'Provider no.'], maxLength: 64, form: false, search: true, copyable: true })),
    providerState: Nullable(readOnlyText(['渠道状态', 'Provider status'])),
    tries: Integer({ title: ['询问次数', 'Attempts'], minimum: 0, form: false, list: false }),
    note: Nullable(Text({ title: ['说明', 'Note'], form: false })),
    /** Proof of a payment that was made outside of any provider, and what was said about it or its reversal. */
    voucher: Nullable(voucherField),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
    requesterName: readOnlyText(['申请人', 'Requested by']),
    approverName: Nullable(readOnlyText(['复核人', 'Approved by'])),
    reason: Nullable(Text({ title: ['驳回原因', 'Reason'], list: false })),
    /** Outcome that a person has recorded; while the payout is in process, it waits for approval. */
    outcome: Nullable(
      Select({
        title: ['登记结果', 'Recorded outcome'],
        form: false,
        search: true,
        options: [
          [payoutOutcomes.paid, ['已付', 'Paid']],
          [payoutOutcomes.unpaid, ['未付', 'Not paid']],
        ],
        tones: { 2: 'good', 3: 'danger' },
      }),
    ),
    outcomeNo: Nullable(readOnlyText(['登记的渠道单号', 'Recorded provider no.'])),
    outcomeDay: Nullable(DateOnly({ title: ['登记的付款日期', 'Recorded payment date'], form: false })),
    recordedBy: Nullable(Id({ title: ['结果登记人编号', 'ID of the outcome’s recorder'] })),
    recorderName: Nullable(readOnlyText(['结果登记人', 'Outcome recorded by'])),
    outcomeApproverName: Nullable(readOnlyText(['结果复核人', 'Outcome approved by'])),
    paidTime: Nullable(DateTime({ title: ['付款时间', 'Paid'], form: false, search: true, sort: true })),
  },
  {
    belongsTo: { taskId: { entity: Task }, batchNo: { entity: PaymentRun, field: 'runNo' } },
    ownership: { user: 'taskId.createUser', department: 'taskId.createDept' },
  },
);
export type PayoutRow = RowOf<typeof Payout>;

const payPath = '/api/things-task/weixinpay';
const { list, export: exported } = crud(payPath, Payout, { menu: payoutMenu.code });
const mayApprove = { code: 'payout_approve' };

export const payout = {
  entity: Payout,
  menu: payoutMenu.code,
  list,
  export: exported,
  /** Requires another user than the one who started the payment. */
  approve: post(`${payPath}/approve`, {
    title: ['复核通过', 'Approve payouts'],
    access: mayApprove,
    proof: 'fresh',
    input: Type.Object({ ...BatchIds.properties, expected: Expected }),
    reply: BatchReply,
  }),
  reject: post(`${payPath}/refuse`, {
    title: ['复核驳回', 'Reject payout'],
    access: mayApprove,
    input: Type.Object({ id: Id(), reason: Payout.fields.reason }),
    reply: NoContent,
  }),
  /**
   * Reverses a payment that was made outside of any provider: its money returns to the balance, and the submission can be paid again. Requires another user than the one
   * who recorded it.
   */
  reverse: post(`${payPath}/reverse`, {
    title: ['冲销付款', 'Reverse payment'],
    access: mayApprove,
    proof: 'fresh',
    input: Type.Object({ id: Id(), remark: Text({ title: ['备注', 'Remark'] }) }),
    reply: NoContent,
  }),
};

/** Payout that is about to start; amounts in 分. `withheld` is the tax to withhold: at least 0 and less than the amount. */
export interface PayoutToWithhold {
  readonly submissionId: string;
  readonly userId: string;
  readonly amount: number;
  readonly withheld: number;
}

/** Filters the tax that is withheld from payouts of one request, under the lock of the ledger. Nothing is withheld without a plugin that says so. */
export const PayoutWithholding = filter<readonly PayoutToWithhold[]>('payment:withholding');

const path = '/api/things-task/claim/payment';
const BySubmission = Type.Object({ id: Id({ title: ['提交编号', 'Submission ID'] }) });
const text = Type.Unsafe<string>({ type: 'string' });
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Routes with which the payee follows and confirms a payment in the mini-app. */
export const confirmation = {
  /** Returns the payment of a submission. `state` is the state of the payout and amounts are in 分: `netAmount` is what the payee receives, `withheld` the tax. While the payee has to confirm, pass `mchId`, `appId` and, as `package`, `packageInfo` to `wx.requestMerchantTransfer`. */
  detail: get(path, {
    title: ['我的付款', 'My payment'],
    access: 'signedIn',
    input: BySubmission,
    reply: Type.Object({
      payNo: text,
      state: Type.Unsafe<number>({ type: 'integer' }),
      amount: Type.Unsafe<number>({ type: 'integer' }),
      withheld: Type.Unsafe<number>({ type: 'integer' }),
      netAmount: Type.Unsafe<number>({ type: 'integer' }),
      mchId: nullableText,
      appId: nullableText,
      packageInfo: nullableText,
    }),
  }),
  /** Reports that the payee has confirmed or declined in WeChat, so that the server queries the result at once. */
  reportDecision: post(`${path}/answered`, { title: ['已在微信确认', 'Confirmed in WeChat'], access: 'signedIn', input: BySubmission, reply: NoContent }),
};
