import { Object as Shape, Unsafe } from 'typebox';
import { Done, post } from './contract.ts';

const password = Unsafe<string>({ type: 'string', maxLength: 512 });

/** Locking one's own screen. While it is locked the server refuses every other call of the session with 423; signing out and refreshing its token stay allowed. */
export const screenLock = {
  /** An empty password is one's own: the screen that locked itself is unlocked with what one signs in with. */
  lock: post('/api/things-auth/oauth/lock', { title: ['锁屏', 'Lock the screen'], who: 'signedIn', input: Shape({ password }), reply: Done }),
  unlock: post('/api/things-auth/oauth/unlock', { title: ['解锁', 'Unlock the screen'], who: 'signedIn', input: Shape({ password }), reply: Done }),
};
