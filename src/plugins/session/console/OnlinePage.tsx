import { type BatchAction, CrudPage, Http, useService } from '#kernel';
import { onlineUsers } from '../contract.ts';
import { onlineMenu } from '../menus.ts';
import { onlineMessages } from './messages.ts';

const kickCode = 'online_kick';

/** Lists the tenant's sessions and ends selected ones. */
export default function OnlinePage() {
  const http = useService(Http);
  const kick: BatchAction = {
    title: onlineMessages.kick,
    question: { one: onlineMessages.questionOne, many: onlineMessages.question, isDangerous: true },
    done: onlineMessages.kicked,
    send: async (ids) => {
      const { success, data } = await http.send(onlineUsers.kick, { ids: [...ids], partial: true });
      // Sessions that have ended meanwhile are not counted.
      return success ? { ...data, done: data.count } : undefined;
    },
  };
  return (
    <CrudPage
      crud={onlineUsers}
      title={onlineMenu.title}
      empty={{ title: onlineMessages.noSessions, hint: onlineMessages.noSessionsHint }}
      fields={['account', 'realName', 'device', 'address', 'isOnline', 'lastUsedAt', 'createTime']}
      columns={{ createTime: { title: onlineMessages.signedIn } }}
      actions={{
        toolbar: [{ title: onlineMessages.kick, code: kickCode, when: () => true, onClick: (ids, { batch }) => batch(ids, kick) }],
        row: [{ title: onlineMessages.kick, code: kickCode, onClick: ({ id }, { batch }) => batch([id], kick) }],
      }}
    />
  );
}
