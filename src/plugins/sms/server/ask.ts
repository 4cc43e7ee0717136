import type { Asking } from './vendors/vendor.ts';

const patience = 8000;
const mostBytes = 64 * 1024;

/** Sends a request to a vendor and reads the JSON it answers; throws where there is none. */
export type Ask = (asking: Asking) => Promise<unknown>;

/** Asks over the network: no redirects, little patience, short answers. The addresses are the product's own. */
export const askVendor: Ask = async ({ url, headers, body }) => {
  const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(patience) });
  if (Number(reply.headers.get('content-length') ?? 0) > mostBytes) throw new Error(`${new URL(url).host} answers at too great a length`);
  const text = (await reply.text()).slice(0, mostBytes);
  return JSON.parse(text);
};
