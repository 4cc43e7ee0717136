/** Returns the address requested before sign-in when it is one of ours, otherwise `undefined`. */
export function safeReturn(wanted: unknown): string | undefined {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return undefined;
  try {
    const url = new URL(wanted, window.location.origin);
    if (url.origin !== window.location.origin || /^\/(login|lock)\b/.test(url.pathname)) return undefined;
    return url.pathname + url.search + url.hash;
  } catch {
    return undefined;
  }
}
