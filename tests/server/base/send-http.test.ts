import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@rstest/core';
import { Egress } from '../../../src/server/base/egress.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a service that answers each connection once and closes it when it is used again. */
async function forgetfulService(): Promise<{ url: URL; requests: string[] }> {
  const requests: string[] = [];
  const used = new WeakSet<object>();
  const server = createServer((request, response) => {
    requests.push(request.method ?? '');
    if (used.has(request.socket)) return void request.socket.resetAndDestroy();
    used.add(request.socket);
    response.end('done');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), requests };
}

const call = (method: string, headers: Record<string, string> = {}) => ({ method, headers, body: '', timeoutMs: 5000, maxBytes: 100 });

test('a request on a connection that the server has just closed is sent again', async () => {
  const egress = new Egress('127.0.0.1');
  const { url, requests } = await forgetfulService();
  await egress.send(url, call('GET'));
  expect((await egress.send(url, call('GET'))).text).toBe('done');
  expect((await egress.send(url, call('POST', { 'idempotency-key': '1' }))).text).toBe('done');
  expect(requests).toEqual(['GET', 'GET', 'GET', 'POST', 'POST']);
});

test('a request whose repetition could have an effect is not repeated', async () => {
  const egress = new Egress('127.0.0.1');
  const { url, requests } = await forgetfulService();
  await egress.send(url, call('GET'));
  await expect(egress.send(url, call('POST'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(requests).toEqual(['GET', 'POST']);
});
