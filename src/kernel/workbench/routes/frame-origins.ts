/** Tells whether a page may be embedded: one of our own origin, or of an origin the deployment lists in Content-Security-Policy syntax. */
export function mayFrame(address: string, frames: readonly string[]): boolean {
  const { origin } = new URL(address);
  return origin === window.location.origin || frames.some((pattern) => patternOf(pattern).test(origin));
}

/** `*.` stands for one or more labels, `:*` for any port. */
function patternOf(source: string): RegExp {
  const [plain = '', anyPort = ''] = /^(.*?)(:\*)?$/.exec(source.toLowerCase())?.slice(1) ?? [];
  const escaped = plain.replace(/[.\\+?^$|()[\]{}]/g, '\\$&').replace('*', '[\\w.-]+');
  return new RegExp(`^${escaped}${anyPort && '(:\\d+)?'}$`);
}
