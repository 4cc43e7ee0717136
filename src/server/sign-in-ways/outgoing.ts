import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';

/** Milliseconds one answer may take, and a whole sign-in with all it asks. */
const patience = 5000;
const wholePatience = 8000;
const mostBytes = 256 * 1024;

/** A provider that cannot be asked now. The cause names its host and never the address, which may hold secrets. */
const away = (host: string, why: string, cause?: unknown) => new Refusal(wayProblems.providerAway, {}, { cause: new Error(`${host}: ${why}`, { cause }) });

/** Asks providers: only those whose origins it was given, without following redirects, with little patience and for short answers. */
export class Outgoing {
  private readonly origins: ReadonlySet<string>;

  constructor(addresses: readonly (string | URL)[]) {
    this.origins = new Set(addresses.map((address) => new URL(address).origin));
  }

  /** The time one sign-in may take in all. */
  deadline(): AbortSignal {
    return AbortSignal.timeout(wholePatience);
  }

  /** As `fetch`; an answer of 5xx, 429 or none at all is a refusal, and so is a redirect. */
  async fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const { origin, host } = new URL(address);
    if (!this.origins.has(origin)) throw away(host, 'is none of the hosts that may be asked');
    const signals = [AbortSignal.timeout(patience), ...(init.signal ? [init.signal] : [])];
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
      if (length > mostBytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw away(host, 'does not finish its answer', error);
  }
  if (length > mostBytes) throw away(host, 'answers at too great a length');
  return new Uint8Array(Buffer.concat(parts));
}
