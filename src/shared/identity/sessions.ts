import type { Static } from 'typebox';
import * as Type from 'typebox';
import { entity, get, Ids, NoContent, post } from '../contract/contract.ts';
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

/** Unlocks accounts that were locked by too many failed sign-ins, or because their users have left an identity provider. */
export const unlockUsers = post('/api/blade-system/user/unlock', {
  title: ['解锁账号', 'Unlock accounts'],
  access: { code: 'user_unlock' },
  input: Type.Object({ userIds: Ids.properties.ids }),
  reply: NoContent,
});

const text = Type.Unsafe<string>({ type: 'string' });

const UserSession = Type.Object({ id: Id(), device: text, address: text, createTime: text, lastUsedAt: text, isCurrent: Type.Boolean() });

/** State of an account at sign-in, as those who manage it see it. */
const AccountState = Type.Object({
  /** End of the longest lock after failed sign-ins. */
  lockedUntil: Type.Optional(text),
  /** True while the user must sign in at the identity provider that has created the account. */
  isProviderLocked: Type.Optional(Type.Boolean()),
  /** The last successful sign-in, if the log still has one. */
  lastSignIn: Type.Optional(Type.Object({ time: text, address: text, device: text })),
  hasSecondFactor: Type.Boolean(),
  /** End of a one-time password that the user has not changed yet. */
  passwordUntil: Type.Optional(text),
  /** Sessions, the last used one first, for callers with the code `online`. */
  sessions: Type.Optional(Type.Array(UserSession)),
});
/** State of an account in a reply. */
export type AccountState = Static<typeof AccountState>;

/** Calls about the sign-in of one account. Accounts with more permissions than the caller are refused. */
export const accountAccess = {
  state: get('/api/blade-system/user/access', {
    title: ['用户登录状态', 'Sign-in state of a user'],
    access: { code: 'user' },
    input: Type.Object({ userId: Id() }),
    reply: AccountState,
  }),
  /** Ends the given sessions of the user, or all but the caller's own. */
  endSessions: post('/api/blade-system/user/end-sessions', {
    title: ['下线用户', 'End sessions of a user'],
    access: { code: 'online_kick' },
    input: Type.Object({ userId: Id(), ids: Type.Optional(Ids.properties.ids) }),
    reply: Type.Object({ count: Type.Integer() }),
  }),
};
