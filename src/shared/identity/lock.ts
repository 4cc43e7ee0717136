import * as Type from 'typebox';
import { NoContent, post } from '../contract/contract.ts';

const password = Type.Unsafe<string>({ type: 'string', maxLength: 512 });

/**
 * Calls that lock and unlock the user's screen. While it is locked the server refuses every other call of the session with 423, except signing out and refreshing
 * the token.
 */
export const screenLock = {
  /** Locks the screen. With an empty password, as when the screen locks itself, the user's sign-in password unlocks it. */
  lock: post('/api/things-auth/oauth/lock', { title: ['锁屏', 'Lock the screen'], access: 'signedIn', input: Type.Object({ password }), reply: NoContent }),
  unlock: post('/api/things-auth/oauth/unlock', {
    title: ['解锁', 'Unlock the screen'],
    access: 'signedIn',
    input: Type.Object({ password }),
    reply: NoContent,
  }),
};
