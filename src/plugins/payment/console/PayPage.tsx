import { CrudPage, type CrudScreen, Dialogs, Http, Toasts, useService, useWords } from '#kernel';
import { payable, payoutStates } from '../contract.ts';
import { payMenu } from '../menus.ts';
import { words } from './words.ts';

const { entity, menu, list, pay } = payable;

/** Approved work that is not paid yet. What is paid for here is on its way, or waits for somebody else's approval. */
export default function PayPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const say = useWords();
  const begin = async (ids: readonly string[], { reload }: Pick<CrudScreen, 'reload'>) => {
    if (ids.length === 0) return toasts.warning(say(words.chooseFirst));
    const title = say(words.pay);
    const content = say(words.payQuestion, { count: ids.length });
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: say(words.cancel) }))) return;
    const answer = await http.send(pay, { ids: [...ids] });
    if (answer.success) toasts.success(say(answer.data.state === payoutStates.awaiting ? words.awaits : words.begun));
    reload();
  };
  return (
    <CrudPage
      crud={{ entity, menu, list }}
      title={payMenu.title}
      fields={['taskTitle', 'nickName', 'amount', 'auditorName', 'auditTime', 'payStatus', 'payError', 'platformAccount', 'submitTime']}
      columns={{ submitTime: { hidden: true }, platformAccount: { hidden: true } }}
      actions={{
        toolbar: [{ title: words.payChosen, onClick: (ids, screen) => void begin(ids, screen) }],
        row: [{ title: words.pay, onClick: ({ id }, screen) => void begin([id], screen) }],
      }}
      details
    />
  );
}
