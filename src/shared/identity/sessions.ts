import * as Type from 'typebox';
import { entity, Ids, NoContent, post } from '../contract/contract.ts';
import { DateTime, Flag, Id, Text } from '../contract/fields.ts';

export { SessionEnded, type SessionEnding } from './session-ended.ts';

/** An active session of the tenant, as administrators see it. */
export const OnlineUser = entity(
  'online_user',
  {
    id: Id(),
    account: Text({ title: ['账号', 'Account'], maxLength: 64, search: true }),
    realName: Text({ title: ['姓名', 'Name'], maxLength: 64, search: true }),
    userId: Id({ title: ['用户编号', 'User ID'] }),
    device: Text({ title: ['设备', 'Device'] }),
    address: Text({ title: ['登录地址', 'Address'], maxLength: 64, search: true }),
    clientId: Text({ title: ['客户端', 'Client'], maxLength: 64, list: false }),
    lastUsedAt: DateTime({ title: ['最近使用', 'Last used'], search: true, sort: true }),
    /** True if used within the last ten minutes. */
    isOnline: Flag({ title: ['在线', 'Online'], search: true }),
  },
  { versioned: false },
);

/** Unlocks accounts that were locked by too many failed sign-ins. */
export const unlockUsers = post('/api/blade-system/user/unlock', {
  title: ['解锁账号', 'Unlock accounts'],
  access: { code: 'user_unlock' },
  input: Type.Object({ userIds: Ids.properties.ids }),
  reply: NoContent,
});
