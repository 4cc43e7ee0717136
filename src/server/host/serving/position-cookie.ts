const name = 'marquee-position';

/** Position that no replica ever reaches, after a write whose position is not known. */
export const unknownPosition = '99999999999999999999';

/** Returns the position of the database's log in the cookies of a request: that of the latest write of this browser. */
export const positionIn = (cookies: string): string | undefined => new RegExp(`(?:^|; ?)${name}=(\\d{1,20})(?:;|$)`).exec(cookies)?.[1];

/**
 * Builds the cookie with the position after a write, by which any server recognizes whether the read replica contains it. It needs no signature: its sender
 * can at most make their own reads use the primary, or return rows that are slightly outdated.
 */
export const positionCookie = (position: string): string => `${name}=${position}; Path=/; HttpOnly; SameSite=Lax`;
