import { maxReturnPathLength } from '#shared/return-cookie';
import { socialRedirect } from '#shared/social';

/** Returns the address that sends the browser to a provider; `back` is the address in the console it was going to. */
export function renderPath(source: string, tenantId: string, back: string): string {
  const isSent = back !== '/' && back.length <= maxReturnPathLength;
  return `${socialRedirect(source).path}?${new URLSearchParams({ tenantId, ...(isSent ? { back } : {}) })}`;
}
