import { CrudPage, type CrudScreen, Http, Toasts, useService, useTranslation } from '#kernel';
import { payable, payoutStates, paySum } from '../contract.ts';
import { payMenu } from '../menus.ts';
import { paymentMessages } from './messages.ts';
import { useSumQuestion } from './use-sum-question.ts';

const { entity, menu, list, pay } = payable;
const question = { call: paySum, title: paymentMessages.pay, told: paymentMessages.payQuestion, unseen: paymentMessages.payUnseen } as const;

/** Lists approved work that is not paid yet. Payments started here are sent, or wait for approval by someone else. */
export default function PayPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const isMeant = useSumQuestion(question);
  const begin = async (ids: readonly string[], { reload }: Pick<CrudScreen, 'reload'>) => {
    if (!(await isMeant(ids))) return;
    const answer = await http.send(pay, { ids: [...ids] });
    if (!answer.success) return;
    toasts.success(t(answer.data.state === payoutStates.awaiting ? paymentMessages.awaits : paymentMessages.begun));
    reload();
  };
  return (
    <CrudPage
      crud={{ entity, menu, list }}
      title={payMenu.title}
      fields={['nickName', 'amount', 'taskTitle', 'auditorName', 'auditTime', 'payStatus', 'payError', 'platformAccount', 'submitTime']}
      columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true } }}
      actions={{
        toolbar: [{ title: paymentMessages.payChosen, when: () => true, onClick: (ids, screen) => void begin(ids, screen) }],
        row: [{ title: paymentMessages.pay, onClick: ({ id }, screen) => void begin([id], screen) }],
      }}
      details
    />
  );
}
