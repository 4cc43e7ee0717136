import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, rs, test } from '@rstest/core';
import { Theme } from '../../../../src/kernel/platform/theme/theme.ts';
import { testCoreServices } from '../../../support/test-kernel.ts';

const look = () => [document.body.getAttribute('arco-theme'), document.documentElement.style.colorScheme];
const script = readFileSync(join(process.cwd(), 'src/kernel/platform/theme/pre-paint.js'), 'utf8');

/** Returns everything that style sheets read of the appearance. */
const wholeLook = () => ({
  ...document.body.dataset,
  isGrey: document.documentElement.hasAttribute('data-grey'),
  dark: look(),
  style: document.body.getAttribute('style') ?? '',
});

function clearLook(): void {
  for (const element of [document.body, document.documentElement]) for (const { name } of [...element.attributes]) element.removeAttribute(name);
}

/** Does what the script element of index.html does in a browser. */
function beforePaint(prefix: string): void {
  clearLook();
  const spy = rs.spyOn(document, 'currentScript', 'get').mockReturnValue({ dataset: { prefix, theme: 'theme-default' } } as unknown as HTMLScriptElement);
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
  clearLook();
});

describe('theme', () => {
  test('is light by default, sets dark as an attribute of the body and the colour scheme of the page, and is stored', async () => {
    const { core } = await testCoreServices();
    expect(look()).toEqual([null, 'light']);
    core.get(Theme).select('dark');
    expect(look()).toEqual(['dark', 'dark']);
    expect((await testCoreServices()).core.get(Theme).appearance).toBe('dark');
    core.get(Theme).select('light');
    expect(look()).toEqual([null, 'light']);
  });

  test('system follows the device live until the kernel stops', async () => {
    const { listeners, spy, turn } = device(false);
    const { core } = await testCoreServices();
    core.dispose();
    spy();
    const { core: second } = await testCoreServices();
    second.get(Theme).select('system');
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
      await testCoreServices();
      expect(look()).toEqual(expected);
    });
  }

  test('an appearance applies at once, is stored, and is set before the next page is painted', async () => {
    const { core } = await testCoreServices();
    const theme = core.get(Theme);
    await theme.change({ theme: 'theme-vip', colour: '#f5222d', density: 'compact', radius: 'none', text: 'large', isWeak: true, isGrey: true });
    const applied = wholeLook();
    expect(applied).toMatchObject({ theme: 'theme-vip', density: 'compact', radius: 'none', text: 'large', vision: 'weak', isGrey: true });
    expect(document.body.style.getPropertyValue('--brand')).toBe('#f5222d');
    beforePaint('test-');
    expect(wholeLook()).toEqual(applied);
    expect((await testCoreServices()).core.get(Theme).settings).toMatchObject({ theme: 'theme-vip', colour: '#f5222d' });
    expect(wholeLook()).toEqual(applied);
  });

  test('a colour has other shades in dark mode, and resetting it leaves no shade behind', async () => {
    const theme = (await testCoreServices()).core.get(Theme);
    await theme.change({ colour: '#f5222d' });
    const inLight = document.body.style.getPropertyValue('--brand-ink');
    theme.select('dark');
    expect(document.body.style.getPropertyValue('--brand-ink')).not.toBe(inLight);
    beforePaint('test-');
    expect(document.body.style.getPropertyValue('--brand-ink')).not.toBe(inLight);
    await theme.change({ colour: undefined });
    expect(document.body.style.getPropertyValue('--brand')).toBe('');
  });

  test('print is white on any screen', async () => {
    const theme = (await testCoreServices()).core.get(Theme);
    await theme.change({ colour: '#f5222d' });
    const inLight = wholeLook();
    theme.select('dark');
    const inDark = wholeLook();
    window.dispatchEvent(new Event('beforeprint'));
    expect(wholeLook()).toEqual(inLight);
    window.dispatchEvent(new Event('afterprint'));
    expect(wholeLook()).toEqual(inDark);
  });

  test('the deployment’s default applies without a choice, and after a reset', async () => {
    const theme = (await testCoreServices({ manifest: { theme: 'theme-star' } })).core.get(Theme);
    expect(document.body.dataset.theme).toBe('theme-star');
    await theme.change({ theme: 'theme-lte', density: 'comfortable' });
    theme.select('dark');
    theme.reset();
    expect(wholeLook()).toMatchObject({ theme: 'theme-star', density: 'default', dark: [null, 'light'] });
    expect(Object.keys(localStorage).filter((key) => /look|appearance/.test(key))).toEqual([]);
  });

  test('an appearance stored by another version is not touched', async () => {
    localStorage.setItem('test-look', JSON.stringify({ version: 0, look: { theme: 'theme-vip' } }));
    beforePaint('test-');
    expect(document.body.dataset.theme).toBe('theme-default');
    expect((await testCoreServices()).core.get(Theme).settings.theme).toBe('theme-default');
  });
});
