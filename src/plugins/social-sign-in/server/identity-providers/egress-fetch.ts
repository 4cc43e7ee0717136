import { ApiError, type ServerContext } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';
import type { IssuerFetch } from '../issuer.ts';

const timeoutMs = 5000;
const maxBytes = 256 * 1024;
/** Statuses whose responses have no body. */
const emptyStatuses: readonly number[] = [204, 205, 304];

/** Creates a `fetch` for addresses that tenants enter, and those that their issuers name: internal addresses are refused, and redirects are not followed. */
export function egressFetch(egress: ServerContext['egress']): IssuerFetch {
  return async (address, init = {}) => {
    const url = new URL(address);
    const unavailable = (reason: string, cause?: unknown) =>
      new ApiError(signInMethodProblems.providerUnavailable, {}, { cause: new Error(`${url.host}: ${reason}`, { cause }) });
    const request = {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body === undefined || init.body === null ? '' : String(init.body),
      ...(init.signal ? { signal: init.signal } : {}),
      timeoutMs,
      maxBytes,
    };
    const { status, headers, text } = await egress.send(url, request).catch((error: unknown) => {
      throw unavailable('does not answer', error);
    });
    if (status >= 500 || status === 429) throw unavailable(`answers ${status}`);
    if (status >= 300 && status < 400) throw unavailable(`redirects (${status})`);
    const headerList = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
    return new Response(emptyStatuses.includes(status) ? null : text, { status, headers: headerList });
  };
}
