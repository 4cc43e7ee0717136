import { Object as Shape, Unsafe } from 'typebox';
import { Done, post } from '../contract/contract.ts';

const password = Unsafe<string>({ type: 'string', maxLength: 512 });

/**
 * Calls that lock and unlock the user's screen. While it is locked the server refuses every other call of the session with 423, except signing out and refreshing
 * the token.
 */
export const screenLock = {
  /** Locks the screen. With an empty password, as when the screen locks itself, the user's sign-in password unlocks it. */
  lock: post('/api/things-auth/oauth/lock', { title: ['锁屏', 'Lock the screen'], who: 'signedIn', input: Shape({ password }), reply: Done }),
  unlock: post('/api/things-auth/oauth/unlock', { title: ['解锁', 'Unlock the screen'], who: 'signedIn', input: Shape({ password }), reply: Done }),
};
