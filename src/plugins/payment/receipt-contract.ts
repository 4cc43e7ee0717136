import * as Type from 'typebox';
import { Advertiser } from '#plugins/base-data/contract';
import { ById, crud, entity, NoContent, post, type RowOf } from '#shared/contract';
import { Id, Nullable, Select, Text } from '#shared/fields';
import { LedgerPosting } from './ledger-contract.ts';
import { entryKinds } from './ledger-terms-contract.ts';
import { receiptMenu } from './menus.ts';

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
const receiptPath = '/api/things-task/receipt';
const mayApproveReceipts = { code: 'receipt_approve' };
const { list: receipts, detail: receiptDetail, export: receiptExport } = crud(receiptPath, Receipt, { menu: receiptMenu.code });

export const receipt = {
  entity: Receipt,
  menu: receiptMenu.code,
  list: receipts,
  detail: receiptDetail,
  export: receiptExport,
  /** Records money received from an advertiser; a negative amount is a refund. Above the limit it waits for approval by another user. */
  submit: post('/api/things-task/ledger/submit', {
    title: ['登记收退款', 'Record receipt or refund'],
    access: { code: 'receipt_add' },
    effect: 'saved',
    input: Type.Object({ advertiserId, amount, remark, voucher: Type.Optional(voucher) }, { additionalProperties: false }),
    reply: Receipt.row,
  }),
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
