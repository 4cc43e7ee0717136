import { afterEach, describe, expect, test } from '@rstest/core';
import { oauth } from '#shared/auth';
import { LiveOpened } from '#shared/live';
import { menuButtons } from '#shared/menus';
import { SessionEnded } from '#shared/sessions';
import { bootConsole } from '../../../../src/kernel/boot/boot.ts';
import { Http } from '../../../../src/kernel/platform/http/http.ts';
import { SignedOut, SwitchedElsewhere } from '../../../../src/kernel/platform/session/session.ts';
import { ScriptedStreams } from '../../../support/scripted-streams.ts';
import { answer, inputOf, response } from '../../../support/scripted-transport.ts';
import { testCoreServices, testKernel, tokenReply } from '../../../support/test-kernel.ts';

const key = 'test-session';
const stored = () => JSON.parse(localStorage.getItem(key) ?? 'null');

/** Dispatches the storage event that this browser gets when another tab has written. */
function fromAnotherTab(value: object | null): void {
  if (value) localStorage.setItem(key, JSON.stringify(value));
  else localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

const somebodyElse = () => ({ ...stored(), owner: '000000/2', accessToken: 'access-2', user: { ...stored().user, user_id: '2', real_name: '行者' } });

afterEach(() => localStorage.clear());

describe('a sign-in', () => {
  const grant = { grant_type: 'totp', tenantId: '000000', mfa_token: 'm1', code: '123456' };

  test('that requires a second factor shows no toast and continues with it', async () => {
    const { session, transport, toasts } = await testCoreServices({
      signedIn: null,
      answers: [response(oauth.token, 400, { error: 'mfa_required', error_description: '请输入二次验证码', mfa_token: 'm1' })],
    });
    expect(await session.signIn({ tenantId: '000000', username: 'admin', password: 'secret' })).toMatchObject({
      success: false,
      secondFactor: { token: 'm1', methods: ['totp'] },
    });
    expect(toasts.shown).toEqual([]);
    expect(stored()).toBeNull();
    transport.answer(answer(oauth.token, tokenReply(1)));
    expect(await session.signInBy(grant)).toEqual({ success: true, passwordExpired: false });
    expect(inputOf(transport.to(oauth.token).at(-1) as never)).toMatchObject({ ...grant, scope: 'all' });
    expect(session.user?.user_id).toBe('1');
  });

  test.each(['', '-1'])('with an identity of user "%s" stores nothing and returns the data for a registration', async (user_id) => {
    const reply = tokenReply('guest', { user_id, refresh_token: '', oauth_id: '7' });
    const { session } = await testCoreServices({ signedIn: null, answers: [answer(oauth.token, reply)] });
    expect(await session.signInBy({ grant_type: 'social', tenantId: '000000', source: 'github' })).toMatchObject({
      success: false,
      guest: { oauth_id: '7', access_token: 'access-guest' },
    });
    expect(stored()).toBeNull();
    expect(session.user).toBeUndefined();
  });
});

describe('a session', () => {
  test('is removed from this browser before the server has answered the sign-out', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { session, transport } = await testCoreServices({ answers: [answer(oauth.logout, () => held.then(() => null))] });
    const leaving = session.signOut();
    expect(stored()).toBeNull();
    expect(document.cookie).not.toContain('access-1');
    expect(session.accessToken).toBe('');
    expect(transport.to(oauth.logout)[0]?.headers).toMatchObject({ 'Things-Auth': 'bearer access-1' });
    release();
    await leaving;
  });

  test('that the server ends live shows the reason, here and in other tabs', async () => {
    const kernel = await testCoreServices();
    const streams = new ScriptedStreams(kernel.transport);
    const heard: unknown[] = [];
    kernel.listen(SignedOut, (how) => heard.push(how));
    const console = bootConsole(kernel.core, []);
    await console.settled;
    const stream = await streams.next();
    stream.send(LiveOpened, { build: 'b1', permissions: 'p1', resumed: false }, '100');
    stream.send(SessionEnded, { reason: 'kicked' });
    await streams.settled(() => heard.length > 0);
    expect(heard).toEqual([{ reason: 'refused', ending: 'kicked' }]);
    expect(localStorage.getItem('test-session-ended')).toContain('kicked');
    console.dispose();
  });

  test('that has ended gets the reason from the refused refresh, before any live event', async () => {
    const kernel = await testKernel();
    const heard: unknown[] = [];
    kernel.listen(SignedOut, (how) => heard.push(how));
    kernel.transport.answer(response(menuButtons, 401, { code: 401, success: false, msg: '登录已过期', data: null }));
    kernel.transport.answer(response(oauth.token, 400, { error: 'invalid_grant', error_description: '登录已过期，请重新登录', ending: 'reused' }));
    await kernel.get(Http).send(menuButtons, {});
    expect(heard).toEqual([{ reason: 'refused', ending: 'reused' }]);
    expect(stored()).toBeNull();
    expect(kernel.toasts.shown).toEqual([]);
  });

  test('that was refused in another tab is refused here with its reason; a sign-out there is a sign-out here', async () => {
    const { listen } = await testCoreServices();
    const heard: unknown[] = [];
    listen(SignedOut, (how) => heard.push(how));
    const record = stored();
    localStorage.setItem('test-session-ended', JSON.stringify({ owner: '000000/1', ending: 'password-changed' }));
    fromAnotherTab(null);
    fromAnotherTab(record);
    localStorage.removeItem('test-session-ended');
    fromAnotherTab(null);
    expect(heard).toEqual([{ reason: 'refused', ending: 'password-changed' }, { reason: 'elsewhere' }]);
  });

  test('that is ended from outside of this browser keeps its page; a change by another tab takes precedence', async () => {
    const kernel = await testCoreServices();
    const streams = new ScriptedStreams(kernel.transport);
    const heard: unknown[] = [];
    kernel.listen(SignedOut, (how) => heard.push(how));
    const console = bootConsole(kernel.core, []);
    await console.settled;
    const stream = await streams.next();
    const again = { ...stored(), accessToken: 'access-9' };
    localStorage.setItem(key, JSON.stringify(again));
    stream.send(SessionEnded, { reason: 'kicked' });
    await streams.settled(() => kernel.session.accessToken === 'access-9');
    expect(heard).toEqual([]);
    stream.send(SessionEnded, { reason: 'logged-out' });
    await streams.settled(() => heard.length > 0);
    expect(heard).toEqual([{ reason: 'refused', ending: 'logged-out' }]);
    console.dispose();
  });
});

describe('another account in another tab', () => {
  test('is announced with both names, and only if it is another account', async () => {
    const { listen } = await testCoreServices();
    const heard: unknown[] = [];
    listen(SwitchedElsewhere, (names) => heard.push(names));
    const record = stored();
    fromAnotherTab(null);
    fromAnotherTab(record);
    expect(heard).toEqual([]);
    fromAnotherTab(somebodyElse());
    expect(heard).toEqual([{ from: '管理员', to: '行者' }]);
  });

  test('gets no requests of the previous console', async () => {
    const { get, transport } = await testKernel();
    const http = get(Http);
    expect(await http.send(menuButtons, {})).toMatchObject({ success: true });
    fromAnotherTab(somebodyElse());
    const asked = transport.requests.length;
    await expect(http.send(menuButtons, {})).rejects.toMatchObject({ fault: 'cancelled' });
    expect(transport.requests.length).toBe(asked);
  });
});
