import { type IncomingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { ServerContext } from '#server';

/** HTTP request to send. */
export interface HttpQuestion {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
  /** Time-out for the complete response, in milliseconds. */
  readonly timeoutMs: number;
  /** Limit after which the response body is truncated. */
  readonly mostBytes: number;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The response did not arrive within the time-out. */
export class HttpTimeoutError extends Error {
  override readonly name = 'HttpTimeoutError';
}

/** Sends a request through the egress guard, which refuses internal addresses. Rejects with the connection's own error, `EgressError` or `HttpTimeoutError`. */
export function httpAnswer(
  egress: ServerContext['egress'],
  url: URL,
  { method, headers, body, signal, timeoutMs, mostBytes }: HttpQuestion,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const agent = isSecure ? egress.agents.httpsAgent : egress.agents.httpAgent;
    const requestHeaders = { 'user-agent': 'marquee', 'content-length': String(Buffer.byteLength(body)), ...headers };
    const asking = (isSecure ? secureRequest : request)(url, { method, headers: requestHeaders, agent, ...(signal ? { signal } : {}) }, (reply) => {
      const parts: Buffer[] = [];
      let size = 0;
      reply.on('data', (part: Buffer) => {
        if (size < mostBytes) parts.push(part.subarray(0, mostBytes - size));
        size += part.length;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(parts).toString('utf8') }));
      reply.on('error', reject);
    });
    const late = setTimeout(() => asking.destroy(new HttpTimeoutError('no answer in time')), timeoutMs);
    asking.on('error', reject);
    asking.on('close', () => clearTimeout(late));
    asking.end(body);
  });
}
