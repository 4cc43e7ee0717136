import { describe, expect, test } from '@rstest/core';
import { type RegisteredPage, RegisteredPages } from '../../../../src/kernel/host/plugin-host/registered-pages.ts';
import type { MenuState } from '../../../../src/kernel/platform/menu/menu.ts';
import { safeReturn } from '../../../../src/kernel/platform/session/safe-return.ts';
import { canEmbed } from '../../../../src/kernel/workbench/pages/PageContent.tsx';
import { addressOf, embeddedAddress, opensWindow } from '../../../../src/kernel/workbench/routes/menu-address.ts';
import { isTabRoute, type ResolvedRoute, type ResolverState, resolve } from '../../../../src/kernel/workbench/routes/resolve.ts';
import { menuItem } from '../../../support/test-kernel.ts';

const registered = (code: string, path: string): RegisteredPage => ({
  menu: { code, title: [code, code], path },
  load: () => Promise.reject(new Error('not requested')),
  pluginId: code,
  services: { get: () => expect.unreachable() },
});

const system = menuItem('system', {
  path: '/system',
  children: [
    menuItem('param', { path: '/system/param' }),
    menuItem('dict', { path: '/system/dict' }),
    menuItem('bare', { path: 'system/bare' }),
    menuItem('rootless', { path: '/' }),
    menuItem('guide', { path: 'https://example.com/guide' }),
  ],
});
const param = registered('param', '/system/param');
const secret = registered('secret', '/system/secret');

const at = (path: string, change: Partial<ResolverState> = {}): ResolvedRoute =>
  resolve(path, {
    menu: { status: 'ready', items: [system] },
    pages: new RegisteredPages([param, secret]),
    isSettled: true,
    homePath: '/wel/index',
    ...change,
  });
const target = (path: string, change: Partial<ResolverState> = {}) => {
  const route = at(path, change);
  return route.kind === 'redirect' ? route.to : route.kind;
};

test('a former address of a page redirects to its new one, with its parameters', () => {
  const menu: MenuState = { status: 'ready', items: [menuItem('log_error', { path: '/monitor/log/error' })] };
  const page = registered('log_error', '/monitor/log/error');
  const pages = new RegisteredPages([{ ...page, menu: { ...page.menu, formerPaths: ['/monitor/log_error'] } }]);
  expect(target('/monitor/log_error/index?env=test', { menu, pages })).toBe('/monitor/log/error/index?env=test');
  expect(target('/monitor/log_error', { menu, pages })).toBe('/monitor/log/error/index');
  expect(target('/monitor/log_errors/index', { menu, pages })).toBe('/404');
  // An administrator may have assigned the path to another page.
  const taken = menuItem('other', { path: '/monitor/log_error' });
  expect(at('/monitor/log_error/index', { menu: { status: 'ready', items: [...menu.items, taken] }, pages })).toMatchObject({ item: { code: 'other' } });
});

describe('fixed routes', () => {
  test('redirect to the home page through /wel, whatever the menu', () => {
    const menu: MenuState = { status: 'unknown' };
    for (const path of ['/', '/login', '/lock']) expect(target(path, { menu })).toBe('/wel');
    expect(target('/wel', { menu })).toBe('/wel/index');
    expect(at('/wel/index', { menu })).toEqual({ kind: 'home', isTab: true });
  });

  test('the home page has no tab at /wel/dashboard', () => {
    expect(isTabRoute(at('/wel/dashboard'))).toBe(false);
    expect(isTabRoute(at('/wel/index'))).toBe(true);
  });

  test('a plugin can replace the home page, and the default one is not shown while plugins start', () => {
    const own = registered('dashboard', '/wel');
    const pages = new RegisteredPages([own]);
    expect(at('/wel/index', { pages })).toEqual({ kind: 'page', page: own, isTab: true });
    expect(at('/wel/index', { isSettled: false })).toEqual({ kind: 'waiting' });
  });

  test('a route of a plugin is at its exact path, whatever the menu, and becomes a tab only if it says so', () => {
    const menu: MenuState = { status: 'failed', message: 'no network' };
    const workshop = { ...registered('workshop', '/dev/workshop'), route: { isTab: true } };
    const consent = { ...registered('consent', '/consent/index'), route: { isTab: false } };
    const pages = new RegisteredPages([workshop, consent]);
    expect(at('/dev/workshop', { menu, pages })).toEqual({ kind: 'page', page: workshop, isTab: true });
    expect(at('/consent/index/', { menu, pages })).toEqual({ kind: 'page', page: consent, isTab: false });
    expect(target('/consent', { menu, pages })).toBe('/consent/index');
    expect(target('/dev/workshop/index', { menu, pages })).toBe('/dev/workshop');
    expect(target('/dev/workshop')).toBe('/404');
    expect(at('/dev/workshop', { isSettled: false })).toEqual({ kind: 'waiting' });
  });

  test('error pages are part of the kernel', () => {
    for (const status of [403, 404, 500]) expect(at(`/${status}`)).toEqual({ kind: 'problem', status });
  });
});

