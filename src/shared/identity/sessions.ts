import type { Static } from 'typebox';
import * as Type from 'typebox';
import { entity, get, Ids, NoContent, NoInput, post } from '../contract/contract.ts';
import { DateTime, Flag, Id, Text } from '../contract/fields.ts';

export { SessionEnded, type SessionEnding } from './session-ended.ts';

const text = Type.Unsafe<string>({ type: 'string' });

const OwnSession = Type.Object({
  id: Id(),
  /** Label derived from the user agent: `Chrome 130 · Windows`. */
  device: text,
  address: text,
  createTime: text,
  lastUsedAt: text,
  /** True for the session of the request. */
  isCurrent: Type.Boolean(),
});

/** A session of the caller. */
export type OwnSession = Static<typeof OwnSession>;

/** Calls for the caller's own sessions on all devices, the current one first, then by last use. */
export const ownSessions = {
  list: get('/api/blade-auth/session/list', { title: ['我的登录设备', 'My sessions'], access: 'signedIn', input: NoInput, reply: Type.Array(OwnSession) }),
  /** Ends sessions. Ids that do not exist, belong to another user or have ended are ignored. */
  end: post('/api/blade-auth/session/end', {
    title: ['下线设备', 'End sessions'],
    access: 'signedIn',
    input: Ids,
    reply: Type.Object({ count: Type.Integer() }),
  }),
  endOthers: post('/api/blade-auth/session/end-others', {
    title: ['下线其他设备', 'End all other sessions'],
    access: 'signedIn',
    input: NoInput,
    reply: Type.Object({ count: Type.Integer() }),
  }),
};

/** An active session of the tenant, as administrators see it. */
export const OnlineUser = entity('online_user', {
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
});

/** Unlocks accounts that were locked by too many failed sign-ins. */
export const unlockUsers = post('/api/blade-system/user/unlock', {
  title: ['解锁账号', 'Unlock accounts'],
  access: { code: 'user_unlock' },
  input: Type.Object({ userIds: Ids.properties.ids }),
  reply: NoContent,
});
