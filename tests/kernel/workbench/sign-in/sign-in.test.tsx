import { afterEach, beforeEach, describe, expect, test } from '@rstest/core';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { authProblems, oauth, updatePassword } from '#shared/auth';
import type { Manifest } from '#shared/manifest';
import { signInOptions } from '#shared/sign-in-options';
import { Root } from '../../../../src/kernel/boot/Root.tsx';
import type { SignInMethod } from '../../../../src/kernel/workbench/sign-in/steps/sign-in-method.ts';
import { answer, inputOf, response, type ScriptedAnswer } from '../../../support/scripted-transport.ts';
import { sampleMethods } from '../../../support/sign-in-page.tsx';
import { testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const asked = answer(oauth.captcha, { key: 'k1', image: 'data:image/svg+xml,<svg/>' });
const notAsked = answer(oauth.captcha, { key: '', image: '' });

// Set up once, because it listens on the document permanently.
const user = userEvent.setup({ pointerEventsCheck: 0 });

interface Page {
  readonly answers?: readonly ScriptedAnswer[];
  readonly address?: string;
  readonly signedIn?: Parameters<typeof tokenReply>[1] | null;
  readonly manifest?: Partial<Manifest>;
  readonly signInMethods?: readonly SignInMethod[];
}

/** Opens the sign-in page on a scripted network; behind it is a console that only says so. */
async function open({ answers = [asked], address = '/login', signedIn = null, manifest = {}, signInMethods = [] }: Page = {}) {
  history.replaceState(null, '', address);
  const kernel = await testCoreServices({ answers, manifest, signInMethods, signedIn: signedIn && tokenReply(1, signedIn) });
  const closed: string[] = [];
  const fetched: number[] = [];
  const fetchConsole = async () => {
    fetched.push(Date.now());
    return () => ({ screen: <p>the console</p>, close: () => void closed.push('closed') });
  };
  render(<Root core={kernel.core} fetchConsole={fetchConsole} />);
  return { ...kernel, closed, fetched };
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' });
const submit = () => screen.getByRole('button', { name: '登录' });

async function fill(code?: string) {
  await user.type(field('用户名'), ' admin ');
  await user.type(field('密码'), 'secret1');
  if (code) await user.type(field('验证码'), code);
  await user.click(submit());
}

beforeEach(() => cleanup());
afterEach(() => cleanup());

const work = { algorithm: 'SHA-256', challenge: 'c', salt: 's', signature: 'g', maxnumber: 9 };
const askedForWork = answer(oauth.captcha, { key: 'k1', image: 'data:image/png;base64,', work });

/** Installs a worker that ends as the test says. */
function workerThat(ends: (worker: Pick<Worker, 'onmessage' | 'onerror'>) => void): () => void {
  const own = globalThis.Worker;
  class ScriptedWorker {
    onmessage: Worker['onmessage'] = null;
    onerror: Worker['onerror'] = null;
    postMessage(): void {
      ends(this as unknown as Worker);
    }
    terminate(): void {}
  }
  globalThis.Worker = ScriptedWorker as unknown as typeof Worker;
  return () => {
    globalThis.Worker = own;
  };
}
const reports = (worker: Pick<Worker, 'onmessage'>) => worker.onmessage?.call(worker as Worker, new MessageEvent('message', { data: { number: 7 } }));

describe('the proof of work', () => {
  let restore = (): void => undefined;
  afterEach(() => restore());

  test('runs without a request of the user and signs in, with no code to read', async () => {
    restore = workerThat(reports);
    const { transport } = await open({ answers: [askedForWork] });
    await screen.findByText('正在自动验证，已完成 0%');
    expect(screen.queryByLabelText('验证码', { selector: 'input' })).toBeNull();
    expect(document.activeElement).toBe(field('用户名'));
    await user.type(field('用户名'), 'a');
    await screen.findByText('自动验证已完成');
    await fill();
    await screen.findByText('the console');
    const headers = transport.to(oauth.token)[0]?.headers ?? {};
    expect(JSON.parse(atob(String(headers['Captcha-Code'])))).toEqual({ algorithm: 'SHA-256', challenge: 'c', salt: 's', signature: 'g', number: 7 });
  });

  test('delays a form that was submitted before it is done', async () => {
    let finish = (): void => undefined;
    restore = workerThat((worker) => {
      finish = () => reports(worker);
    });
    const { transport } = await open({ answers: [askedForWork] });
    await fill();
    await screen.findByRole('button', { name: /正在登录/ });
    expect(transport.to(oauth.token)).toEqual([]);
    await waitFor(() => {
      finish();
      expect(transport.to(oauth.token)).toHaveLength(1);
    });
    await screen.findByText('the console');
  });

  test('falls back to the picture on failure, and submits nothing by itself', async () => {
    restore = workerThat((worker) => worker.onerror?.call(worker as Worker, new ErrorEvent('error')));
    const { transport } = await open({ answers: [askedForWork] });
    await fill();
    await screen.findByLabelText('验证码', { selector: 'input' });
    await screen.findByText('请输入验证码');
    await user.type(field('验证码'), 'abcde');
    expect(transport.to(oauth.token)).toEqual([]);
    await user.click(submit());
    await screen.findByText('the console');
    expect(transport.to(oauth.token)[0]?.headers).toMatchObject({ 'Captcha-Key': 'k1', 'Captcha-Code': 'abcde' });
  });

  test('is renewed before its challenge runs out', async () => {
    restore = workerThat(reports);
    const own = window.setTimeout;
    const renewals: (() => void)[] = [];
    window.setTimeout = ((work: () => void, ms?: number) => (ms === 25 * 60_000 ? renewals.push(work) : own(work, ms))) as typeof window.setTimeout;
    const { transport } = await open({ answers: [askedForWork] });
    await waitFor(() => expect(renewals).toHaveLength(1));
    window.setTimeout = own;
    renewals[0]?.();
    await waitFor(() => expect(transport.to(oauth.captcha)).toHaveLength(2));
    await fill();
    await screen.findByText('the console');
  });

  test('can be replaced by the picture, and the reverse', async () => {
    restore = workerThat(reports);
    await open({ answers: [askedForWork] });
    await user.click(await screen.findByRole('button', { name: '改用图片验证码' }));
    await waitFor(() => expect(document.activeElement).toBe(field('验证码')));
    await user.click(await screen.findByRole('button', { name: '看不清图片？改用自动验证' }));
    await screen.findByText('自动验证已完成');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '改用图片验证码' })));
  });
});

