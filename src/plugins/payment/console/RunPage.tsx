import {
  type Answer,
  type BatchAction,
  type BatchOutcome,
  CrudPage,
  Dialogs,
  Http,
  moneyText,
  type PendingRowAction,
  Session,
  useService,
  useTranslation,
} from '#kernel';
import type { LocalizedText } from '#shared/text';
import { type PaymentRunRow, paymentRun, runStates } from '../contract.ts';
import { paymentRunMenu } from '../menus.ts';
import { nouns, paymentMessages, runMessages } from './messages.ts';
import { expectedOf, taxText } from './use-total-confirmation.ts';

const { total, approve, reject, retry, close, shares: _shares, ...crud } = paymentRun;
const approveCode = 'payout_approve';
const payCode = 'task_pay';
const rejectAction: PendingRowAction = {
  title: runMessages.rejectTitle,
  confirm: paymentMessages.reject,
  done: paymentMessages.rejected,
  call: reject,
  fields: ['reason'],
};
const hasFailed = ({ state }: PaymentRunRow) => state === runStates.failed;

/** Lists payment runs. Top task: approve one as a whole, 2 clicks; its record shows the shares of the advertisers and the payouts. */
export default function RunPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const own = useService(Session).user?.user_id;
  const t = useTranslation();
  // Users cannot approve what they have requested themselves.
  const isAwaiting = ({ state, createUser }: PaymentRunRow) => state === runStates.awaiting && createUser !== own;
  const isConfirmed = (title: LocalizedText, content: string) =>
    dialogs.confirm({ title: t(title), content, confirm: t(title), cancel: t(paymentMessages.cancel) });
  const approval = ({ id }: PaymentRunRow): BatchAction => ({
    title: paymentMessages.approve,
    done: paymentMessages.approved,
    send: async () => {
      const sum = await http.send(total, { id });
      if (!sum.success) return undefined;
      const { count, people, amount } = sum.data;
      const message = amount === null ? paymentMessages.approveQuestionWithoutAmount : paymentMessages.approveQuestion;
      const question = `${t(message, { count, people, sum: moneyText(amount ?? 0) })}${taxText(sum.data, t)}`;
      if (!(await isConfirmed(paymentMessages.approve, question))) return undefined;
      return (await http.send(approve, { id, expected: expectedOf(sum.data) })).success ? null : undefined;
    },
  });
  const asked = (title: LocalizedText, done: LocalizedText, content: string, send: () => Promise<Answer<BatchOutcome | null>>): BatchAction => ({
    title,
    done,
    send: async () => {
      if (!(await isConfirmed(title, content))) return undefined;
      const answer = await send();
      return answer.success ? answer.data : undefined;
    },
  });
  const retrial = ({ id, runNo }: PaymentRunRow) =>
    asked(runMessages.retry, paymentMessages.started, t(runMessages.retryQuestion, { runNo }), () => http.send(retry, { id }));
  const closing = ({ id, runNo, failed }: PaymentRunRow) =>
    asked(runMessages.close, runMessages.closed, t(runMessages.closeQuestion, { runNo, count: failed }), () => http.send(close, { id }));
  return (
    <CrudPage
      crud={crud}
      title={paymentRunMenu.title}
      empty={{ title: runMessages.emptyTitle, hint: runMessages.emptyHint }}
      noun={nouns.run}
      fields={fields}
      columns={{
        ...Object.fromEntries(hidden.map((name) => [name, { hidden: true }])),
        requesterName: { render: ({ requesterName }) => requesterName || t(paymentMessages.automatic) },
      }}
      actions={{
        row: [
          {
            title: paymentMessages.approve,
            code: approveCode,
            when: isAwaiting,
            isPrimary: true,
            onClick: (row, { batch }) => batch([row.id], approval(row)),
          },
          { title: paymentMessages.reject, code: approveCode, when: isAwaiting, onClick: (row, { openRowAction }) => openRowAction(row, rejectAction) },
          { title: runMessages.retry, code: payCode, when: hasFailed, onClick: (row, { batch }) => batch([row.id], retrial(row)) },
          { title: runMessages.close, code: payCode, when: hasFailed, onClick: (row, { batch }) => batch([row.id], closing(row)) },
        ],
      }}
    />
  );
}

const fields = [
  'runNo',
  'state',
  'paid',
  'payouts',
  'amount',
  'paidAmount',
  'people',
  'advertisers',
  'awaiting',
  'processing',
  'failed',
  'refused',
  'requesterName',
  'approverName',
  'createTime',
  'reason',
] as const;
const hidden = ['payouts', 'paidAmount', 'awaiting', 'processing', 'failed', 'refused', 'approverName'] as const;
