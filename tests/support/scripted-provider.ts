import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the provider received. */
export interface ProviderCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Reply of the provider; a promise that never resolves sends none. */
export interface ProviderAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** Provider on this machine with scripted replies. */
export interface ScriptedProvider {
  readonly origin: string;
  readonly calls: ProviderCall[];
  /** Sets the reply of this path from now on. */
  on(path: string, answer: ProviderAnswer | ((call: ProviderCall) => ProviderAnswer | Promise<ProviderAnswer>)): void;
  stop(): Promise<void>;
}

/** Starts a provider on a free loopback port; unknown paths answer 404. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const calls: ProviderCall[] = [];
  const answers = new Map<string, (call: ProviderCall) => ProviderAnswer | Promise<ProviderAnswer>>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const url = new URL(request.url ?? '/', 'http://provider');
      const call = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      };
      calls.push(call);
      const { status = 200, headers = {}, body } = (await answers.get(call.path)?.(call)) ?? { status: 404, body: 'nothing here' };
      const isText = typeof body === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers }).end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    on: (path, answer) => answers.set(path, typeof answer === 'function' ? answer : () => answer),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