describe('the sign-in page', () => {
  test('reports missing input at each field and focuses the first', async () => {
    const { transport } = await open();
    await user.click(submit());
    for (const message of ['请输入用户名', '请输入密码', '请输入验证码']) expect(screen.getByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(field('用户名'));
    expect(field('用户名').getAttribute('aria-invalid')).toBe('true');
    expect(transport.to(oauth.token)).toEqual([]);
    expect(document.title).toBe('登录');
  });

  test('has the attributes that password managers look for', async () => {
    await open();
    expect(field('用户名').autocomplete).toBe('username');
    expect(field('密码').autocomplete).toBe('current-password');
    expect(field('密码').form).toBe(field('用户名').form);
  });

  test('sends the code with its key, remembers the account and never the password', async () => {
    const { transport, session } = await open();
    await screen.findByAltText('验证码图片');
    await fill('abcde');
    await screen.findByText('the console');
    const [request] = transport.to(oauth.token);
    expect(request?.headers).toMatchObject({ 'Captcha-Key': 'k1', 'Captcha-Code': 'abcde' });
    expect(inputOf(request as NonNullable<typeof request>)).toMatchObject({ username: 'admin' });
    expect(JSON.stringify({ ...localStorage })).not.toContain('secret1');
    await session.signOut();
    await screen.findByRole('button', { name: '登录' });
    expect([field('用户名').value, field('密码').value]).toEqual(['admin', '']);
  });

  test('asks for no code where the deployment has none', async () => {
    const { transport } = await open({ answers: [notAsked] });
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await screen.findByText('the console');
    expect(transport.to(oauth.token)[0]?.headers).not.toHaveProperty('Captcha-Key');
  });

  test('signs in once the server says that no code is required, if the form was submitted before', async () => {
    let reply = (): void => undefined;
    const answered = new Promise<void>((resolve) => (reply = resolve));
    const [path, script] = notAsked;
    const { transport } = await open({ answers: [[path, (request) => answered.then(() => script(request))]] });
    await fill();
    await screen.findByRole('button', { name: /正在登录/ });
    expect(transport.to(oauth.token)).toEqual([]);
    reply();
    await screen.findByText('the console');
    expect(transport.to(oauth.token)).toHaveLength(1);
  });

  test('reports a refused code, loads a new one and focuses it', async () => {
    const message = authProblems.wrongCaptcha.message[0];
    const { transport } = await open({ answers: [asked, response(oauth.token, 400, { error: 'invalid', error_description: message })] });
    await fill('wrong');
    await screen.findByText(message);
    await waitFor(() => expect(document.activeElement).toBe(field('验证码')));
    expect(field('验证码').value).toBe('');
    expect(field('密码').value).toBe('secret1');
    expect(transport.to(oauth.captcha)).toHaveLength(2);
  });

  test('focuses the password after wrong credentials, with the error as its description', async () => {
    const message = authProblems.wrongCredentials.message[0];
    const { toasts } = await open({ answers: [notAsked, response(oauth.token, 400, { error: 'invalid', error_description: message })] });
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await screen.findByText(message);
    await waitFor(() => expect(document.activeElement).toBe(field('密码')));
    const described = field('密码').getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(message);
    expect(toasts.shown).toEqual([`error ${message}`]);
  });

  test('ignores a second click during a request', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { transport } = await open({ answers: [notAsked, answer(oauth.token, () => held.then(() => tokenReply()))] });
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await user.click(screen.getByRole('button', { name: '正在登录…' }));
    release();
    await screen.findByText('the console');
    expect(transport.to(oauth.token)).toHaveLength(1);
  });

  test('warns about Caps Lock while the password is typed', async () => {
    await open();
    await user.type(field('密码'), '{CapsLock}A');
    expect(screen.getByText('大写锁定已打开')).toBeTruthy();
    await user.keyboard('{CapsLock}a');
    expect(screen.queryByText('大写锁定已打开')).toBeNull();
  });

  test('can show the password', async () => {
    await open();
    await user.click(screen.getByRole('button', { name: '显示密码' }));
    expect(field('密码').type).toBe('text');
    await user.click(screen.getByRole('button', { name: '隐藏密码' }));
    expect(field('密码').type).toBe('password');
  });

  test('switches the language with one click and keeps the input', async () => {
    await open();
    await user.type(field('用户名'), 'ad');
    await user.click(screen.getByRole('button', { name: 'English' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy());
    expect(field('Account').value).toBe('ad');
    expect(document.title).toBe('Sign in');
  });

  test('loads the rest of the console once the user starts typing', async () => {
    const { fetched } = await open();
    expect(fetched).toEqual([]);
    await user.type(field('用户名'), 'a');
    expect(fetched.length).toBeGreaterThan(0);
  });
});

describe('the sign-in redirect', () => {
  test('returns to the requested address', async () => {
    await open({ answers: [notAsked], address: '/system/param/index?size=30' });
    await waitFor(() => expect(location.pathname).toBe('/login'));
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await screen.findByText('the console');
    expect(location.pathname + location.search).toBe('/system/param/index?size=30');
  });

  test('opens the console at once for a signed-in user, and never /login', async () => {
    await open({ signedIn: {} });
    await screen.findByText('the console');
    expect(location.pathname).toBe('/');
  });

  test('closes the console on sign-out and drops the address', async () => {
    const { session, closed } = await open({ answers: [notAsked], signedIn: {}, address: '/system/param/index' });
    await screen.findByText('the console');
    await session.signOut();
    await screen.findByRole('button', { name: '登录' });
    expect(closed).toEqual(['closed']);
    expect(location.pathname).toBe('/login');
    expect(screen.queryByText('登录已失效，请重新登录')).toBeNull();
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await screen.findByText('the console');
    expect(location.pathname).toBe('/');
  });

  test('shows an expired session in a dialog over the page, which stays for the same user', async () => {
    const { session, closed } = await open({ answers: [notAsked], signedIn: {}, address: '/system/param/index' });
    await screen.findByText('the console');
    session.end('refused');
    await screen.findByText('登录已过期');
    expect(location.pathname).toBe('/login');
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await waitFor(() => expect(screen.queryByText('登录已过期')).toBeNull());
    expect(screen.getByText('the console')).toBeTruthy();
    expect(location.pathname).toBe('/system/param/index');
    expect(closed).toEqual([]);
  });

  test('offers all sign-in methods for an expired session, but no other account', async () => {
    const ways = { tenantMode: false, sms: true, social: [], sso: false, providers: [], guests: true, register: true, passkey: false };
    const { session } = await open({
      answers: [notAsked, answer(signInOptions, ways)],
      signInMethods: sampleMethods,
      signedIn: {},
      address: '/system/param/index',
    });
    await screen.findByText('the console');
    session.end('refused');
    await screen.findByRole('button', { name: '手机号' });
    expect(screen.queryByRole('button', { name: '没有账号？申请注册' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: '换用其他账号登录' }));
    await screen.findByRole('button', { name: '没有账号？申请注册' });
  });

  test('closes the page when another user wants to sign in', async () => {
    const { session, closed } = await open({ answers: [notAsked], signedIn: {}, address: '/system/param/index' });
    await screen.findByText('the console');
    session.end('refused');
    await userEvent.click(await screen.findByRole('button', { name: '换用其他账号登录' }));
    await screen.findByText('登录已失效，请重新登录');
    expect(screen.queryByText('the console')).toBeNull();
    expect(closed).toEqual(['closed']);
  });

  test('clears an expired session where the deployment says so, opens the sign-in page, and returns afterwards', async () => {
    const { session, closed } = await open({ answers: [notAsked], signedIn: {}, address: '/system/param/index', manifest: { expiredSession: 'signIn' } });
    await screen.findByText('the console');
    sessionStorage.setItem('test-tabs:000000/1', '{}');
    sessionStorage.setItem('test-menu', '{}');
    session.end('refused');
    await screen.findByText('登录已失效，请重新登录');
    expect([screen.queryByText('the console'), screen.queryByText('登录已过期'), closed]).toEqual([null, null, ['closed']]);
    expect([location.pathname, localStorage.getItem('test-session'), Object.keys(sessionStorage), document.cookie]).toEqual(['/login', null, [], '']);
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await screen.findByText('the console');
    expect(location.pathname).toBe('/system/param/index');
  });

  test('opens error pages without a session', async () => {
    await open({ address: '/404' });
    expect(screen.getByRole('heading', { name: '页面不存在' })).toBeTruthy();
    expect(location.pathname).toBe('/404');
  });
});

describe('a password that must be changed', () => {
  const expired = answer(oauth.token, tokenReply(1, { password_expired: true }));

  test('is changed in the same card, with the old one known, before the console opens', async () => {
    const { transport } = await open({ answers: [notAsked, expired, answer(updatePassword, null)] });
    await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
    await fill();
    await screen.findByRole('heading', { name: '请先设置新密码' });
    expect(screen.queryByText('the console')).toBeNull();
    expect(screen.queryByLabelText('原密码')).toBeNull();
    await user.type(field('新密码'), 'fresh-pass-9');
    await user.type(field('确认新密码'), 'fresh-pass-9');
    await user.click(screen.getByRole('button', { name: '保存新密码' }));
    await screen.findByText('the console');
    const sent = inputOf(transport.to(updatePassword)[0] as never);
    expect(sent).toMatchObject({ oldPassword: 'secret1', newPassword: 'fresh-pass-9', newPassword1: 'fresh-pass-9' });
  });

  test('asks for the old one after a reload, and lists each rule', async () => {
    const { transport } = await open({ signedIn: { password_expired: true } });
    const save = () => user.click(screen.getByRole('button', { name: '保存新密码' }));
    await save();
    for (const message of ['请输入原密码', '请输入新密码', '请再次输入新密码']) expect(screen.getByText(message)).toBeTruthy();
    await user.type(field('原密码'), 'secret1');
    await user.type(field('新密码'), 'short1');
    await user.type(field('确认新密码'), 'other');
    await save();
    for (const message of ['该密码不符合要求', '两次密码输入不一致']) expect(screen.getByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(field('新密码'));
    expect(transport.to(updatePassword)).toEqual([]);
  });
});

test('the lock page without a session redirects to the sign-in page', async () => {
  await open({ address: '/lock' });
  await user.click(await screen.findByRole('button', { name: '去登录' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
  expect(submit()).toBeTruthy();
});
