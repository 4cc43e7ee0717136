import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let signedIn: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'marquee-console-'));
const page = '<!doctype html><title>Marquee</title>';
const script = `/* ${'x'.repeat(2000)} */`;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, '.env'), 'SECRET=1');
  writeFileSync(join(folder, 'assets/main.0123456789.js'), script);
  writeFileSync(join(folder, 'assets/main.0123456789.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets/main.0123456789.js.gz'), gzipSync(script));
  server = await openTestServer({ plugins: [ledgerPlugin], environment: { CONSOLE_DIR: folder } });
  signedIn = await server.signIn();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const html = { accept: 'text/html,application/xhtml+xml' };
const fetched = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' | 'HEAD' = 'GET') => server.app.inject({ method, url, headers });

test('the page is never cached, and hashed assets always are', async () => {
  const index = await fetched('/', html);
  expect({ body: index.body, cache: index.headers['cache-control'] }).toEqual({ body: page, cache: 'no-cache' });
  const asset = await fetched('/assets/main.0123456789.js');
  expect({ body: asset.body, cache: asset.headers['cache-control'] }).toEqual({ body: script, cache: 'public, max-age=31536000, immutable' });
  expect(asset.headers['content-type']).toContain('javascript');
});

test('the compressed copy is sent to clients that accept it, with the same type and caching as the file', async () => {
  const decompressed = { br: brotliDecompressSync, gzip: gunzipSync, plain: (content: Buffer) => content };
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', 'plain'],
  ] as const) {
    for (const time of ['first', 'again']) {
      const { headers, rawPayload } = await fetched('/assets/main.0123456789.js', { 'accept-encoding': accepted });
      const { 'content-encoding': sent = 'plain', 'content-type': type, 'cache-control': cache, vary } = headers;
      expect({ accepted, time, sent, body: decompressed[encoding](rawPayload).toString() }).toEqual({ accepted, time, sent: encoding, body: script });
      expect({ type, cache }).toEqual({ type: expect.stringMatching(/javascript; charset=utf-8$/i), cache: 'public, max-age=31536000, immutable' });
      if (encoding !== 'plain') expect(vary).toBe('accept-encoding');
    }
  }
});

test('files of a build that replaced the running one are found, and no address leads out of the folder', async () => {
  writeFileSync(join(folder, 'assets/later.0123456789.js'), script);
  writeFileSync(join(folder, 'assets/later.0123456789.js.br'), brotliCompressSync(script));
  const later = await fetched('/assets/later.0123456789.js', { 'accept-encoding': 'br' });
  expect({ status: later.statusCode, body: brotliDecompressSync(later.rawPayload).toString() }).toEqual({ status: 200, body: script });
  for (const url of ['/assets/..%2f.env', '/assets/../.env', '/assets/%2e%2e/.env', '/assets/missing.js']) {
    const { statusCode, body } = await fetched(url, { 'accept-encoding': 'br' });
    expect({ url, isRefused: statusCode === 400 || statusCode === 404, body }).toEqual({ url, isRefused: true, body: expect.not.stringContaining('SECRET') });
  }
});

test('a monitor that takes compressed files and asks for no page gets the page', async () => {
  const reply = await fetched('/', { 'accept-encoding': 'br, gzip', accept: '*/*' });
  const { 'content-encoding': encoding, 'content-type': type } = reply.headers;
  const body = encoding === 'br' ? brotliDecompressSync(reply.rawPayload).toString() : reply.body;
  expect({ status: reply.statusCode, type, body }).toEqual({ status: 200, type: 'text/html; charset=utf-8', body: page });
});

