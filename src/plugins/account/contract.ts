import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, Ids, NoInput, post } from '#shared/contract';
import { Id } from '#shared/fields';

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
