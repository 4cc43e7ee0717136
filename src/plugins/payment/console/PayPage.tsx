import { type BatchAction, CrudPage, Http, useService } from '#kernel';
import { payable, payoutStates, payTotal } from '../contract.ts';
import { payMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { useManualPayment } from './use-manual-payment.ts';
import { useTotalConfirmation } from './use-total-confirmation.ts';

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
          { title: paymentMessages.paySelected, when: () => true, onClick: (ids, { batch }) => void batch(ids, startPayment) },
          { title: payManually.title, code: manualCode, when: () => true, onClick: (ids, screen) => void openManual(ids, screen) },
        ],
        row: [
          { title: paymentMessages.pay, isPrimary: true, onClick: ({ id }, { batch }) => void batch([id], startPayment) },
          { title: payManually.title, code: manualCode, isSecondary: true, onClick: ({ id }, screen) => void openManual([id], screen) },
        ],
      }}
      details
    />
  );
}
