/** Where a browser was going that had to leave the host it came by, as `encodeURIComponent` writes it; read where providers send browsers back to. */
export const backCookie = { name: 'marquee-back', path: '/oauth/redirect' } as const;

/** Characters of an address that a cookie has room for. */
export const longestBack = 1024;
