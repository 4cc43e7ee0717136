import { CrudPage, type CrudScreen, Http, Toasts, useService, useTranslation } from '#kernel';
import { payable, payoutStates, payTotal } from '../contract.ts';
import { payMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { useTotalConfirmation } from './use-total-confirmation.ts';

const { entity, menu, list, pay } = payable;
const confirmation = {
  call: payTotal,
  title: paymentMessages.pay,
  message: paymentMessages.payQuestion,
  messageWithoutAmount: paymentMessages.payQuestionWithoutAmount,
} as const;

/** Lists approved work that is not paid yet. Payments started here are sent, or wait for approval by someone else. */
export default function PayPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const confirmTotal = useTotalConfirmation(confirmation);
  const startPayment = async (ids: readonly string[], { reload }: Pick<CrudScreen, 'reload'>) => {
    if (!(await confirmTotal(ids))) return;
    const answer = await http.send(pay, { ids: [...ids] });
    if (!answer.success) return;
    toasts.success(t(answer.data.state === payoutStates.awaiting ? paymentMessages.awaitsApproval : paymentMessages.started));
    reload();
  };
  return (
    <CrudPage
      crud={{ entity, menu, list }}
      title={payMenu.title}
      fields={['nickName', 'amount', 'taskTitle', 'auditorName', 'auditTime', 'payStatus', 'payError', 'platformAccount', 'submitTime']}
      columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true } }}
      actions={{
        toolbar: [{ title: paymentMessages.paySelected, when: () => true, onClick: (ids, screen) => void startPayment(ids, screen) }],
        row: [{ title: paymentMessages.pay, onClick: ({ id }, screen) => void startPayment([id], screen) }],
      }}
      details
    />
  );
}
