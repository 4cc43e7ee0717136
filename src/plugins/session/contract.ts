import { Integer, Object as Shape } from 'typebox';
import { Ids, list, post } from '#shared/contract';
import { OnlineUser } from '#shared/sessions';
import type { Words } from '#shared/text';

export { resetSecondFactor } from '#shared/second-factor';
export { unlockUsers } from '#shared/sessions';

/** Who of the tenant is signed in; an administrator may end any of these sessions. `createTime` is when it began. */
export const onlineUsers = {
  entity: OnlineUser,
  menu: 'online',
  list: list('/api/blade-system/online/list', OnlineUser, { code: 'online' }, ['在线用户', 'Online users']),
  kick: post('/api/blade-system/online/kick', {
    title: ['强制下线', 'End sessions'],
    who: { code: 'online_kick' },
    input: Ids,
    reply: Shape({ count: Integer() }),
  }),
};

/** What only the console says of online users. */
export const onlineWords = {
  kick: ['强制下线', 'End session'],
  question: ['确定将所选用户强制下线？', 'End the selected sessions? Anyone signed in there is signed out at once.'],
  cancel: ['取消', 'Cancel'],
  begun: ['登录时间', 'Signed in'],
  kicked: ['已下线 {count} 个会话', 'Sessions ended: {count}'],
} as const satisfies Record<string, Words>;
