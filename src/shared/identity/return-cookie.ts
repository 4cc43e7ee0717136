/**
 * Cookie with the path to return to, encoded by `encodeURIComponent`, for a browser that had to leave the host it came from. It is read where providers return the
 * browser.
 */
export const returnCookie = { name: 'marquee-back', path: '/oauth/redirect' } as const;

/** Maximum number of characters of a path in the cookie. */
export const maxReturnPathLength = 1024;
