import { type IncomingHttpHeaders, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { ServerContext } from '#server';

/** What is asked of an address. */
export interface HttpQuestion {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
  /** Milliseconds until the whole answer has to be here. */
  readonly patience: number;
  /** What is longer is cut off here. */
  readonly mostBytes: number;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** It took longer than it may. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

/** Asks an address through the way out. Rejects with the connection's own error, `EgressRefused` or `NoAnswerInTime`. */
export function httpAnswer(
  egress: ServerContext['egress'],
  url: URL,
  { method, headers, body, signal, patience, mostBytes }: HttpQuestion,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const agent = isSecure ? egress.agents.httpsAgent : egress.agents.httpAgent;
    const given = { 'user-agent': 'marquee', 'content-length': String(Buffer.byteLength(body)), ...headers };
    const asking = (isSecure ? secureRequest : request)(url, { method, headers: given, agent, ...(signal ? { signal } : {}) }, (reply) => {
      const parts: Buffer[] = [];
      let size = 0;
      reply.on('data', (part: Buffer) => {
        if (size < mostBytes) parts.push(part.subarray(0, mostBytes - size));
        size += part.length;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(parts).toString('utf8') }));
      reply.on('error', reject);
    });
    const late = setTimeout(() => asking.destroy(new NoAnswerInTime('no answer in time')), patience);
    asking.on('error', reject);
    asking.on('close', () => clearTimeout(late));
    asking.end(body);
  });
}
