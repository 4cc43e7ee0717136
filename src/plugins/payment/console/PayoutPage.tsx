import { CrudPage, type CrudScreen, Http, type PendingRowAction, Toasts, useService, useTranslation } from '#kernel';
import { approvalSum, type PayoutRow, payout, payoutStates } from '../contract.ts';
import { payoutMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { useSumQuestion } from './use-sum-question.ts';

const { approve, refuse, ...calls } = payout;
const refusal: PendingRowAction = {
  title: paymentMessages.refusing,
  confirm: paymentMessages.refuse,
  done: paymentMessages.refused,
  call: refuse,
  fields: ['reason'],
};
const question = { call: approvalSum, title: paymentMessages.approve, told: paymentMessages.approveQuestion, unseen: paymentMessages.approveUnseen } as const;
const code = 'payout_approve';
const awaits = ({ state }: PayoutRow) => state === payoutStates.awaiting;

/** Lists payouts with their state; those above the limit wait here for approval by someone else. */
export default function PayoutPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const isMeant = useSumQuestion(question);
  const approving = async (ids: readonly string[], { reload }: Pick<CrudScreen<PayoutRow>, 'reload'>) => {
    if (!(await isMeant(ids))) return;
    if (!(await http.send(approve, { ids: [...ids] })).success) return;
    toasts.success(t(paymentMessages.approved));
    reload();
  };
  return (
    <CrudPage
      crud={calls}
      title={payoutMenu.title}
      fields={[
        'nickName',
        'state',
        'amount',
        'taskTitle',
        'advertiserId',
        'payNo',
        'channel',
        'note',
        'requesterName',
        'approverName',
        'createTime',
        'paidTime',
        'reason',
      ]}
      columns={{ approverName: { hidden: true }, requesterName: { render: ({ requesterName }) => requesterName || t(paymentMessages.automatic) } }}
      actions={{
        toolbar: [{ title: paymentMessages.approveChosen, code, when: awaits, onClick: (ids, screen) => void approving(ids, screen) }],
        row: [
          { title: paymentMessages.approve, code, when: awaits, onClick: ({ id }, screen) => void approving([id], screen) },
          { title: paymentMessages.refuse, code, when: awaits, onClick: (row, { ask }) => ask(row, refusal) },
        ],
      }}
      details
    />
  );
}
