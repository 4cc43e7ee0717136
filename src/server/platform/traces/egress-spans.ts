import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { currentSpan, type Span } from '../../base/work.ts';

interface FetchRequest {
  readonly origin: string | URL;
  readonly method: string;
}

/**
 * Records the requests that traced work sends to other systems, as Node.js reports them on its diagnostics channels: those of `fetch` and those of `node:http`, by
 * whatever library. A span names method, host, port and status; paths are left out, because addresses of webhooks contain secrets. No trace context is sent to other systems.
 */
export function recordEgress(): () => void {
  const spans = new WeakMap<object, Span>();
  const withoutAnswer = new WeakSet<object>();
  const begin = (request: object, method: string, url: URL) => {
    const parent = currentSpan();
    if (!parent) return;
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const attributes = { 'http.request.method': method, 'url.scheme': url.protocol.slice(0, -1), 'server.address': url.hostname, 'server.port': port };
    spans.set(request, parent.child(method, 'client', attributes));
    withoutAnswer.add(request);
  };
  const answered = (request: object, status: number | undefined) => {
    const span = spans.get(request);
    withoutAnswer.delete(request);
    span?.set({ 'http.response.status_code': status });
    // As OpenTelemetry's conventions have it, a client's span fails from 400 on.
    if (status !== undefined && status >= 400) span?.end({ code: String(status) });
  };
  const end = (request: object, error?: unknown) => spans.get(request)?.end(error);
  const listeners = {
    'undici:request:create': ({ request }: { request: FetchRequest }) => begin(request, request.method, new URL(request.origin)),
    'undici:request:headers': ({ request, response }: { request: object; response: { statusCode: number } }) => answered(request, response.statusCode),
    'undici:request:trailers': ({ request }: { request: object }) => end(request),
    'undici:request:error': ({ request, error }: { request: object; error: unknown }) => end(request, error),
    'http.client.request.start': ({ request }: { request: ClientRequest }) => {
      begin(request, request.method, addressOf(request));
      // A listener for errors would hide them from a sender that has none.
      if (spans.has(request)) request.once('close', () => end(request, withoutAnswer.has(request) ? { code: 'ECONNRESET' } : undefined));
    },
    'http.client.response.finish': ({ request, response }: { request: ClientRequest; response: IncomingMessage }) => {
      answered(request, response.statusCode);
    },
  };
  for (const [name, listener] of Object.entries(listeners)) channel(name).subscribe(listener as (message: unknown) => void);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) channel(name).unsubscribe(listener as (message: unknown) => void);
  };
}

/** Returns scheme, host and port of a request. */
function addressOf(request: ClientRequest): URL {
  const host = String(request.getHeader('host') ?? request.host);
  const text = `${request.protocol}//${host}`;
  return new URL(URL.canParse(text) ? text : `${request.protocol}//${request.host}`);
}
