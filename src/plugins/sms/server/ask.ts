import type { VendorRequest } from './vendors/vendor.ts';

const timeoutMs = 8000;
const maxBytes = 64 * 1024;

/** Sends a request to a vendor and parses its JSON response; throws when the response is not JSON. */
export type SendVendorRequest = (asking: VendorRequest) => Promise<unknown>;

/** Sends over the network without redirects, with a short time-out and a size limit. The addresses are fixed by the product, so the egress guard is not needed. */
export const askVendor: SendVendorRequest = async ({ url, headers, body }) => {
  const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (Number(reply.headers.get('content-length') ?? 0) > maxBytes) throw new Error(`${new URL(url).host} sent too long an answer`);
  const text = (await reply.text()).slice(0, maxBytes);
  return JSON.parse(text);
};
