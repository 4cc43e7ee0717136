/**
 * Cookie with the path of the console to return to after a sign-in at a provider, encoded by `encodeURIComponent`. It takes the place of the session storage, which
 * cannot be read if the sign-in began on another host. The console reads it on the page to which providers return the browser.
 */
export const returnCookie = { name: 'marquee-back', path: '/oauth/redirect' } as const;

/** Maximum number of characters of a path in the cookie. */
export const maxReturnPathLength = 1024;
