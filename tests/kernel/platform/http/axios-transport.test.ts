import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { AxiosTransport } from '../../../../src/kernel/platform/http/axios-transport.ts';
import { requestTimeoutMs, type WireRequest } from '../../../../src/kernel/platform/http/transport.ts';
import { expectConsoleError } from '../../../support/console-errors.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly auth: string;
  readonly body: string;
}

let server: Server;
let base: string;
let seen: Seen | undefined;

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Allow-Headers', 'things-auth,content-type');
  if (request.method === 'OPTIONS') return void response.end();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method = '', url = '', headers } = request;
  seen = { method, url, type: headers['content-type'] ?? '', auth: String(headers['things-auth'] ?? ''), body };
  if (url.startsWith('/hang')) return;
  const wait = Number(/^\/wait\/(\d+)/.exec(url)?.[1] ?? 0);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  const status = Number(/^\/status\/(\d+)/.exec(url)?.[1] ?? 200);
  response.writeHead(status, { 'content-type': url.includes('html') ? 'text/html' : 'application/json' });
  response.end(url.includes('html') ? '<html>' : url.includes('empty') ? '' : JSON.stringify({ code: status }));
}

const send = (request: Partial<WireRequest>, timeout?: number) =>
  new AxiosTransport(base, timeout).request({
    method: 'GET',
    path: '/',
    headers: { 'Things-Auth': 'bearer a' },
    signal: new AbortController().signal,
    ...request,
  });

describe('axios transport', () => {
  test('sends a query, a header and reads JSON', async () => {
    expect(await send({ path: '/list', query: { name: 'a b&c', current: '1' } })).toEqual({ status: 200, body: { code: 200 } });
    expect(seen).toMatchObject({ method: 'GET', url: '/list?name=a+b%26c&current=1', auth: 'bearer a' });
  });

  test('sends JSON and forms unchanged', async () => {
    await send({ method: 'POST', body: { json: { ids: ['1'], remark: null } } });
    expect(seen).toMatchObject({ method: 'POST', type: 'application/json', body: '{"ids":["1"],"remark":null}' });
    await send({ method: 'POST', body: { form: { username: 'a b', password: 'x&y' } } });
    expect(seen?.type).toContain('application/x-www-form-urlencoded');
    expect(seen?.body).toBe('username=a+b&password=x%26y');
  });

  for (const status of [200, 204, 400, 401, 423, 500]) {
    test(`a status of ${status} is an answer`, async () => {
      if (status >= 400) expectConsoleError(new RegExp(`/status/${status} ${status} `));
      expect((await send({ path: `/status/${status}` })).status).toBe(status);
    });
  }

  for (const status of [501, 502, 503, 504]) {
    test(`a status of ${status} is no answer`, async () => {
      expectConsoleError(new RegExp(`/status/${status} ${status} `));
      await expect(send({ path: `/status/${status}` })).rejects.toMatchObject({ name: 'TransportError', fault: 'unavailable', code: status });
    });
  }

  test('text stays text and an empty body stays empty', async () => {
    expect((await send({ path: '/html' })).body).toBe('<html>');
    expect((await send({ path: '/empty' })).body).toBe('');
  });

  test('a server that does not answer in time is a time-out', async () => {
    expectConsoleError(/socket hang up/);
    // The preflight has been answered by then, also on a busy machine.
    await expect(send({ path: '/hang' }, 1000)).rejects.toMatchObject({ fault: 'timeout' });
  });

  test('a request has ten seconds unless it is an upload or a stream', async () => {
    expect(requestTimeoutMs).toBe(10_000);
    const timeoutOf = (transport: AxiosTransport) => (transport as unknown as { timeoutMs: number }).timeoutMs;
    expect(timeoutOf(new AxiosTransport(base))).toBe(requestTimeoutMs);
    expectConsoleError(/socket hang up/);
    const path = '/wait/2500';
    const upload = { method: 'POST', path, body: { fields: {}, file: new File(['x'], 'x.txt') } } as const;
    const opening = new AbortController();
    const stream = new AxiosTransport(base, 1000).open({ method: 'GET', path: '/hang', headers: {}, signal: opening.signal }).catch(({ fault }) => fault);
    const outcomes = await Promise.all([
      send({ path }, 1000).catch(({ fault }) => fault),
      send({ method: 'POST', path, body: { json: {} } }, 1000).catch(({ fault }) => fault),
      send(upload, 1000).then(({ status }) => status),
      send({ ...upload, onProgress: () => undefined }, 1000).then(({ status }) => status),
    ]);
    expect(outcomes).toEqual(['timeout', 'timeout', 200, 200]);
    // Two and a half seconds later only its signal has ended the stream.
    opening.abort();
    expect(await stream).toBe('cancelled');
    // The connection is reported as broken a moment after its request.
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

  test('an encrypted body is sent as plain text', async () => {
    await send({ method: 'POST', body: { text: 'MOfLtxzZ0YgS4+5cPylFYw==' } });
    expect(seen).toMatchObject({ method: 'POST', type: 'text/plain', body: 'MOfLtxzZ0YgS4+5cPylFYw==' });
  });

  test('an address without a listener is unreachable', async () => {
    expectConsoleError(/ECONNREFUSED/);
    const nobody = new AxiosTransport('http://127.0.0.1:9');
    await expect(nobody.request({ method: 'GET', path: '/', headers: {}, signal: new AbortController().signal })).rejects.toMatchObject({
      fault: 'unreachable',
    });
  });

  test('an aborted request is cancelled', async () => {
    expectConsoleError(/socket hang up/);
    seen = undefined;
    const controller = new AbortController();
    const asked = send({ path: '/hang', signal: controller.signal });
    const outcome = asked.catch((error: unknown) => error);
    while ((seen as Seen | undefined)?.url !== '/hang') await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await outcome).toMatchObject({ fault: 'cancelled' });
  });
});
