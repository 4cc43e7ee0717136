import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let port: number;
let headers: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'marquee-console-'));

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><link rel="icon" href="/icon.svg"><title>Marquee</title>');
  writeFileSync(join(folder, 'plain.txt'), 'text');
  server = await openTestServer({ plugins: [ledgerPlugin], environment: { CONSOLE_DIR: folder, TRUST_PROXY: '1' } });
  headers = await server.signIn();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Sends these bytes and returns the response. */
const answerTo = (bytes: string) =>
  new Promise<{ status: number; headers: Record<string, string>; body: string }>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\r\n\r\n')) return;
      socket.destroy();
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const entries = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
      resolve({ status: Number(first.split(' ')[1]), headers: Object.fromEntries(entries), body });
    });
    socket.on('error', reject);
  });

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
};
const get = (path: string, extraHeaders = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${extraHeaders}\r\n`;
const tokenHeader = () => `things-auth: ${headers['things-auth']}\r\n`;
const post = (path: string, body: string, extraHeaders = '') =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n${extraHeaders}\r\n${body}`;

test('every response has the security headers, errors of each stage too', async () => {
  const requests: readonly (readonly [status: number, bytes: string])[] = [
    [200, get('/')],
    [200, get('/plain.txt')],
    [302, get('/favicon.ico')],
    [404, get('/api/none')],
    [404, get('/assets/none.js')],
    [400, get('/%zz')],
    [400, get('/api/%zz')],
    [405, get('/api/test/ledger/submit')],
    [401, get('/api/test/ledger/list')],
    [500, get('/api/test/ledger/broken')],
    [413, post('/api/things-auth/oauth/logout', 'x'.repeat(20_000), 'content-type: application/json\r\n')],
    [415, post('/api/things-auth/oauth/logout', 'x', 'content-type: image/png\r\n')],
    [200, get('/api/live/events', tokenHeader())],
    [431, get('/', `x-long: ${'x'.repeat(20_000)}\r\n`)],
    [400, 'nonsense\r\n\r\n'],
    [400, get('/', 'content-length: -1\r\n')],
  ];
  for (const [status, bytes] of requests) {
    const answer = await answerTo(bytes);
    expect({ request: bytes.slice(0, 60), status: answer.status, ...answer.headers }).toMatchObject({
      request: bytes.slice(0, 60),
      status,
      ...securityHeaders,
    });
  }
});

test('signing out over HTTPS clears the caches of the browser and keeps its storage', async () => {
  const signOut = async (method: 'GET' | 'POST', url: string, payload?: object, protocol = 'https') => {
    const reply = await server.app.inject({
      method,
      url,
      headers: { ...(await server.signIn()), 'x-forwarded-proto': protocol },
      ...(payload ? { payload } : {}),
    });
    return [reply.statusCode, reply.headers['clear-site-data']];
  };
  const logout = '/api/things-auth/oauth/logout';
  expect(await signOut('GET', logout)).toEqual([200, '"cache"']);
  expect(await signOut('POST', logout, {})).toEqual([200, '"cache"']);
  expect(await signOut('POST', '/api/blade-auth/logout', {})).toEqual([200, '"cache"']);
  // A body of the wrong type signs out nothing.
  expect(await signOut('POST', logout, [])).toEqual([200, undefined]);
  expect(await signOut('GET', logout, undefined, 'http')).toEqual([200, undefined]);
});

test('a request that the HTTP parser rejects gets the JSON envelope', async () => {
  const { headers: received, body } = await answerTo(get('/', `x-long: ${'x'.repeat(20_000)}\r\n`));
  expect(received).toMatchObject({ 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  expect(JSON.parse(body)).toEqual({ code: 431, success: false, data: null, msg: '请求头过大' });
});

test('responses over HTTPS have Strict-Transport-Security', async () => {
  const { headers: received } = await server.app.inject({ method: 'GET', url: '/health/live', headers: { 'x-forwarded-proto': 'https' } });
  expect(received).toMatchObject({ 'strict-transport-security': expect.stringContaining('max-age'), 'cross-origin-opener-policy': 'same-origin' });
});
