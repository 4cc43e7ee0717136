import { render } from '#shared/social';
import { longestBack } from '#shared/way-back';

/** Where a browser sets out to identify itself elsewhere; `back` is the address in the console it was going to. */
export function renderPath(source: string, tenantId: string, back: string): string {
  const isTold = back !== '/' && back.length <= longestBack;
  return `${render(source).path}?${new URLSearchParams({ tenantId, ...(isTold ? { back } : {}) })}`;
}
