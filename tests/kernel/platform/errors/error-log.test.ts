import { describe, expect, test } from '@rstest/core';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { testCoreServices } from '../../../support/test-kernel.ts';

describe('error log', () => {
  test('keeps the latest 99 entries, newest first, across a reload', async () => {
    const { core } = await testCoreServices();
    for (let count = 1; count <= 120; count++) core.get(ErrorLog).record('request', new Error(`no. ${count}`), 'GET /x');
    const again = (await testCoreServices()).core.get(ErrorLog);
    expect(again.entries.length).toBe(99);
    expect(again.entries[0]).toMatchObject({ type: 'request', message: 'no. 120', info: 'GET /x', url: location.href });
    expect(again.entries[0]?.stack).toContain('no. 120');
    again.clear();
    expect((await testCoreServices()).core.get(ErrorLog).entries).toEqual([]);
  });

  test('records uncaught errors until the kernel stops', async () => {
    const { core } = await testCoreServices();
    const log = core.get(ErrorLog);
    window.dispatchEvent(new ErrorEvent('error', { error: new Error('loose'), filename: 'a.js', lineno: 3 }));
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'text' }));
    expect(log.entries.map(({ type, message, info }) => [type, message, info])).toEqual([
      ['rejection', 'text', ''],
      ['error', 'loose', 'a.js:3'],
    ]);
    core.dispose();
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'after' }));
    expect(log.entries.length).toBe(2);
  });

  test('a request without an answer that its caller does not handle is shown, and a cancelled one is not', async () => {
    const { core, toasts } = await testCoreServices();
    for (const fault of ['timeout', 'cancelled'] as const)
      window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new TransportError(fault) }));
    expect(toasts.shown).toEqual(['error 请求超时，请稍后再试']);
    expect(core.get(ErrorLog).entries).toEqual([]);
  });

  test('records any thrown value, and truncates long texts', async () => {
    const { core } = await testCoreServices();
    const log = core.get(ErrorLog);
    for (const thrown of [undefined, null, 42, {}, 'x'.repeat(10_000)]) log.record('error', thrown);
    expect(log.entries.map(({ message }) => message.length)).toEqual([2000, 15, 2, 4, 9]);
  });
});

describe('browser storage', () => {
  test('that is full or forbidden never causes a failure', () => {
    const refusing = {
      getItem: () => {
        throw new Error('forbidden');
      },
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => {
        throw new Error('forbidden');
      },
    };
    const storage = new JsonStorage(refusing as unknown as Storage, 'test-');
    expect(storage.read('a')).toBeUndefined();
    storage.write('a', 1);
    expect(storage.read('a')).toBe(1);
    storage.remove('a');
    expect(storage.read('a')).toBeUndefined();
  });

  test('with invalid JSON reads as empty', () => {
    localStorage.setItem('test-a', '{');
    expect(new JsonStorage(localStorage, 'test-').read('a')).toBeUndefined();
    localStorage.clear();
  });
});
