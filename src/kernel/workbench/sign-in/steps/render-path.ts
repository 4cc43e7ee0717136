import { render } from '#shared/social';
import { longestBack } from '#shared/way-back';

/** Returns the address that sends the browser to a provider; `back` is the address in the console it was going to. */
export function renderPath(source: string, tenantId: string, back: string): string {
  const isSent = back !== '/' && back.length <= longestBack;
  return `${render(source).path}?${new URLSearchParams({ tenantId, ...(isSent ? { back } : {}) })}`;
}
