import { ApiError } from '#server';
import { wayProblems } from '#shared/auth-problems';

/** Timeouts in milliseconds: of one request, and of a whole sign-in with all its requests. */
const timeoutMs = 5000;
const wholePatience = 8000;
const maxBytes = 256 * 1024;

/** Creates the error for an unavailable provider. The cause names its host but not its URL, which may contain secrets. */
const away = (host: string, why: string, cause?: unknown) => new ApiError(wayProblems.providerAway, {}, { cause: new Error(`${host}: ${why}`, { cause }) });

/** HTTP client for providers: limited to the given origins, without redirects, with short timeouts and limited response sizes. */
export class OAuthHttpClient {
  private readonly origins: ReadonlySet<string>;

  constructor(addresses: readonly (string | URL)[]) {
    this.origins = new Set(addresses.map((address) => new URL(address).origin));
  }

  /** Creates the timeout of one whole sign-in. */
  deadline(): AbortSignal {
    return AbortSignal.timeout(wholePatience);
  }

  /** Works like `fetch`, but throws for a status of 5xx or 429, for no response and for a redirect. */
  async fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const { origin, host } = new URL(address);
    if (!this.origins.has(origin)) throw away(host, 'is none of the hosts that may be asked');
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
    const response = await globalThis.fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) }).catch((error: unknown) => {
      throw away(host, 'does not answer', error);
    });
    const { status, statusText, headers } = response;
    const body = await wholeBody(response, host);
    if (status >= 500 || status === 429) throw away(host, `answers ${status}`);
    if (status >= 300 && status < 400) throw away(host, `redirects (${status})`);
    return new Response(status === 204 ? null : body, { status, statusText, headers });
  }
}

async function wholeBody(response: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > maxBytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw away(host, 'does not finish its answer', error);
  }
  if (length > maxBytes) throw away(host, 'sent too long an answer');
  return new Uint8Array(Buffer.concat(parts));
}
