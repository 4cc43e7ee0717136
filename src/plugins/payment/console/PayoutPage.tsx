import { useNavigate } from 'react-router-dom';
import { type BatchAction, CrudPage, Dialogs, Http, type PendingRowAction, Session, useRowsLink, useService, useTranslation } from '#kernel';
import { auditRecords } from '#plugins/task/contract';
import { rowsOf } from '#shared/figures';
import { approvalTotal, type PayoutRow, payout, payoutStates } from '../contract.ts';
import { payoutMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { outcomeActions } from './outcome-actions.ts';
import { useTotalConfirmation } from './use-total-confirmation.ts';

const { approve, reject, reverse, ...crud } = payout;
const rejectAction: PendingRowAction = {
  title: paymentMessages.rejectTitle,
  confirm: paymentMessages.reject,
  done: paymentMessages.rejected,
  call: reject,
  fields: ['reason'],
};
const reverseAction: PendingRowAction = {
  title: paymentMessages.reverseTitle,
  confirm: reverse.title,
  done: paymentMessages.reversed,
  call: reverse,
  fields: ['remark'],
};
const manualChannel = 5;
const approveConfirmation = {
  call: approvalTotal,
  title: paymentMessages.approve,
  message: paymentMessages.approveQuestion,
  messageWithoutAmount: paymentMessages.approveQuestionWithoutAmount,
} as const;
const approveCode = 'payout_approve';
const isReversible = ({ state, channel }: PayoutRow) => state === payoutStates.paid && channel === manualChannel;
const isAwaiting = ({ state }: PayoutRow) => state === payoutStates.awaiting;

/** Lists payouts with their state. Payouts above the limit wait until another user approves or rejects them. */
export default function PayoutPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const own = useService(Session).user?.user_id;
  const t = useTranslation();
  const navigate = useNavigate();
  const linkOf = useRowsLink();
  const proofOf = ({ payNo }: PayoutRow) => linkOf(rowsOf(auditRecords, { payNo }));
  const send = useTotalConfirmation(approveConfirmation, (input) => http.send(approve, input));
  const approval: BatchAction = { title: paymentMessages.approve, done: paymentMessages.approved, send };
  return (
    <CrudPage
      crud={crud}
      title={payoutMenu.title}
      empty={{ title: paymentMessages.noPayouts, hint: paymentMessages.noPayoutsHint }}
      fields={[
        'nickName',
        'state',
        'amount',
        'withheld',
        'netAmount',
        'taskTitle',
        'advertiserId',
        'payNo',
        'channel',
        'accountKind',
        'accountMask',
        'note',
        'outcome',
        'outcomeNo',
        'outcomeDay',
        'remark',
        'voucher',
        'recorderName',
        'outcomeApproverName',
        'requesterName',
        'approverName',
        'createTime',
        'paidTime',
        'reason',
      ]}
      columns={{
        accountKind: { hidden: true },
        withheld: { hidden: true },
        netAmount: { hidden: true },
        outcome: { hidden: true },
        outcomeNo: { hidden: true },
        outcomeDay: { hidden: true },
        remark: { hidden: true },
        voucher: { hidden: true },
        recorderName: { hidden: true },
        outcomeApproverName: { hidden: true },
        approverName: { hidden: true },
        requesterName: { render: ({ requesterName }) => requesterName || t(paymentMessages.automatic) },
      }}
      actions={{
        toolbar: [{ title: paymentMessages.approveSelected, code: approveCode, when: isAwaiting, onClick: (ids, { batch }) => batch(ids, approval) }],
        row: [
          { title: paymentMessages.approve, code: approveCode, when: isAwaiting, isPrimary: true, onClick: ({ id }, { batch }) => batch([id], approval) },
          { title: paymentMessages.reject, code: approveCode, when: isAwaiting, onClick: (row, { openRowAction }) => openRowAction(row, rejectAction) },
          {
            title: reverse.title,
            code: approveCode,
            isSecondary: true,
            when: (row) => isReversible(row) && row.createUser !== own,
            onClick: (row, { openRowAction }) => openRowAction(row, reverseAction),
          },
          ...outcomeActions({ http, dialogs, t, own }),
          { title: paymentMessages.proof, when: (row) => proofOf(row) !== undefined, onClick: (row) => void navigate(proofOf(row) ?? '') },
        ],
      }}
      details
    />
  );
}