describe('pages of the menu', () => {
  test('a leaf is at its path with /index, and its path redirects there', () => {
    expect(at('/system/param/index')).toMatchObject({ kind: 'page', page: param, item: { code: 'param' } });
    expect(at('/system/param/index/')).toMatchObject({ kind: 'page' });
    expect(at('/system/bare/index')).toMatchObject({ kind: 'unavailable', item: { code: 'bare' } });
    expect(target('//')).toBe('/wel');
    expect(target('/system/param')).toBe('/system/param/index');
  });

  test('an address is parsed as the menu writes it', () => {
    const menu: MenuState = { status: 'ready', items: [menuItem('param', { path: '/系统/参数' })] };
    expect(at(encodeURI('/系统/参数/index'), { menu })).toMatchObject({ kind: 'page', page: param });
    expect(target('/%E0%A4%A', { menu })).toBe('/404');
  });

  test('a group redirects to the first of its pages', () => {
    expect(target('/system')).toBe('/system/param/index');
  });

  test('an entry without a page is reported as missing once all plugins have started', () => {
    expect(at('/system/dict/index')).toMatchObject({ kind: 'unavailable', item: { code: 'dict' } });
    expect(target('/system/dict/index', { isSettled: false })).toBe('waiting');
  });

  test('an external page is framed under its code, and only if the menu contains it', () => {
    expect(addressOf(menuItem('guide', { path: 'https://example.com/guide' }))).toBe('/myiframe/guide');
    expect(at('/myiframe/guide')).toMatchObject({ kind: 'frame', item: { path: 'https://example.com/guide' } });
    expect(target('/myiframe/https%3A%2F%2Felsewhere.example')).toBe('/404');
  });
});

describe('parameters of an entry', () => {
  const waiting = menuItem('waiting', { path: '/task/audit', query: { status: '1' } });
  const settled = menuItem('settled', { path: '/task/audit?status=2', query: 'kind=甲 乙' });
  const all = menuItem('all', { path: '/task/audit' });
  const page = registered('waiting', '/task/audit');
  const entryAt = (location: string, items = [waiting, settled, all]) => {
    const route = at(location, { menu: { status: 'ready', items }, pages: new RegisteredPages([page]) });
    return 'item' in route ? route.item?.code : route.kind;
  };

  test('are in its address, in the path or in the query', () => {
    expect(addressOf(waiting)).toBe('/task/audit/index?status=1');
    expect(addressOf(settled)).toBe('/task/audit/index?status=2&kind=%E7%94%B2+%E4%B9%99');
    expect(addressOf(menuItem('none', { path: '/task/audit', query: null }))).toBe('/task/audit/index');
    expect(embeddedAddress(menuItem('guide', { path: 'https://a.example/x?y=1#z', query: { page: '2' } }))).toBe('https://a.example/x?y=1&page=2#z');
  });

  test('distinguish entries of one page', () => {
    for (const item of [waiting, settled, all]) expect(entryAt(addressOf(item))).toBe(item.code);
    expect(entryAt('/task/audit/index?status=1&more=2')).toBe('waiting');
    expect(entryAt('/task/audit/index?status=9')).toBe('all');
    expect(entryAt('/task/audit/index', [waiting])).toBe('waiting');
  });
});

