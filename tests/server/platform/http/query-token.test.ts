import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { readConfiguration } from '../../../../src/server/base/configuration/configuration.ts';
import { createApp } from '../../../../src/server/platform/http/app.ts';
import { testManifest } from '../../../support/test-manifest.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const template = '/api/blade-system/user/export-template';
const sheet = '/api/blade-system/user/export-user';
let server: TestServer;
let admin: Record<string, string>;
let token: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'access', 'dictionary', 'transfers'] });
  admin = await server.signIn();
  token = (admin['things-auth'] ?? '').slice(7);
});
afterAll(() => server.stop());

/** Returns the rows of all logs as text, after a pause: log rows are written after the replies. */
async function logged(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return JSON.stringify([await server.sql('select * from api_log'), await server.sql('select * from error_log'), await server.sql('select * from usual_log')]);
}

test('a download takes the token in its query, in each spelling, and filters as if it were not there', async () => {
  for (const [name, value] of [
    ['blade-auth', `bearer ${token}`],
    ['Blade-Auth', `bearer ${token}`],
    ['Things-Auth', `Bearer ${token}`],
    ['Blade-Auth', token],
  ] as const) {
    const { status, headers } = await server.get(sheet, { query: { [name]: value, account_equal: 'admin' } });
    expect({ name, value, status }).toEqual({ name, value, status: 200 });
    expect(headers['content-type']).toContain('spreadsheetml');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  }
  expect((await server.get(template, { query: { 'blade-auth': `bearer ${token}` } })).status).toBe(200);
  // Consoles that fetch a sheet by script send both.
  expect((await server.get(sheet, { headers: admin, query: { 'blade-auth': token } })).status).toBe(200);
});

test('calls that answer with data, writes and wrong tokens are refused; the header counts where both are sent', async () => {
  const query = { 'blade-auth': `bearer ${token}` };
  expect((await server.get('/api/blade-system/user/page', { query })).status).toBe(401);
  expect((await server.post('/api/blade-system/user/export', {}, { query })).status).toBe(401);
  expect((await server.get(template, { query: { 'blade-auth': `bearer ${token}x` } })).status).toBe(401);
  expect((await server.get(template, { query: { 'blade-auth': [token, token] } })).status).toBe(401);
  expect((await server.get(template, { query, headers: { 'blade-auth': 'bearer nonsense' } })).status).toBe(401);
  await server.createUser({ account: 'reader', codes: ['user'] });
  const reader = await server.signIn('reader');
  expect((await server.get(template, { query: { 'blade-auth': reader['things-auth'] ?? '' } })).status).toBe(403);
});

test('a token in a query is in no log, with any result of the request', async () => {
  const query = { 'blade-auth': `bearer ${token}`, 'Things-Auth': token };
  for (const path of [sheet, '/api/blade-system/user/page', '/api/file/blob', '/api/no-such-call', '/']) await server.get(path, { query });
  await server.post(
    '/api/blade-auth/oauth/logout',
    [
      {
        url: `https://console.test${sheet}?blade-auth=${token}`,
        time: '',
        type: 'Error',
        message: `GET ${sheet}?blade-auth=bearer%20${token} failed`,
        stack: `at ${sheet}?Things-Auth=${token}`,
        info: '',
      },
    ],
    { headers: admin },
  );
  const text = await logged();
  expect(text).toContain('/api/blade-system/user/export-user');
  expect(text).toContain('failed');
  expect(text).not.toContain(token);
  expect(text).not.toContain(token.slice(-20));
});

test('nothing that reads the address of a request finds the token in it', async () => {
  const app = await createApp(readConfiguration({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), testManifest);
  app.get('/seen', async ({ url, originalUrl, raw, query }) => ({ url, originalUrl, raw: raw.url, query }));
  const url = `/seen?a=1&%62lade-auth=bearer%20${token}&b=%zz&THINGS-AUTH=${token}`;
  const { body } = await app.inject({ method: 'GET', url });
  expect(body).not.toContain(token.slice(-20));
  expect(JSON.parse(body)).toMatchObject({ url: '/seen?a=1&b=%zz', raw: '/seen?a=1&b=%zz', query: { a: '1' } });
  await app.close();
});

test('a client whose tokens live longer than an hour downloads with the header alone, and is answered why', async () => {
  await server.sql(`update client set access_token_validity = 86400`);
  const long = (await server.signIn())['things-auth'] ?? '';
  const reply = await server.get(template, { query: { 'blade-auth': long } });
  expect(reply).toMatchObject({ status: 403 });
  expect(reply.msg).toContain('有效期超过 1 小时');
  expect((await server.get(template, { headers: { 'things-auth': long } })).status).toBe(200);
});

test('a session that has ended takes its download addresses with it', async () => {
  await server.sql(`update client set access_token_validity = 3600`);
  const mine = await server.signIn();
  const query = { 'blade-auth': mine['things-auth'] ?? '' };
  expect((await server.get(template, { query })).status).toBe(200);
  await server.get('/api/blade-auth/oauth/logout', { headers: mine });
  expect((await server.get(template, { query })).status).toBe(401);
});
