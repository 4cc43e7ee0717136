import { ApiError } from '#server';
import { signInMethodProblems } from '#shared/auth-problems';

const requestTimeoutMs = 5000;
/** Timeout of all requests of one sign-in together. */
const totalTimeoutMs = 8000;
const maxBytes = 256 * 1024;

/** Creates the error for an unavailable provider. The cause names its host but not its URL, which may contain secrets. */
const unavailable = (host: string, reason: string, cause?: unknown) =>
  new ApiError(signInMethodProblems.providerUnavailable, {}, { cause: new Error(`${host}: ${reason}`, { cause }) });

/** HTTP client for providers: restricted to the given origins, without redirects, with short timeouts and limited response sizes. */
export class OAuthHttpClient {
  private readonly origins: ReadonlySet<string>;

  constructor(addresses: readonly (string | URL)[]) {
    this.origins = new Set(addresses.map((address) => new URL(address).origin));
  }

  /** Creates the timeout of all requests of one sign-in. */
  totalTimeout(): AbortSignal {
    return AbortSignal.timeout(totalTimeoutMs);
  }

  /** Works like `fetch`, but throws for a status of 5xx or 429, for no response and for a redirect. */
  async fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const { origin, host } = new URL(address);
    if (!this.origins.has(origin)) throw unavailable(host, 'is not an allowed host');
    const signals = [AbortSignal.timeout(requestTimeoutMs), ...(init.signal ? [init.signal] : [])];
    const response = await globalThis.fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) }).catch((error: unknown) => {
      throw unavailable(host, 'does not answer', error);
    });
    const { status, statusText, headers } = response;
    const body = await readBody(response, host);
    if (status >= 500 || status === 429) throw unavailable(host, `answers ${status}`);
    if (status >= 300 && status < 400) throw unavailable(host, `redirects (${status})`);
    return new Response(status === 204 ? null : body, { status, statusText, headers });
  }
}

async function readBody(response: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > maxBytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw unavailable(host, 'does not finish its answer', error);
  }
  if (length > maxBytes) throw unavailable(host, 'sent too long an answer');
  return new Uint8Array(Buffer.concat(parts));
}
