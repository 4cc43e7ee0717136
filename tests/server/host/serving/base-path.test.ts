import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { effectiveManifest, settingsElement } from '#shared/effective-manifest';
import { documentOf } from '../../../../src/plugins/email/server/rendering.ts';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { settingsUnder } from '../../../../src/server/host/serving/console-page.ts';
import { openStartingServer } from '../../../../src/server/host/serving/starting-server.ts';
import { testManifest } from '../../../support/test-manifest.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const base = '/tools/marquee';
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const folder = mkdtempSync(join(tmpdir(), 'marquee-base-'));
const page =
  '<!doctype html><html lang="zh-CN"><head><link rel="icon" href="/icon.svg?1"><script src="/pre-paint.js" data-prefix="test-" data-theme="theme-default"></script>' +
  '<script defer src="/assets/index.1.js"></script><link href="/assets/index.1.css" rel="stylesheet"></head></html>';

let server: TestServer;
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'help.html'), '<!doctype html><p>Help</p>');
  writeFileSync(join(folder, 'assets/index.1.js'), 'start()');
  const endpoint = (path: string) => `https://provider.test/${path}`;
  const environment = {
    BASE_PATH: base,
    CONSOLE_DIR: folder,
    API_DOCS: 'open',
    METRICS_TOKEN: 'c2f0a51d9be84731a6',
    PUBLIC_URL: 'https://company.test',
    SOCIAL_ENDPOINTS: JSON.stringify({ github: { authorize: endpoint('authorize'), token: endpoint('token'), user: endpoint('user') } }),
  };
  server = await openTestServer({ plugins, environment });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const inject = (url: string, headers: Record<string, string> = {}) => server.app.inject({ method: 'GET', url, headers });
const html = { accept: 'text/html' };

test('the page, deep links and files are served under the base path, and the page names addresses there only', async () => {
  for (const path of ['', '/', '/?safe=1', '/index.html', '/system/param/index']) {
    const { statusCode, body, headers } = await inject(base + path, html);
    expect(statusCode).toBe(200);
    expect(body).toContain(`<html data-base="${base}" lang="zh-CN">`);
    const addresses = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(['/icon.svg?1', '/pre-paint.js', '/assets/index.1.js', '/assets/index.1.css'].map((address) => base + address));
    expect(body).toContain('data-prefix="test-tools-marquee-"');
    const settings = new RegExp(`id="${settingsElement}">(.*?)</script>`).exec(body)?.[1] ?? '';
    expect(JSON.parse(settings)).toEqual({ apiBase: base, storagePrefix: 'test-tools-marquee-' });
    expect(headers['content-security-policy']).toContain(`;report-uri ${base}/api/csp-report`);
  }
  expect((await inject(`${base}/assets/index.1.js`)).body).toBe('start()');
  const framed = await inject(`${base}/help.html`, { ...html, 'sec-fetch-dest': 'iframe' });
  expect(framed.body).toContain('Help');
  expect(framed.headers['content-security-policy']).toContain(`;report-uri ${base}/api/csp-report`);
  expect((await inject(`${base}/favicon.ico`)).headers.location).toBe(`${base}/icon.svg?1`);
  expect((await inject(`${base}/`, { ...html, 'x-forwarded-proto': 'https' })).headers['reporting-endpoints']).toBeUndefined();
});

test('addresses outside of the base path answer 404; the root redirects to it, and probes stay there', async () => {
  for (const url of ['/system/param/index', '/assets/index.1.js', '/api/things-auth/oauth/captcha', `${base}2/`, '/tools', '/marquee/', '//tools/marquee/']) {
    const { statusCode, headers, body } = await inject(url, html);
    expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'application/json; charset=utf-8']);
    expect(body).not.toContain('<html');
  }
  const root = await inject('/?from=mail', html);
  expect([root.statusCode, root.headers.location]).toEqual([302, `${base}/`]);
  const bearer = { authorization: 'Bearer c2f0a51d9be84731a6' };
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    expect((await inject(path, bearer)).statusCode).toBe(200);
    expect((await inject(base + path, bearer)).statusCode).toBe(200);
  }
  expect((await inject('/health/other')).statusCode).toBe(404);
  expect((await inject(`${base}/api/gone`)).json()).toMatchObject({ code: 404, success: false });
});

test('a starting server answers the liveness probe on both paths', async () => {
  const starting = await openStartingServer('127.0.0.1', 0, { headers: {}, basePath: base });
  const statuses = await Promise.all(
    ['/health/live', `${base}/health/live`, `${base}/`].map(async (path) => (await fetch(`http://127.0.0.1:${starting.port}${path}`)).status),
  );
  await starting.close();
  expect(statuses).toEqual([200, 200, 503]);
});

test('links to files contain the base path in replies, and stored records do not', async () => {
  const headers = await server.signIn();
  const { data: file } = await server.upload('/api/file/uploadFile', { name: 'logo.png', content: picture }, { headers });
  expect(file.link).toMatch(`${base}/api/file/blob?key=`);
  expect((await inject(file.link)).statusCode).toBe(200);
  const saved = await server.post('/api/blade-system/user/update-info', { avatar: file.link }, { headers });
  expect(saved.code, saved.msg).toBe(200);
  const [row] = await server.sql(`select avatar from user_account where account = 'admin'`);
  expect(row?.avatar).toMatch(/^\/api\/file\/blob\?key=/);
  const info = await server.get('/api/blade-auth/oauth/user-info', { headers });
  expect(JSON.stringify(info.body)).toContain(`"${base}${row?.avatar}`);
  const direct = await server.get('/api/file/fileSignature', { headers, query: { fileName: 'a.txt', name: 'a.txt' } });
  expect(JSON.stringify(direct.body)).toContain(`"${base}/api/file/direct"`);
});

