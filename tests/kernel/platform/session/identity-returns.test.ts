import { afterEach, expect, test } from '@rstest/core';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { IdentityReturns } from '../../../../src/kernel/platform/session/identity-returns.ts';

const storage = new JsonStorage(sessionStorage, 'test-');
const at = (address: string) => {
  history.replaceState(null, '', address);
  return new IdentityReturns(storage);
};

afterEach(() => sessionStorage.clear());

test('the parameters of a provider are read once, and removed from address and history', () => {
  storage.write('errand', { purpose: 'signIn', back: '/system/param/index' });
  const returns = at('/oauth/redirect/github?code=c0de&state=abc&iss=https%3A%2F%2Fid.test');
  expect(location.pathname + location.search).toBe('/login');
  expect(history.state).toEqual({ returnTo: '/system/param/index' });
  expect(returns.take('binding')).toBeUndefined();
  expect(returns.take('signIn')).toMatchObject({ source: 'github', code: 'c0de', state: 'abc', iss: 'https://id.test', error: '' });
  expect(returns.take('signIn')).toBeUndefined();
  expect(sessionStorage.getItem('test-errand')).toBeNull();
});

test('linking an identity returns to the page that started it', () => {
  storage.write('errand', { purpose: 'binding', back: '/info/index' });
  const returns = at('/oauth/redirect/sso?error=access_denied');
  expect(location.pathname + location.search).toBe('/info/index');
  expect(returns.take('signIn')).toBeUndefined();
  expect(returns.take('binding')).toMatchObject({ source: 'sso', error: 'access_denied', address: `${location.origin}/oauth/redirect/sso` });
});

test('a browser that came from another host returns to the requested page there, once, and nowhere else', () => {
  const toldBack = (back: string) => {
    history.replaceState(null, '', '/oauth/redirect/sso');
    // biome-ignore lint/suspicious/noDocumentCookie: the reply of the server sets it in this form.
    document.cookie = `marquee-back=${encodeURIComponent(back)}; path=/oauth/redirect`;
    return at('/oauth/redirect/sso?code=c0de&state=abc').take('signIn')?.back;
  };
  expect(toldBack('/system/param/index?name=a;b&c=%E4%B8%AD')).toBe('/system/param/index?name=a;b&c=%E4%B8%AD');
  expect(history.state).toEqual({ returnTo: '/system/param/index?name=a;b&c=%E4%B8%AD' });
  expect(at('/oauth/redirect/sso?code=c0de&state=abc').take('signIn')?.back).toBe('/');
  for (const foreign of ['https://elsewhere.test/', '//elsewhere.test/x', '%E0%A4%A']) expect(toldBack(foreign)).toBe('/');
});

test('without a pending request of this window it is a sign-in, and other addresses are ignored', () => {
  expect(at('/oauth/redirect/gitee?code=1&state=2').take('signIn')).toMatchObject({ source: 'gitee', back: '/' });
  expect(at('/system/param?code=1').take('signIn')).toBeUndefined();
  expect(location.pathname + location.search).toBe('/system/param?code=1');
});
