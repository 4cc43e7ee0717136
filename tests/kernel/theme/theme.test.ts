import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, rs, test } from '@rstest/core';
import { Theme } from '../../../src/kernel/theme/theme.ts';
import { testLight } from '../../support/test-kernel.ts';

const look = () => [document.body.getAttribute('arco-theme'), document.documentElement.style.colorScheme];
const script = readFileSync(join(process.cwd(), 'src/kernel/theme/pre-paint.js'), 'utf8');

/** What the browser does with the script element of index.html. */
function beforePaint(prefix: string): void {
  document.body.removeAttribute('arco-theme');
  document.documentElement.style.colorScheme = '';
  const spy = rs.spyOn(document, 'currentScript', 'get').mockReturnValue({ dataset: { prefix } } as unknown as HTMLScriptElement);
  new Function(script)();
  spy.mockRestore();
}

function device(dark: boolean) {
  const listeners = new Set<() => void>();
  const query = {
    matches: dark,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  };
  return {
    listeners,
    spy: () => rs.spyOn(window, 'matchMedia').mockReturnValue(query as unknown as MediaQueryList),
    turn(matches: boolean) {
      query.matches = matches;
      for (const listener of listeners) listener();
    },
  };
}

afterEach(() => {
  rs.restoreAllMocks();
});

describe('theme', () => {
  test('is light unless chosen, dark is an attribute of the body and the colour scheme of the page, and stays chosen', async () => {
    const { light } = await testLight();
    expect(look()).toEqual([null, 'light']);
    light.get(Theme).choose('dark');
    expect(look()).toEqual(['dark', 'dark']);
    expect((await testLight()).light.get(Theme).appearance).toBe('dark');
    light.get(Theme).choose('light');
    expect(look()).toEqual([null, 'light']);
  });

  test('system follows the device live, and no longer once the kernel has ended', async () => {
    const { listeners, spy, turn } = device(false);
    const { light } = await testLight();
    light.dispose();
    spy();
    const { light: second } = await testLight();
    second.get(Theme).choose('system');
    turn(true);
    expect(look()).toEqual(['dark', 'dark']);
    turn(false);
    expect(look()).toEqual([null, 'light']);
    second.dispose();
    expect(listeners.size).toBe(0);
  });

  for (const [stored, deviceIsDark, expected] of [
    ['"dark"', false, ['dark', 'dark']],
    ['"light"', true, [null, 'light']],
    ['"system"', true, ['dark', 'dark']],
    ['"system"', false, [null, 'light']],
    [null, true, [null, 'light']],
    ['{', true, [null, 'light']],
  ] as const) {
    test(`before first paint ${stored ?? 'nothing stored'} on a ${deviceIsDark ? 'dark' : 'light'} device looks as the kernel will make it`, async () => {
      device(deviceIsDark).spy();
      if (stored !== null) localStorage.setItem('test-appearance', stored);
      beforePaint('test-');
      expect(look()).toEqual(expected);
      await testLight();
      expect(look()).toEqual(expected);
    });
  }
});