test('cookies and redirects of sign-in are under the base path, and providers return there', async () => {
  const granted = await server.post('/api/things-auth/oauth/token', undefined, {
    headers: { authorization: `Basic ${btoa('sryx:sryx_secret')}` },
    query: { grant_type: 'password', tenantId: '000000', username: 'admin', password: 'Evening-Lights-2026' },
  });
  expect(String(granted.headers['set-cookie'])).toContain(`; Path=${base}/;`);
  const headers = await server.signIn();
  const app = { source: 'github', clientId: 'id', clientSecret: 'secret of the app' };
  const saved = await server.post('/api/blade-system/social-app/submit', app, { headers });
  expect(saved.code, saved.msg).toBe(200);
  const path = '/api/blade-auth/oauth/render/github';
  const { headers: sent } = await server.get(path, { query: { tenantId: '000000', moved: '1', back: '/wel/index' } });
  expect(new URL(String(sent.location)).searchParams.get('redirect_uri')).toBe(`https://company.test${base}/oauth/redirect/github`);
  const [state, back] = [sent['set-cookie']].flat().map(String);
  expect(state).toContain(`; Path=${base}/;`);
  expect(back).toContain(`; Path=${base}/oauth/redirect;`);
  const elsewhere = await server.get(path, { headers: { host: 'other.test' }, query: { tenantId: '000000' } });
  expect(String(elsewhere.headers.location)).toMatch(`https://company.test${base}${path}?`);
  await server.sql(
    `insert into client (client_id, secret_hash, is_public, authorized_grant_types, web_server_redirect_uri)
      values ('mobile', '', true, '["authorization_code"]', 'https://mobile.test/back')`,
  );
  const query = {
    client_id: 'mobile',
    response_type: 'code',
    redirect_uri: 'https://mobile.test/back',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  };
  expect(String((await server.get('/oauth/authorize', { query })).headers.location)).toMatch(`${base}/oauth/consent?`);
});

test('payment providers, BladeX-compatible clients and the API description reach their paths', async () => {
  const notice = await server.app.inject({ method: 'POST', url: `${base}/api/things-task/weixinpay/notify`, payload: { id: 'forged' } });
  const noticeAtRoot = await server.app.inject({ method: 'POST', url: '/api/things-task/weixinpay/notify', payload: { id: 'forged' } });
  expect([notice.statusCode, noticeAtRoot.statusCode]).toEqual([401, 404]);
  const headers = await server.signIn();
  expect((await server.get('/api/blade-system/menu/routes', { headers })).code).toBe(200);
  const docs = (await inject(`${base}/api/docs`, html)).body;
  expect(docs).toContain(`src="${base}/api/docs/static/swagger-ui-bundle.js"`);
  expect((await inject(`${base}/api/docs/static/swagger-initializer.js`)).statusCode).toBe(200);
  const description = (await inject(`${base}/api/openapi.json`)).json();
  expect(description.servers).toEqual([{ url: base }]);
  expect(description.paths['/api/file/blob']).toBeDefined();
});

test('links in e-mails contain the base path', () => {
  const kind = {
    code: 'lamp:lit',
    title: ['灯', 'Lamp'],
    use: 'optional',
    subject: ['灯', 'Lamp'],
    body: [['亮', 'On']],
    action: ['打开', 'Open'],
    sample: {},
  } as const;
  const context = { language: 'en', consoleUrl: 'https://company.test', basePath: base } as const;
  expect(documentOf(kind, { data: {}, link: '/desk/lamp?record=1' }, context).action?.url).toBe(`https://company.test${base}/desk/lamp?record=1`);
  expect(documentOf(kind, { data: {}, link: 'https://elsewhere.test/a' }, context).action?.url).toBe('https://elsewhere.test/a');
  expect(documentOf(kind, { data: {} }, context).footer.join()).toContain(`https://company.test${base}/info/index`);
});

test('pictures of the brand and calls of a console are under the base path, unless they are elsewhere', () => {
  const manifest = { ...testManifest, brand: { name: 'A', logo: '/brand/logo.svg', background: 'https://cdn.test/a.jpg' } };
  const settings = { brand: { favicon: '/acme.svg' } };
  expect(settingsUnder('', manifest, settings)).toBe(settings);
  expect(effectiveManifest(manifest, settingsUnder(base, effectiveManifest(manifest, settings), settings))).toMatchObject({
    apiBase: base,
    brand: { name: 'A', logo: `${base}/brand/logo.svg`, background: 'https://cdn.test/a.jpg', favicon: `${base}/acme.svg` },
  });
  expect(settingsUnder(base, { ...manifest, apiBase: 'https://api.test' }, undefined)?.apiBase).toBe('https://api.test');
});

test.each(['marquee', '/marquee/', '//marquee', '/mar quee', '/a/../b', '/.', '/a"b', '/metrics', '/health/a'])('%s is refused as a base path', (path) => {
  expect(() => readConfiguration({ BASE_PATH: path })).toThrow(`BASE_PATH is "${path}"`);
});

test.each([
  ['', ''],
  ['/', ''],
  ['/marquee', '/marquee'],
  ['/tools/a-b_c.d~e', '/tools/a-b_c.d~e'],
])('the setting "%s" is the base path "%s"', (setting, path) => {
  expect(readConfiguration({ BASE_PATH: setting }).basePath).toBe(path);
});
