import { describe, expect, test } from '@rstest/core';
import type { MenuState } from '../../../src/kernel/menu/menu.ts';
import { type ClaimedPage, ClaimedPages } from '../../../src/kernel/plugin-host/claimed-pages.ts';
import { addressOf } from '../../../src/kernel/router/menu-address.ts';
import { type Atlas, isTabPlace, type Place, resolve } from '../../../src/kernel/router/resolve.ts';
import { safeReturn } from '../../../src/kernel/router/safe-return.ts';
import { menuItem } from '../../support/test-kernel.ts';

const claimed = (code: string, path: string): ClaimedPage => ({
  menu: { code, title: [code, code], path },
  load: () => Promise.reject(new Error('not asked for')),
  pluginId: code,
  services: { get: () => expect.unreachable() },
});

const system = menuItem('system', {
  path: '/system',
  children: [
    menuItem('param', { path: '/system/param' }),
    menuItem('dict', { path: '/system/dict' }),
    menuItem('guide', { path: 'https://example.com/guide' }),
  ],
});
const param = claimed('param', '/system/param');
const secret = claimed('secret', '/system/secret');

const at = (path: string, change: Partial<Atlas> = {}): Place =>
  resolve(path, { menu: { status: 'ready', items: [system] }, pages: new ClaimedPages([param, secret]), isSettled: true, homePath: '/wel/index', ...change });
const target = (path: string, change: Partial<Atlas> = {}) => {
  const place = at(path, change);
  return place.kind === 'redirect' ? place.to : place.kind;
};

describe('fixed routes', () => {
  test('lead home by the way of /wel, whatever the menu', () => {
    const menu: MenuState = { status: 'unknown' };
    for (const path of ['/', '/login', '/lock']) expect(target(path, { menu })).toBe('/wel');
    expect(target('/wel', { menu })).toBe('/wel/index');
    expect(at('/wel/index', { menu })).toEqual({ kind: 'home', isTab: true });
  });

  test('the console is home without a tab', () => {
    expect(isTabPlace(at('/wel/dashboard'))).toBe(false);
    expect(isTabPlace(at('/wel/index'))).toBe(true);
  });

  test('a plugin claims home, and nobody sees the other one while plugins start', () => {
    const own = claimed('dashboard', '/wel');
    const pages = new ClaimedPages([own]);
    expect(at('/wel/index', { pages })).toEqual({ kind: 'page', page: own, isTab: true });
    expect(at('/wel/index', { isSettled: false })).toEqual({ kind: 'waiting' });
  });

  test('error pages stand for themselves', () => {
    for (const status of [403, 404, 500]) expect(at(`/${status}`)).toEqual({ kind: 'problem', status });
  });
});

describe('pages of the menu', () => {
  test('a leaf is at its path with /index, and its path leads there', () => {
    expect(at('/system/param/index')).toMatchObject({ kind: 'page', page: param, item: { code: 'param' } });
    expect(at('/system/param/index/')).toMatchObject({ kind: 'page' });
    expect(target('/system/param')).toBe('/system/param/index');
  });

  test('a group leads to the first of its pages', () => {
    expect(target('/system')).toBe('/system/param/index');
  });

  test('an entry no plugin claims is said to be missing, once plugins have settled', () => {
    expect(at('/system/dict/index')).toMatchObject({ kind: 'unclaimed', item: { code: 'dict' } });
    expect(target('/system/dict/index', { isSettled: false })).toBe('waiting');
  });

  test('a foreign page is framed under its code, and only when the menu has it', () => {
    expect(addressOf(menuItem('guide', { path: 'https://example.com/guide' }))).toBe('/myiframe/guide');
    expect(at('/myiframe/guide')).toMatchObject({ kind: 'frame', item: { path: 'https://example.com/guide' } });
    expect(target('/myiframe/https%3A%2F%2Felsewhere.example')).toBe('/404');
  });
});

describe('what is not in the menu', () => {
  test('is forbidden when a plugin has it, and unknown otherwise', () => {
    expect(target('/system/secret/index')).toBe('/403');
    expect(target('/system/secret')).toBe('/403');
    expect(target('/nowhere')).toBe('/404');
  });

  test('is not decided on a menu that is unknown, loading or only the last known one', () => {
    const states: MenuState[] = [{ status: 'unknown' }, { status: 'loading' }, { status: 'stale', items: [system] }];
    for (const menu of states) expect(target('/nowhere', { menu })).toBe('waiting');
    expect(at('/system/param/index', { menu: { status: 'stale', items: [system] } })).toMatchObject({ kind: 'page' });
  });

  test('a menu that could not be loaded says so at every address of its own', () => {
    const menu: MenuState = { status: 'failed', message: 'no network' };
    expect(at('/system/param/index', { menu })).toEqual({ kind: 'menuFailed', message: 'no network' });
    expect(target('/wel/index', { menu })).toBe('home');
  });
});

describe('the address asked for before signing in', () => {
  test('is kept when it is ours', () => {
    expect(safeReturn('/system/param/index?size=30#row')).toBe('/system/param/index?size=30#row');
  });

  test('is dropped when it leads elsewhere or back to the sign-in page', () => {
    for (const wanted of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/login', '/lock', undefined, { wanted: '/' }])
      expect(safeReturn(wanted)).toBeUndefined();
  });
});
