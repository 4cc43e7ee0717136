import { afterEach, expect, rstest, test } from '@rstest/core';
import type { MenuItem } from '#shared/menus';
import { openAddress } from '../../../../src/kernel/platform/browser/open-address.ts';
import { addressOf, isEmbedded } from '../../../../src/kernel/workbench/routes/menu-address.ts';

const item = (path: string, isOpen = 2) => ({ id: '1', code: 'sample', path, isOpen }) as unknown as MenuItem;
const hostile = ['javascript:alert(1)', 'javascript:alert(1)//x.html', '\tjava\nscript:alert(1)', 'data:text/html,x'];
const disguised = ['//evil.example/x.html', '/\\evil.example/x.html', ' //evil.example/x.html', '/\t/evil.example/x.html'];

afterEach(() => {
  rstest.restoreAllMocks();
});

test('a menu entry with an address that runs a script has no page', () => {
  for (const path of hostile) {
    for (const isOpen of [1, 2]) expect({ path, to: addressOf(item(path, isOpen)) }).toEqual({ path, to: '/sample' });
    expect(isEmbedded(item(path))).toBe(false);
  }
  expect(addressOf(item('https://example.com/a'))).toBe('https://example.com/a');
  expect(addressOf(item(`https://example.com/?t=\${token}`))).toBe('https://example.com/');
  expect(addressOf(item('/system/param'))).toBe('/system/param/index');
});

test('an address of another origin is external in any notation', () => {
  for (const path of disguised) {
    expect(isEmbedded(item(path))).toBe(true);
    expect({ path, to: addressOf(item(path, 1)) }).toEqual({ path, to: '/myiframe/sample' });
    expect({ path, to: addressOf(item(path)) }).toEqual({ path, to: `${window.location.protocol}//evil.example/x.html` });
  }
});

test('no menu entry leads out of the console through an internal link', () => {
  for (const path of ['', ' ', '/', '//', '/?a=1', '?a=1', '#a', '/.//evil.example', '/..//evil.example', '/%2e//evil.example'])
    for (const isOpen of [1, 2]) expect({ path, to: addressOf(item(path, isOpen)) }).toEqual({ path, to: '/sample' });
  expect(addressOf(item('system/param?a=1'))).toBe('/system/param/index?a=1');
});

test('no window is opened for such an address', () => {
  const opened = rstest.spyOn(window, 'open').mockReturnValue(null);
  for (const path of [...hostile, ...disguised]) openAddress(path);
  expect(opened).not.toHaveBeenCalled();
  openAddress('https://example.com');
  expect(opened).toHaveBeenCalledWith('https://example.com', '_blank', 'noopener');
});
