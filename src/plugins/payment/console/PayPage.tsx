import { type BatchAction, CrudPage, type CrudScreen, Http, moneyText, Toasts, useService, useTranslation } from '#kernel';
import type { SubmissionRow } from '#plugins/task/contract';
import { Payout, payable, payoutStates, payTotal } from '../contract.ts';
import { payMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { expectedOf, taxText, useTotalConfirmation } from './use-total-confirmation.ts';

const { entity, menu, list, pay, payManually } = payable;
const manualCode = 'task_pay_manual';

const confirmation = {
  call: payTotal,
  title: paymentMessages.pay,
  message: paymentMessages.payQuestion,
  messageWithoutAmount: paymentMessages.payQuestionWithoutAmount,
} as const;

/** Lists approved work that is not paid yet. Payments started here are sent, or wait for approval by someone else. */
export default function PayPage() {
  const http = useService(Http);
  const openManual = useManualPayment();
  const send = useTotalConfirmation(confirmation, async (input) => {
    const answer = await http.send(pay, input);
    if (!answer.success || answer.data.state !== payoutStates.awaiting) return answer;
    return { ...answer, data: { ...answer.data, message: paymentMessages.awaitsApproval } };
  });
  const startPayment: BatchAction = { title: paymentMessages.pay, done: paymentMessages.started, send };
  return (
    <CrudPage
      crud={{ entity, menu, list }}
      title={payMenu.title}
      empty={{ title: paymentMessages.emptyTitle, hint: paymentMessages.emptyHint }}
      fields={['nickName', 'amount', 'taskTitle', 'advertiserId', 'auditorName', 'auditTime', 'payStatus', 'payError', 'platformAccount', 'submitTime']}
      columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true } }}
      actions={{
        toolbar: [
          { title: paymentMessages.paySelected, when: () => true, onClick: (ids, { batch }) => batch(ids, startPayment) },
          { title: payManually.title, code: manualCode, when: () => true, onClick: (ids, screen) => openManual(ids, screen) },
        ],
        row: [
          { title: paymentMessages.pay, isPrimary: true, onClick: ({ id }, { batch }) => batch([id], startPayment) },
          { title: payManually.title, code: manualCode, isSecondary: true, onClick: ({ id }, screen) => openManual([id], screen) },
        ],
      }}
      details
    />
  );
}

/** Returns a function that opens the form that records payments of work made outside of any provider, with their total; work that cannot be recorded is named instead. */
function useManualPayment(): (ids: readonly string[], screen: Pick<CrudScreen<SubmissionRow>, 'openRowAction'>) => Promise<void> {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  return async (ids, { openRowAction }) => {
    const sum = await http.send(payTotal, { ids: [...ids], manual: true });
    if (!sum.success) return;
    const { count, people, amount, rows, needsApproval } = sum.data;
    const [refused] = rows;
    if (refused)
      return toasts.error(refused.title === null ? refused.message : t(paymentMessages.manualRefused, { title: refused.title, reason: refused.message }));
    const total = t(amount === null ? paymentMessages.manualTotalWithoutAmount : paymentMessages.manualTotal, { count, people, sum: moneyText(amount ?? 0) });
    openRowAction(
      {},
      {
        title: payManually.title,
        note: `${total}${taxText(sum.data, t)}${needsApproval ? ` ${t(paymentMessages.willWait)}` : ''}`,
        confirm: paymentMessages.recordManual,
        done: (answer) => ('state' in answer && answer.state === payoutStates.awaiting ? paymentMessages.awaitsApproval : paymentMessages.recordedManual),
        call: payManually,
        entity: Payout,
        fields: ['voucher', 'remark'],
        input: { ids, expected: expectedOf(sum.data) },
      },
    );
  };
}
