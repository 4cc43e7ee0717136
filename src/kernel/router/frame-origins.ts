/** Whether a page may be shown in a frame: one of our own origin, or of an origin the deployment lists as the Content-Security-Policy writes it. */
export function mayFrame(address: string, frames: readonly string[]): boolean {
  const { origin } = new URL(address);
  return origin === window.location.origin || frames.some((pattern) => patternOf(pattern).test(origin));
}

/** `*.` stands for one name or more before the rest, `:*` for any port. */
function patternOf(source: string): RegExp {
  const [plain = '', anyPort = ''] = /^(.*?)(:\*)?$/.exec(source.toLowerCase())?.slice(1) ?? [];
  const escaped = plain.replace(/[.\\+?^$|()[\]{}]/g, '\\$&').replace('*', '[\\w.-]+');
  return new RegExp(`^${escaped}${anyPort && '(:\\d+)?'}$`);
}
