import * as Type from 'typebox';
import { BatchIds, list, post, withBatchResult } from '#shared/contract';
import { OnlineUser } from '#shared/sessions';

export { resetSecondFactor } from '#shared/second-factor';
export { unlockUsers } from '#shared/sessions';

/** Sessions of the tenant's users; an administrator can end any of them. `createTime` is the time of the sign-in. */
export const onlineUsers = {
  entity: OnlineUser,
  menu: 'online',
  list: list('/api/blade-system/online/list', OnlineUser, { code: 'online' }, ['在线用户', 'Online users']),
  kick: post('/api/blade-system/online/kick', {
    title: ['强制下线', 'End sessions'],
    access: { code: 'online_kick' },
    input: BatchIds,
    reply: withBatchResult(Type.Object({ count: Type.Integer() })),
  }),
};
