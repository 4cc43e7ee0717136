import { afterAll, afterEach, beforeAll, expect, rs, test } from '@rstest/core';
import type { MenuItem } from '#shared/menus';

// The page names its base path before the first module loads.
beforeAll(() => {
  document.documentElement.dataset.base = '/marquee';
  rs.resetModules();
});
afterAll(() => {
  delete document.documentElement.dataset.base;
  rs.resetModules();
});
afterEach(() => history.replaceState(null, '', '/'));

test('the address bar shows the base path, which pages never see', async () => {
  const { AddressBar } = await import('../../../../src/kernel/workbench/routes/address-bar.ts');
  history.replaceState(null, '', '/marquee/marquee/index?status=1');
  const bar = new AddressBar();
  expect([bar.location.pathname, bar.location.search]).toEqual(['/marquee/index', '?status=1']);
  bar.push('/system/param/index?page=2');
  expect([bar.location.pathname, location.pathname + location.search]).toEqual(['/system/param/index', '/marquee/system/param/index?page=2']);
  bar.replace({ pathname: '/wel/index' });
  bar.replace('?page=3');
  expect(location.pathname + location.search).toBe('/marquee/wel/index?page=3');
  expect(bar.createHref({ pathname: '/desk/notice/index' })).toBe('/marquee/desk/notice/index');
  bar.dispose();
});

test('a console without a path is at its root', async () => {
  const { currentPath } = await import('../../../../src/kernel/platform/browser/base-path.ts');
  for (const path of ['/marquee', '/marquee/']) {
    history.replaceState(null, '', path);
    expect(currentPath()).toBe('/');
  }
});

test('sign-in, invitations and providers use addresses under the base path', async () => {
  const { leaveSignIn, requestedErrorPage, showSignIn } = await import('../../../../src/kernel/workbench/sign-in/sign-in-redirect.ts');
  const { invitationLink } = await import('../../../../src/kernel/platform/session/invitation.ts');
  const { IdentityReturns } = await import('../../../../src/kernel/platform/session/identity-returns.ts');
  const { JsonStorage } = await import('../../../../src/kernel/platform/browser/storage.ts');
  history.replaceState(null, '', '/marquee/task/list/index?status=1');
  showSignIn(true);
  expect(location.pathname).toBe('/marquee/login');
  leaveSignIn();
  expect(location.pathname + location.search).toBe('/marquee/task/list/index?status=1');
  history.replaceState(null, '', '/marquee/403');
  expect(requestedErrorPage()).toBe(403);
  expect(invitationLink({ tenantId: '000000', account: 'ada', password: 'one-time' })).toMatch(`${location.origin}/marquee/login#`);

  history.replaceState(null, '', '/marquee/oauth/redirect/github?code=c&state=s');
  const returned = new IdentityReturns(new JsonStorage(sessionStorage, 'test-')).take('signIn');
  expect(returned).toMatchObject({ source: 'github', code: 'c', back: '/', address: `${location.origin}/marquee/oauth/redirect/github` });
  expect(location.pathname).toBe('/marquee/login');
});

test('pages of the deployment are under the base path, and pages elsewhere are not', async () => {
  const { addressOf } = await import('../../../../src/kernel/workbench/routes/menu-address.ts');
  const windowOf = (path: string) => addressOf({ id: '1', code: 'help', path, isOpen: 2 } as unknown as MenuItem);
  for (const path of ['/help.html', 'help.html']) expect(windowOf(path)).toBe(`${location.origin}/marquee/help.html`);
  expect(windowOf('https://reports.test/a')).toBe('https://reports.test/a');
  expect(windowOf('//reports.test/a.html')).toBe(`${location.protocol}//reports.test/a.html`);
  expect(windowOf('/system/param')).toBe('/system/param/index');
});
