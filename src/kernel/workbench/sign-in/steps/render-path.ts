import { maxReturnPathLength } from '#shared/return-cookie';
import { providerIdOf, providerRedirect, socialRedirect } from '#shared/social';

/** Returns the address that sends the browser to a provider; `back` is the address in the console it was going to. */
export function renderPath(source: string, tenantId: string, back: string): string {
  const isSent = back !== '/' && back.length <= maxReturnPathLength;
  const isProvider = providerIdOf(source) !== undefined;
  const { path } = isProvider ? providerRedirect : socialRedirect(source);
  return `${path}?${new URLSearchParams({ ...(isProvider ? { source } : {}), tenantId, ...(isSent ? { back } : {}) })}`;
}
