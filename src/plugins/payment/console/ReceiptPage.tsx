import { type BatchAction, CrudPage, Dialogs, Http, moneyText, type PendingRowAction, Session, useService, useTranslation } from '#kernel';
import { type ReceiptRow, receipt, receiptKinds, receiptStates } from '../contract.ts';
import { receiptMenu } from '../menus.ts';
import { nouns, receiptMessages, recordedMessage } from './messages.ts';

const { approve, reject, reverse, ...crud } = receipt;
const approveCode = 'receipt_approve';
const kinds = {
  [receiptKinds.received]: receiptMessages.received,
  [receiptKinds.refunded]: receiptMessages.refunded,
  [receiptKinds.reversed]: receiptMessages.reversed,
};
const reverseAction: PendingRowAction = {
  title: receiptMessages.reverseTitle,
  confirm: reverse.title,
  done: recordedMessage(receiptMessages.reversedNow),
  call: reverse,
  fields: ['remark'],
};
const isReversible = ({ state, kind }: ReceiptRow) => state === receiptStates.recorded && kind !== receiptKinds.reversed;
const rejectAction: PendingRowAction = {
  title: receiptMessages.rejectTitle,
  confirm: receiptMessages.reject,
  done: receiptMessages.rejected,
  call: reject,
  fields: ['reason'],
};

/** Lists receipts, refunds and their reversals. Top task: approve one, 2 clicks, beside its voucher and remark. */
export default function ReceiptPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const own = useService(Session).user?.user_id;
  const t = useTranslation();
  // Users cannot approve what they have recorded themselves.
  const isAwaiting = ({ state, createUser }: ReceiptRow) => state === receiptStates.awaiting && createUser !== own;
  const approval = ({ id, kind, amount }: ReceiptRow): BatchAction => ({
    title: receiptMessages.approve,
    done: receiptMessages.approved,
    send: async () => {
      const message = amount === undefined ? receiptMessages.approveQuestionWithoutAmount : receiptMessages.approveQuestion;
      const content = t(message, { kind: t(kinds[kind as keyof typeof kinds]), amount: moneyText(Math.abs(amount ?? 0)) });
      const question = { title: t(receiptMessages.approve), content, confirm: t(receiptMessages.approve), cancel: t('shell.cancel') };
      if (!(await dialogs.confirm(question))) return undefined;
      return (await http.send(approve, { id })).success ? null : undefined;
    },
  });
  return (
    <CrudPage
      crud={crud}
      title={receiptMenu.title}
      noun={nouns.receipt}
      fields={[
        'receiptNo',
        'advertiserId',
        'kind',
        'amount',
        'state',
        'remark',
        'voucher',
        'requesterName',
        'approverName',
        'createTime',
        'entryId',
        'reverses',
        'reason',
      ]}
      columns={{ receiptNo: { width: 200 }, advertiserId: { width: 190 }, entryId: { hidden: true }, reverses: { hidden: true } }}
      savedMessage={recordedMessage(receiptMessages.recorded)}
      actions={{
        add: receipt.submit.title,
        edit: () => false,
        row: [
          {
            title: receiptMessages.approve,
            code: approveCode,
            when: isAwaiting,
            isPrimary: true,
            onClick: (row, { batch }) => batch([row.id], approval(row)),
          },
          { title: receiptMessages.reject, code: approveCode, when: isAwaiting, onClick: (row, { openRowAction }) => openRowAction(row, rejectAction) },
          {
            title: reverse.title,
            code: 'receipt_add',
            when: isReversible,
            isSecondary: true,
            onClick: (row, { openRowAction }) => openRowAction(row, reverseAction),
          },
        ],
      }}
    />
  );
}
