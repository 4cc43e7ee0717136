import { type IncomingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Egress } from './egress.ts';

type Agents = Egress['agents'];

/** Request to send. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
  /** Time-out for the complete response, in milliseconds. */
  readonly timeoutMs: number;
  /** Limit after which the response body is truncated. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The response did not arrive within the time-out. */
export class HttpTimeoutError extends Error {
  override readonly name = 'HttpTimeoutError';
}

/** Methods of which a repeated request has no further effect. */
const idempotentMethods: readonly string[] = ['GET', 'HEAD', 'PUT', 'DELETE'];

/**
 * Sends a request through these agents. Rejects with the connection's own error or `HttpTimeoutError`. A server may close an idle connection at the moment it is used
 * again; such a request is sent again, at last on a new connection, if its method or its idempotency key allows it.
 */
export async function sendHttp(agents: Agents, url: URL, request: HttpRequest): Promise<HttpResponse> {
  const isRepeatable = idempotentMethods.includes(request.method) || 'idempotency-key' in request.headers;
  let response: HttpResponse | undefined;
  while (!response) response = await sendOnce(agents, url, request, isRepeatable);
  return response;
}

/** Resolves undefined if the server had closed the reused connection and `isRepeatable` is true. */
function sendOnce(
  agents: Agents,
  url: URL,
  { method, headers, body, signal, timeoutMs, maxBytes }: HttpRequest,
  isRepeatable: boolean,
): Promise<HttpResponse | undefined> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const agent = isSecure ? agents.httpsAgent : agents.httpAgent;
    const requestHeaders = { 'user-agent': 'marquee', 'content-length': String(Buffer.byteLength(body)), ...headers };
    const outgoing = (isSecure ? secureRequest : request)(url, { method, headers: requestHeaders, agent, ...(signal ? { signal } : {}) }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        if (size < maxBytes) parts.push(part.subarray(0, maxBytes - size));
        size += part.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString('utf8') }));
      response.on('error', reject);
    });
    const timeout = setTimeout(() => outgoing.destroy(new HttpTimeoutError('no response in time')), timeoutMs);
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      isRepeatable && outgoing.reusedSocket && error.code === 'ECONNRESET' ? resolve(undefined) : reject(error),
    );
    outgoing.on('close', () => clearTimeout(timeout));
    outgoing.end(body);
  });
}
