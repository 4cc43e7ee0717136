import { describe, expect, rs, test } from '@rstest/core';
import { screenLock } from '#shared/lock';
import { MittBus } from '../../../../src/kernel/base/bus/mitt-bus.ts';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { SessionLocked } from '../../../../src/kernel/platform/http/http.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { ScreenLock } from '../../../../src/kernel/platform/lock/screen-lock.ts';
import { watchIdleness } from '../../../../src/kernel/workbench/lock/idle-watch.ts';
import { Preferences } from '../../../../src/kernel/workbench/state/preferences.ts';
import { answer, refusal, script } from '../../../support/scripted-transport.ts';
import { testCoreServices } from '../../../support/test-kernel.ts';

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const locked = () => localStorage.getItem('test-locked');

describe('the screen lock', () => {
  test('shows within 100 ms after the server has locked the session, and stores no password', async () => {
    const { core, transport } = await testCoreServices({ answers: [answer(screenLock.lock, null)] });
    const lock = core.get(ScreenLock);
    expect(await lock.lock('open sesame')).toEqual({ success: true });
    expect(lock.isLocked).toBe(false);
    await after(120);
    expect(lock.isLocked).toBe(true);
    expect(transport.requests.at(-1)?.path).toBe(screenLock.lock.path);
    expect(JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })).not.toContain('open sesame');
  });

  test('stays locked with a message when the server refuses the password, and opens when it accepts', async () => {
    const { core, transport, toasts } = await testCoreServices({ answers: [answer(screenLock.lock, null), refusal(screenLock.unlock, 400, '密码不正确')] });
    const lock = core.get(ScreenLock);
    core.get(MittBus).emit(SessionLocked, { path: '/' });
    expect(await lock.unlock('wrong')).toEqual({ success: false, message: '密码不正确' });
    expect([lock.isLocked, toasts.shown]).toEqual([true, []]);
    transport.answer(answer(screenLock.unlock, null));
    expect(await lock.unlock('right')).toEqual({ success: true });
    expect([lock.isLocked, locked()]).toEqual([false, null]);
  });

  test('follows another browser tab, both ways', async () => {
    const { core, session } = await testCoreServices();
    const lock = core.get(ScreenLock);
    const tell = (value: string | null) => {
      if (value === null) localStorage.removeItem('test-locked');
      else localStorage.setItem('test-locked', value);
      window.dispatchEvent(new StorageEvent('storage', { key: 'test-locked' }));
    };
    tell(JSON.stringify(`000000/${session.user?.user_id}`));
    expect(lock.isLocked).toBe(true);
    tell(null);
    expect(lock.isLocked).toBe(false);
  });

  test('shows at once after a reload, but only for the user who locked it', async () => {
    await testCoreServices();
    localStorage.setItem('test-locked', '"000000/7"');
    expect((await testCoreServices({ signedIn: null })).core.get(ScreenLock).isLocked).toBe(false);
    localStorage.setItem('test-locked', '"000000/1"');
    expect((await testCoreServices({ signedIn: null })).core.get(ScreenLock).isLocked).toBe(true);
  });

  test('of a signed-out user shows while the server does not answer, and opens only after the server has locked the session', async () => {
    const nobody = script(screenLock.lock, () => Promise.reject(new TransportError('unavailable', { code: 500 })));
    const { core, transport } = await testCoreServices({ answers: [nobody, answer(screenLock.unlock, null)] });
    const lock = core.get(ScreenLock);
    await lock.lockIdle();
    expect(lock.isLocked).toBe(true);
    expect(await lock.unlock('any')).toMatchObject({ success: false });
    expect(transport.to(screenLock.unlock)).toEqual([]);
    transport.answer(answer(screenLock.lock, null));
    await lock.lockIdle();
    const told = transport.to(screenLock.lock).length;
    await lock.lockIdle();
    expect(transport.to(screenLock.lock)).toHaveLength(told);
    expect(await lock.unlock('right')).toEqual({ success: true });
  });

  test('is cleared by signing in', async () => {
    localStorage.setItem('test-locked', '"000000/1"');
    expect((await testCoreServices()).core.get(ScreenLock).isLocked).toBe(false);
    expect(locked()).toBe(null);
  });

  test('ends with the session', async () => {
    const { core, session } = await testCoreServices();
    core.get(MittBus).emit(SessionLocked, { path: '/' });
    await session.signOut();
    expect([core.get(ScreenLock).isLocked, locked()]).toEqual([false, null]);
  });
});

describe('the idle watch', () => {
  test('locks without a password after the selected time without activity in any tab', async () => {
    rs.useFakeTimers();
    let locks = 0;
    const lock = { lockIdle: async () => void locks++ } as unknown as ScreenLock;
    const storage = new JsonStorage(localStorage, 'test-');
    const preferences = new Preferences(storage, 'shell');
    preferences.change({ idleLockMinutes: 5 });
    const stop = watchIdleness({ lock, preferences, storage });
    rs.advanceTimersByTime(5100);
    expect(locks).toBe(0);
    storage.write('last-active', Date.now() - 6 * 60_000);
    rs.advanceTimersByTime(5100);
    expect(locks).toBe(1);
    stop();
    rs.useRealTimers();
  });
});