test('long answers of the API are compressed for clients that accept it, short ones never', async () => {
  const plain = await fetched('/api/openapi.json', signedIn);
  for (const [accepted, decompress] of [
    ['br, gzip', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const reply = await fetched('/api/openapi.json', { ...signedIn, 'accept-encoding': accepted });
    expect(decompress(reply.rawPayload).toString()).toBe(plain.body);
    expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    expect(reply.headers.vary).toContain('accept-encoding');
  }
  expect((await fetched('/health/live', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
});

test('a deep link gets the page, a missing asset a 404 and no page', async () => {
  for (const url of ['/system/param/index', '/login', '/info/v1.2?tab=1']) expect((await fetched(url, html)).body).toBe(page);
  for (const [url, headers] of [
    ['/assets/gone.js', html],
    ['/assets/gone.js', {}],
    ['/favicon.ico', {}],
    ['/api/none', html],
    ['/api', html],
  ] as const) {
    const reply = await fetched(url, headers);
    expect({ url, status: reply.statusCode, page: reply.body.includes('<title>') }).toEqual({ url, status: 404, page: false });
  }
});

test('nothing outside the folder and no hidden file is served', async () => {
  for (const url of ['/../package.json', '/..%2f..%2fetc/passwd', '/assets/..%2f..%2fpackage.json', '/.env', '/%2e%2e/%2e%2e/etc/passwd']) {
    const reply = await fetched(url);
    expect({ url, served: reply.statusCode === 200 }).toEqual({ url, served: false });
  }
});

test('every reply carries the security headers and nothing asks plain HTTP for HTTPS', async () => {
  for (const url of ['/', '/api/none', '/health/live', '/assets/main.0123456789.js']) {
    const { headers } = await fetched(url, html);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script';trusted-types marquee ");
    expect(policy).toMatch(/;report-uri \/api\/csp-report;/);
    expect(policy).not.toMatch(/upgrade-insecure|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-request-id']).toMatch(/^[\w-]{8,64}$/);
  }
});

test('a request id of a proxy is kept if it is a plain word', async () => {
  expect((await fetched('/health/live', { 'x-request-id': 'proxy-0123456789' })).headers['x-request-id']).toBe('proxy-0123456789');
  expect((await fetched('/health/live', { 'x-request-id': 'a b\tc<script>' })).headers['x-request-id']).not.toContain('<');
});

test('live and ready answer', async () => {
  expect((await server.get('/health/live')).body).toEqual({ status: 'live' });
  expect((await server.get('/health/ready')).body).toEqual({ status: 'ready' });
});

test('the specification describes every call in OpenAPI 3.1', async () => {
  const { body } = await server.get('/api/openapi.json', { headers: signedIn });
  expect(body.openapi).toBe('3.1.0');
  const list = body.paths['/api/test/ledger/list'].get;
  expect(list.summary).toBe('列表');
  expect(list.description).toContain('`ledger`');
  expect(list.security).toEqual([{ token: [] }]);
  expect(list.parameters.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['current', 'size', 'ascs', 'descs', 'title']));
  const reply = list.responses['200'].content['application/json'].schema;
  expect(Object.keys(reply.properties)).toEqual(['code', 'success', 'data', 'msg']);
  const submit = body.paths['/api/test/ledger/submit'].post;
  expect(submit.description).toContain('`ledger_add`, or `ledger_edit` with an id');
  expect(submit.requestBody.content['application/json'].schema.properties.amount).toMatchObject({ type: 'integer', maximum: 100 });
  expect(body.paths['/api/things-auth/oauth/token'].post.security ?? []).toEqual([]);
  expect(body.paths['/api/blade-auth/oauth/token']).toBeDefined();
  const failure = body.paths['/api/things-auth/oauth/token'].post.responses['400'].content['application/json'].schema;
  expect(Object.keys(failure.properties)).toEqual(['error', 'error_description', 'mfa_token', 'mfa_methods', 'ending']);
  expect(failure.properties.ending.enum).toContain('kicked');
  expect(Object.keys(body.paths).some((path) => path.startsWith('/api/docs'))).toBe(false);
});

test('the page of the API has its own policy', async () => {
  const reply = await fetched('/api/docs/', { ...html, ...signedIn });
  expect(reply.statusCode).toBe(200);
  const policy = String(reply.headers['content-security-policy']);
  expect(policy).toContain("style-src 'self' 'unsafe-inline'");
  expect(policy).not.toContain('upgrade-insecure');
});

test('the specification is for signed-in users at each of its addresses, unless the deployment opens or hides it', async () => {
  const addresses = ['/api/openapi.json', '/api/docs/', '/api/docs/json', '/api/docs/yaml', '/api/docs/static/swagger-ui.css'];
  const statuses = async ({ app }: TestServer, headers: Record<string, string> = {}) => {
    const seen = new Set<number>();
    for (const url of addresses) seen.add((await app.inject({ method: 'GET', url, headers })).statusCode);
    return [...seen];
  };
  expect(await statuses(server)).toEqual([401]);
  expect(await statuses(server, { 'things-auth': 'bearer of.no.token' })).toEqual([401]);
  expect((await fetched('/api/openapi.json')).json()).toMatchObject({ code: 401, success: false });
  expect(await statuses(server, signedIn)).toEqual([200]);
  for (const [API_DOCS, status] of [
    ['open', 200],
    ['off', 404],
  ] as const) {
    const other = await openTestServer({ environment: { API_DOCS } });
    expect(await statuses(other)).toEqual([status]);
    await other.stop();
  }
});
