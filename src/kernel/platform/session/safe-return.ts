/** Returns the path of an address to go to after sign-in if it belongs to this console, otherwise `undefined`. */
export function safeReturn(address: unknown): string | undefined {
  if (typeof address !== 'string' || !address.startsWith('/')) return undefined;
  try {
    const url = new URL(address, window.location.origin);
    if (url.origin !== window.location.origin || /^\/(login|lock)\b/.test(url.pathname)) return undefined;
    return url.pathname + url.search + url.hash;
  } catch {
    return undefined;
  }
}
