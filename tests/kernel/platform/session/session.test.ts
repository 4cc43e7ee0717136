import { afterEach, describe, expect, rs, test } from '@rstest/core';
import { oauth, updatePassword } from '#shared/auth';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { RolesChanged, Session, SignedIn, SignedOut } from '../../../../src/kernel/platform/session/session.ts';
import { answer, inputOf, refusal, response, script } from '../../../support/scripted-transport.ts';
import { type TestCoreServices, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const key = 'test-session';
const stored = () => JSON.parse(localStorage.getItem(key) ?? 'null');

/** Dispatches the storage event that this browser gets when another tab has written. */
function fromAnotherTab(value: object | null): void {
  if (value) localStorage.setItem(key, JSON.stringify(value));
  else localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

/** Records the sign-ins and sign-outs that the session announces. */
function recordEvents({ listen }: TestCoreServices): string[] {
  const events: string[] = [];
  listen(SignedIn, ({ userId, tenantId }) => events.push(`in ${tenantId}/${userId}`));
  listen(SignedOut, ({ reason }) => events.push(`out ${reason}`));
  return events;
}

afterEach(() => {
  rs.useRealTimers();
});

const credentials = { tenantId: '000000', username: 'admin', password: 'secret' };

describe('session: sign in', () => {
  test('keeps both tokens in local storage and in cookies, with version, owner and time', async () => {
    const { session } = await testCoreServices({ signedIn: null });
    const before = Date.now();
    expect(await session.signIn(credentials)).toEqual({ success: true, passwordExpired: false });
    expect(stored()).toMatchObject({ version: 1, owner: '000000/1', accessToken: 'access-1', refreshToken: 'refresh-1' });
    expect(stored().savedAt).toBeGreaterThanOrEqual(before);
    expect(document.cookie).toContain('test-access-token=access-1');
    expect(document.cookie).toContain('test-refresh-token=refresh-1');
    expect(session.user).toMatchObject({ user_id: '1', roles: ['administrator'] });
    expect(Object.keys(session.user ?? {})).not.toContain('access_token');
  });

  test('a refused grant shows its message and stores nothing', async () => {
    const { session, toasts } = await testCoreServices({
      signedIn: null,
      answers: [response(oauth.token, 400, { error: 'invalid_grant', error_description: '用户名或密码错误' })],
    });
    expect(await session.signIn(credentials)).toEqual({ success: false, message: '用户名或密码错误' });
    expect(toasts.shown).toEqual(['error 用户名或密码错误']);
    expect(stored()).toBeNull();
    expect(session.user).toBeUndefined();
  });

  test('an error description with status 200 is a refusal too, and so is a grant without a token', async () => {
    const { session, transport, toasts } = await testCoreServices({
      signedIn: null,
      answers: [response(oauth.token, 200, { error_description: '验证码不正确' })],
    });
    expect((await session.signIn(credentials)).success).toBe(false);
    transport.answer(response(oauth.token, 200, {}));
    expect(await session.signIn(credentials)).toEqual({ success: false, message: '未知错误' });
    expect(toasts.shown).toEqual(['error 验证码不正确', 'error 未知错误']);
    expect(stored()).toBeNull();
  });

  test('the user stays marked with an expired password until it has been changed', async () => {
    const { session, transport } = await testCoreServices({
      signedIn: null,
      answers: [answer(oauth.token, tokenReply(1, { password_expired: true })), refusal(updatePassword, 400, '原密码不正确!')],
    });
    expect(await session.signIn(credentials)).toEqual({ success: true, passwordExpired: true });
    expect(await session.changePassword('a', 'b', 'b')).toEqual({ success: false, message: '原密码不正确!' });
    expect(session.user?.password_expired).toBe(true);
    transport.answer(answer(updatePassword, null));
    expect(await session.changePassword('a', 'b', 'c')).toEqual({ success: true });
    expect(transport.to(updatePassword).map(inputOf).at(-1)).toEqual({ oldPassword: 'a', newPassword: 'b', newPassword1: 'c' });
    expect(session.user?.password_expired).toBe(false);
    expect(stored().user.password_expired).toBe(false);
  });

  test('a reload restores the session; a record of another version or without a token is ignored', async () => {
    await testCoreServices();
    const again = await testCoreServices({ signedIn: null });
    expect(again.session.user?.user_id).toBe('1');
    const record = stored();
    localStorage.setItem(key, JSON.stringify({ ...record, version: 0 }));
    expect((await testCoreServices({ signedIn: null })).session.user).toBeUndefined();
    localStorage.setItem(key, JSON.stringify({ ...record, accessToken: '' }));
    expect((await testCoreServices({ signedIn: null })).session.accessToken).toBe('');
    localStorage.setItem(key, '{');
    expect((await testCoreServices({ signedIn: null })).session.user).toBeUndefined();
  });
});

describe('session: an empty token', () => {
  const emptyCookie = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the console writes it in this form.
    document.cookie = 'test-access-token=; path=/';
  };
  const emptied = {
    'in the record': () => localStorage.setItem(key, JSON.stringify({ ...stored(), accessToken: '' })),
    'in a record without one': () => localStorage.setItem(key, JSON.stringify({ ...stored(), accessToken: undefined })),
    'in the cookie': emptyCookie,
    'in the cookie alone': () => {
      localStorage.removeItem(key);
      emptyCookie();
    },
  };
  const leftovers = () => [
    ...Object.keys(localStorage).filter((name) => /session|lock/.test(name)),
    ...Object.keys(sessionStorage),
    ...document.cookie.split('; ').filter((cookie) => cookie.startsWith('test-')),
  ];

  for (const [where, empty] of Object.entries(emptied))
    test(`that a reload finds ${where} leaves nothing of the session`, async () => {
      await testCoreServices();
      localStorage.setItem('test-locked', '"000000/1"');
      localStorage.setItem('test-lock-untold', 'true');
      localStorage.setItem('test-theme', '"dark"');
      for (const name of ['menu', 'buttons', 'tabs:000000/1']) sessionStorage.setItem(`test-${name}`, '{}');
      empty();
      const reloaded = await testCoreServices({ signedIn: null });
      expect(reloaded.session.user).toBeUndefined();
      await rs.waitUntil(() => leftovers().length === 0);
      expect(localStorage.getItem('test-theme')).toBe('"dark"');
    });

  test('in the cookie is also detected by verify()', async () => {
    const kernel = await testCoreServices();
    const events = recordEvents(kernel);
    emptied['in the cookie']();
    expect(kernel.session.verify()).toBe(false);
    expect([events, leftovers()]).toEqual([['out elsewhere'], []]);
  });

  test('is cleared as well if no user is signed in here', async () => {
    const { session } = await testCoreServices({ signedIn: null });
    fromAnotherTab({ version: 1, owner: '000000/1', accessToken: '', refreshToken: 'left' });
    expect(session.verify()).toBe(false);
    expect(leftovers()).toEqual([]);
  });
});

describe('session: end', () => {
  test('signing out sends the token to the server, then clears everything', async () => {
    const kernel = await testCoreServices();
    const { session, transport } = kernel;
    const events = recordEvents(kernel);
    await session.signOut();
    expect(transport.to(oauth.logout)[0]?.headers['Things-Auth']).toBe('bearer access-1');
    expect([stored(), session.user, session.accessToken]).toEqual([null, undefined, '']);
    expect(document.cookie).not.toContain('access-1');
    expect(events).toEqual(['out chosen']);
  });

  test('signing out removes menus, tabs and lock of this window; a refused session keeps them for its page', async () => {
    const traces = () => [...Object.keys(sessionStorage), ...Object.keys(localStorage).filter((name) => /lock/.test(name))];
    const leaveTraces = () => {
      for (const name of ['menu', 'buttons', 'tabs:000000/1']) sessionStorage.setItem(`test-${name}`, '{}');
      localStorage.setItem('test-lock-untold', 'true');
    };
    const { session } = await testCoreServices();
    leaveTraces();
    await session.signOut();
    expect(traces()).toEqual([]);
    await session.signIn(credentials);
    leaveTraces();
    session.end('refused');
    expect(traces()).toContain('test-tabs:000000/1');
    const other = await testCoreServices({ manifest: { expiredSession: 'signIn' } });
    leaveTraces();
    other.session.end('refused');
    expect(traces()).toEqual([]);
  });

  test('signing out succeeds even if the server cannot be reached', async () => {
    const { session } = await testCoreServices({
      answers: [
        script(oauth.logout, () => {
          throw new TransportError('offline');
        }),
      ],
    });
    await session.signOut();
    expect(session.user).toBeUndefined();
  });

  test('signing out in another tab signs out here, and an emptied token is detected by verify()', async () => {
    const kernel = await testCoreServices();
    const { session } = kernel;
    const events = recordEvents(kernel);
    fromAnotherTab(null);
    expect(session.user).toBeUndefined();
    expect(events).toEqual(['out elsewhere']);
    await session.signIn(credentials);
    localStorage.setItem(key, JSON.stringify({ ...stored(), accessToken: '' }));
    expect(session.verify()).toBe(false);
    expect(events.at(-1)).toBe('out elsewhere');
  });

  test('another account in another tab replaces this one, as a sign-out and a sign-in', async () => {
    const kernel = await testCoreServices();
    const { session } = kernel;
    const events = recordEvents(kernel);
    fromAnotherTab({ ...stored(), owner: '000000/2', accessToken: 'theirs', user: { ...stored().user, user_id: '2' } });
    expect(session.user?.user_id).toBe('2');
    expect(session.accessToken).toBe('theirs');
    expect(events).toEqual(['out elsewhere', 'in 000000/2']);
    expect(stored().accessToken).toBe('theirs');
  });

  test('signing in in another tab signs in here', async () => {
    const first = await testCoreServices();
    const record = stored();
    await first.session.signOut();
    fromAnotherTab(record);
    expect(first.session.user?.user_id).toBe('1');
  });
});

describe('session: acting as one of several', () => {
  test('requests a token with both headers, even right after a refresh, and emits one event', async () => {
    const { session, transport, listen } = await testCoreServices({ signedIn: tokenReply(1, { role_id: '7,8', dept_id: '3,4' }) });
    const events: string[] = [];
    listen(RolesChanged, ({ userId }) => events.push(userId));
    transport.answer(answer(oauth.token, tokenReply(2, { role_id: '8', role_name: 'auditor', dept_id: '4' })));
    expect(await session.actAs({ deptId: '4', roleId: '8' })).toBe(true);
    expect(transport.to(oauth.token).at(-1)?.headers).toMatchObject({ 'Dept-Id': '4', 'Role-Id': '8' });
    expect(session.user).toMatchObject({ roles: ['auditor'], dept_id: '4' });
    transport.answer(answer(oauth.token, tokenReply(3, { role_id: '8', role_name: 'auditor', dept_id: '4' })));
    await session.refresh();
    expect(transport.to(oauth.token).at(-1)?.headers).not.toHaveProperty('Dept-Id');
    expect(events).toEqual(['1']);
  });

  test('can be refused without ending the session', async () => {
    const { session, transport } = await testCoreServices();
    transport.answer(response(oauth.token, 400, { error_description: 'no' }));
    expect(await session.actAs({ deptId: '4', roleId: '8' })).toBe(false);
    expect(session.user).toBeTruthy();
  });
});

describe('session: refresh', () => {
  test('happens when the token has reached its age, checked every ten seconds', async () => {
    rs.useFakeTimers();
    const { session, transport, core } = await testCoreServices();
    transport.answer(answer(oauth.token, tokenReply(2)));
    await rs.advanceTimersByTimeAsync(2_990_000);
    expect(transport.to(oauth.token).length).toBe(0);
    await rs.advanceTimersByTimeAsync(10_000);
    expect(transport.to(oauth.token).length).toBe(1);
    expect(session.accessToken).toBe('access-2');
    expect(stored().refreshToken).toBe('refresh-2');
    await rs.advanceTimersByTimeAsync(2_990_000);
    expect(transport.to(oauth.token).length).toBe(1);
    core.dispose();
  });

  test('by the timer ends the session when refused, and waits without an answer', async () => {
    rs.useFakeTimers();
    const { session, transport, core } = await testCoreServices();
    transport.answer(
      script(oauth.token, () => {
        throw new TransportError('unreachable');
      }),
    );
    await rs.advanceTimersByTimeAsync(3_010_000);
    expect(session.user).toBeDefined();
    transport.answer(response(oauth.token, 400, { error_description: '登录已过期，请重新登录' }));
    await rs.advanceTimersByTimeAsync(10_000);
    expect(session.user).toBeUndefined();
    core.dispose();
  });

  test('adopts a newer token that another tab has stored, without a request', async () => {
    const { session, transport } = await testCoreServices();
    localStorage.setItem(key, JSON.stringify({ ...stored(), accessToken: 'access-9', refreshToken: 'refresh-9' }));
    expect(await session.refresh()).toBe(true);
    expect(session.accessToken).toBe('access-9');
    expect(transport.to(oauth.token)).toEqual([]);
  });

  test('that loses the race against another tab continues with the token of the winner', async () => {
    const { session, transport } = await testCoreServices();
    transport.answer(
      script(oauth.token, () => {
        localStorage.setItem(key, JSON.stringify({ ...stored(), accessToken: 'access-9', refreshToken: 'refresh-9' }));
        return { status: 400, body: { error_description: '登录已过期，请重新登录' } };
      }),
    );
    expect(await session.refresh()).toBe(true);
    expect(session.accessToken).toBe('access-9');
  });

  test('is one request for two tabs that share the lock of the browser', async () => {
    const restore = withLocks();
    const first = await testCoreServices();
    const second = await testCoreServices({ signedIn: null });
    let grants = 1;
    const granting = script(oauth.token, async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { status: 200, body: tokenReply(++grants) };
    });
    first.transport.answer(granting);
    second.transport.answer(granting);
    expect(await Promise.all([first.session.refresh(), second.session.refresh(), second.session.refresh()])).toEqual([true, true, true]);
    expect(grants).toBe(2);
    expect(second.session.accessToken).toBe('access-2');
    restore();
  });

  test('by another tab is waited for if its storage event arrives after the lock', async () => {
    const restore = withLocks();
    const { session, transport } = await testCoreServices();
    const record = stored();
    let release = (): void => undefined;
    void navigator.locks.request('test-refresh', () => new Promise<void>((resolve) => (release = resolve)));
    const refreshed = session.refresh();
    await new Promise((resolve) => setTimeout(resolve));
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    localStorage.setItem('test-session', JSON.stringify({ ...record, accessToken: 'access-2', refreshToken: 'refresh-2' }));
    window.dispatchEvent(new StorageEvent('storage', { key: 'test-session' }));
    expect(await refreshed).toBe(true);
    expect(session.accessToken).toBe('access-2');
    expect(transport.to(oauth.token)).toEqual([]);
    restore();
  });

  test.each([
    ['two tabs with Web Locks', true],
    ['one tab without them', false],
  ])('never sends a token twice, for any number of requests: %s', async (_, isShared) => {
    const restore = isShared ? withLocks() : () => undefined;
    const tabs = [await testCoreServices(), ...(isShared ? [await testCoreServices({ signedIn: null })] : [])];
    const sent: unknown[] = [];
    for (const { transport } of tabs) {
      transport.answer(
        script(oauth.token, async (request) => {
          sent.push(inputOf(request).refresh_token);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { status: 200, body: tokenReply(sent.length + 1) };
        }),
      );
    }
    const attempts = tabs.flatMap(({ session }) => [
      session.actAs({ deptId: '4', roleId: '8' }),
      session.actAs({ deptId: '3', roleId: '7' }),
      session.refresh(),
      session.refresh(),
    ]);
    expect(await Promise.all(attempts)).toEqual(attempts.map(() => true));
    for (const { session } of tabs) await session.refresh();
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent).size).toBe(sent.length);
    restore();
  });

  test('that is answered after a sign-out stores nothing', async () => {
    const { session, transport } = await testCoreServices();
    let release: () => void = () => undefined;
    transport.answer(
      script(
        oauth.token,
        () =>
          new Promise((resolve) => {
            release = () => resolve({ status: 200, body: tokenReply(2) });
          }),
      ),
    );
    const refreshing = session.refresh();
    await new Promise((resolve) => setTimeout(resolve));
    await session.signOut();
    release();
    expect(await refreshing).toBe(false);
    expect([stored(), session.user]).toEqual([null, undefined]);
  });

  test('without a session is refused without a request', async () => {
    const { core, transport } = await testCoreServices({ signedIn: null });
    expect(await core.get(Session).refresh()).toBe(false);
    expect(transport.requests).toEqual([]);
  });
});

type Work = (lock: object | null) => Promise<unknown>;

/** Fakes the Web Locks of a browser as far as they are used: one holder per name at a time. */
function withLocks(): () => void {
  let tail: Promise<unknown> = Promise.resolve();
  let held = 0;
  const inTurn = (work: (lock: object) => Promise<unknown>) => {
    held += 1;
    const turn = tail.then(() => work({})).finally(() => (held -= 1));
    tail = turn.catch(() => undefined);
    return turn;
  };
  const request = (_: string, ...[first, work]: [Work] | [{ ifAvailable: true }, Work]) => {
    if (typeof first === 'function') return inTurn(first);
    return held > 0 ? Promise.resolve(work?.(null)) : inTurn(work as Work);
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  return () => Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
}
