import { CrudPage, Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import { onlineMessages, onlineUsers } from '../contract.ts';
import { onlineMenu } from '../menus.ts';

const code = 'online_kick';

/** Lists the tenant's sessions and ends selected ones. */
export default function OnlinePage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const kick = async (ids: readonly string[], reload: () => void) => {
    const title = t(onlineMessages.kick);
    if (!(await dialogs.confirm({ title, content: t(onlineMessages.question), confirm: title, cancel: t(onlineMessages.cancel), danger: true }))) return;
    const response = await http.send(onlineUsers.kick, { ids: [...ids] });
    if (!response.success) return;
    toasts.success(t(onlineMessages.kicked, { count: response.data.count }));
    reload();
  };
  return (
    <CrudPage
      crud={onlineUsers}
      title={onlineMenu.title}
      fields={['account', 'realName', 'device', 'address', 'isOnline', 'lastUsedAt', 'createTime']}
      columns={{ createTime: { title: onlineMessages.signedIn } }}
      actions={{
        toolbar: [{ title: onlineMessages.kick, code, when: () => true, onClick: (ids, { reload }) => void kick(ids, reload) }],
        row: [{ title: onlineMessages.kick, code, onClick: ({ id }, { reload }) => void kick([id], reload) }],
      }}
    />
  );
}