describe('external pages', () => {
  const link = (path: string, isOpen = 1) => menuItem('link', { path, isOpen });

  test('are absolute addresses and HTML files; all other addresses belong to the console', () => {
    for (const path of ['https://a.example', 'http://a.example/x', '/report.html', '/report.htm?year=2026', 'report.html#top'])
      expect({ path, to: addressOf(link(path)) }).toEqual({ path, to: '/myiframe/link' });
    for (const path of ['/system/html', '/report.htmlx', '/ftp://a']) expect(addressOf(link(path))).toBe(`${path.replace(/\/+$/, '')}/index`);
  });

  test('open in a new window if `isOpen` is 2; pages of the console never do', () => {
    expect(opensWindow(link('https://a.example', 2))).toBe(true);
    expect(addressOf(link('/report.html', 2))).toBe(`${location.origin}/report.html`);
    expect([opensWindow(link('https://a.example', 1)), opensWindow(link('/system/param', 2))]).toEqual([false, false]);
    expect(addressOf(link('/system/param', 2))).toBe('/system/param/index');
  });

  test('never get a token: its placeholder is removed', () => {
    const addresses = {
      'https://a.example/?token=\u0024{token}': 'https://a.example/',
      'https://a.example/?t=\u0024{token}&x=1': 'https://a.example/?x=1',
      'https://a.example/?x=1&t=\u0024{token}&y=2#z': 'https://a.example/?x=1&y=2#z',
      'https://a.example/?x=1&t=\u0024{token}#z': 'https://a.example/?x=1#z',
      'https://a.example/\u0024{TOKEN}/p': 'https://a.example//p',
    };
    for (const [path, expected] of Object.entries(addresses)) expect(embeddedAddress(link(path))).toBe(expected);
  });

  test('are framed only from the origin of the console and from listed origins', () => {
    const frames = ['https://reports.example.com', 'https://*.example.org', 'http://127.0.0.1:*'];
    const allowed = ['/report.html', 'https://reports.example.com/a?b', 'https://a.b.example.org', 'http://127.0.0.1:4000/', 'http://127.0.0.1'];
    const refused = [
      'https://reports.example.com.evil.io',
      'http://reports.example.com',
      'https://example.org',
      'https://reports.example.com:8443',
      'https://evil.io/https://reports.example.com',
      '//evil.io/x.html',
    ];
    const verdict = (path: string) => canEmbed(embeddedAddress(link(path)), frames);
    expect(allowed.filter((path) => !verdict(path))).toEqual([]);
    expect(refused.filter(verdict)).toEqual([]);
  });
});

describe('tabs', () => {
  test('are created for pages, never for error pages, the console or pages without a title', () => {
    const nameless = menuItem('param', { name: '', path: '/system/param' });
    const menu: MenuState = { status: 'ready', items: [nameless, menuItem('guide', { path: 'https://example.com/guide' })] };
    const pages = new RegisteredPages([param, { ...registered('account', '/info/index'), route: { isTab: true } }]);
    const tabs = ['/wel/index', '/info/index', '/myiframe/guide', '/wel/dashboard', '/404', '/system/param/index'].map((path) => [
      path,
      isTabRoute(at(path, { menu, pages })),
    ]);
    expect(Object.fromEntries(tabs)).toEqual({
      '/wel/index': true,
      '/info/index': true,
      '/myiframe/guide': true,
      '/wel/dashboard': false,
      '/404': false,
      '/system/param/index': false,
    });
  });

  test('require an address: an entry without a path has no page', () => {
    const menu: MenuState = { status: 'ready', items: [menuItem('void', { path: '' })] };
    expect(target('/index', { menu })).toBe('/404');
  });
});

describe('a page that the menu lacks', () => {
  test('is forbidden if a plugin has it, and unknown otherwise', () => {
    expect(target('/system/secret/index')).toBe('/403');
    expect(target('/system/secret')).toBe('/403');
    expect(target('/nowhere')).toBe('/404');
  });

  test('is not decided while the menu is unknown, loading or stale', () => {
    const states: MenuState[] = [{ status: 'unknown' }, { status: 'loading' }, { status: 'stale', items: [system] }];
    for (const menu of states) expect(target('/nowhere', { menu })).toBe('waiting');
    expect(at('/system/param/index', { menu: { status: 'stale', items: [system] } })).toMatchObject({ kind: 'page' });
  });

  test('shows the failure when reloading the menu has failed, instead of waiting', () => {
    const menu: MenuState = { status: 'stale', items: [system], failure: 'no network' };
    expect(at('/nowhere', { menu })).toEqual({ kind: 'menuFailed', message: 'no network' });
    expect(at('/system/param/index', { menu })).toMatchObject({ kind: 'page' });
  });

  test('shows at every address that the menu could not be loaded', () => {
    const menu: MenuState = { status: 'failed', message: 'no network' };
    expect(at('/system/param/index', { menu })).toEqual({ kind: 'menuFailed', message: 'no network' });
    expect(target('/wel/index', { menu })).toBe('home');
  });
});

describe('the address requested before signing in', () => {
  test('is kept when it belongs to the console', () => {
    expect(safeReturn('/system/param/index?size=30#row')).toBe('/system/param/index?size=30#row');
  });

  test('is dropped when it leads to another site or back to the sign-in page', () => {
    for (const wanted of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/login', '/lock', undefined, { wanted: '/' }])
      expect(safeReturn(wanted)).toBeUndefined();
  });
});
