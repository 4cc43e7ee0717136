import { CrudPage, Dialogs, Http, Toasts, useService, useWords } from '#kernel';
import { onlineUsers, onlineWords } from '../contract.ts';
import { onlineMenu } from '../menus.ts';

const code = 'online_kick';

/** Lists the tenant's sessions and ends selected ones. */
export default function OnlinePage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const say = useWords();
  const kick = async (ids: readonly string[], reload: () => void) => {
    const title = say(onlineWords.kick);
    if (!(await dialogs.confirm({ title, content: say(onlineWords.question), confirm: title, cancel: say(onlineWords.cancel), danger: true }))) return;
    const answer = await http.send(onlineUsers.kick, { ids: [...ids] });
    if (!answer.success) return;
    toasts.success(say(onlineWords.kicked, { count: answer.data.count }));
    reload();
  };
  return (
    <CrudPage
      crud={onlineUsers}
      title={onlineMenu.title}
      fields={['account', 'realName', 'device', 'address', 'isOnline', 'lastUsedAt', 'createTime']}
      columns={{ createTime: { title: onlineWords.begun } }}
      actions={{
        toolbar: [{ title: onlineWords.kick, code, when: () => true, onClick: (ids, { reload }) => void kick(ids, reload) }],
        row: [{ title: onlineWords.kick, code, onClick: ({ id }, { reload }) => void kick([id], reload) }],
      }}
    />
  );
}
