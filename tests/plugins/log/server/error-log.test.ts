import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { route } from '#server';
import { get, NoInput } from '#shared/contract';
import { uploadErrors } from '#shared/error-log';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { NoContent } from '../../../../src/shared/contract/contract.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const explode = get('/api/test/explode', { title: ['爆炸', 'Explode'], access: 'signedIn', input: NoInput, reply: NoContent });
const bomb = defineServerPlugin({
  id: 'bomb',
  title: ['炸弹', 'Bomb'],
  setup: () => ({
    routes: [
      route(explode, () => {
        throw new TypeError('the fuse with password=hunter2 burnt');
      }),
    ],
  }),
});

const path = '/api/blade-log/error';
const report = { url: 'http://host/system/param?token=abc', time: 1_790_000_000_000, type: 'error', message: 'lamp burst: token=abc.def', stack: '', info: '' };
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['log', bomb] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

async function found(query: Record<string, string>, headers = admin) {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const { data } = await server.get(`${path}/list`, { headers, query });
    if (data.total > 0) return data.records;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [];
}

test('browser errors are stored without secrets, shortened in the list and complete in the detail', async () => {
  const stack = 'Error: lamp burst\n    at light (http://host/assets/lamp.js:12:7)';
  for (const address of [uploadErrors.path, uploadErrors.path.replace('things-auth', 'blade-auth')])
    expect(await server.app.inject({ method: 'POST', url: address, headers: admin, payload: [{ ...report, stack }] })).toMatchObject({ statusCode: 200 });
  const [row] = await found({ exceptionName: 'error', ascs: '' });
  expect(row).toMatchObject({ serviceId: 'marquee', requestUri: 'http://host/system/param', createBy: 'admin', methodClass: 'console', lineNumber: 12 });
  expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['params']));
  expect([row.params, row.stackTrace, row.message]).toEqual([undefined, undefined, undefined]);
  const { data } = await server.get(`${path}/detail`, { headers: admin, query: { id: row.id } });
  expect(data).toMatchObject({ message: 'lamp burst: token=***', stackTrace: stack, fileName: 'http://host/assets/lamp.js' });
  expect(JSON.stringify(data)).not.toContain('abc');
  expect(await server.get('/api/blade-auth/oauth/user-info', { headers: admin })).toMatchObject({ code: 200 });
});

test('errors of the server are stored too, without their input', async () => {
  expect(await server.get(explode.path, { headers: admin })).toMatchObject({ status: 500 });
  const [row] = await found({ exceptionName: 'TypeError' });
  expect(row).toMatchObject({ requestUri: explode.path, method: 'GET', methodClass: 'bomb', methodName: 'explode', createBy: 'admin' });
  const { data } = await server.get(`${path}/detail`, { headers: admin, query: { id: row.id } });
  expect(data.message).toBe('the fuse with password=*** burnt');
  expect(data.stackTrace).toMatch(/^at /);
});

test('other tenants and users without the permission code see no errors', async () => {
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['log_error'], roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect((await server.get(`${path}/list`, { headers: rival })).data.total).toBe(0);
  await server.createUser({ account: 'nobody' });
  expect(await server.get(`${path}/list`, { headers: await server.signIn('nobody') })).toMatchObject({ status: 403 });
});

test('uploads are limited, and require a session', async () => {
  const many = (count: number) => Array.from({ length: count }, () => report);
  const upload = (payload: object[], headers = admin) => server.app.inject({ method: 'POST', url: uploadErrors.path, headers, payload });
  expect((await upload(many(201))).statusCode).toBe(400);
  expect((await upload([report], {})).statusCode).toBe(401);
  await server.createUser({ account: 'clumsy' });
  const clumsy = await server.signIn('clumsy');
  expect((await upload(many(150), clumsy)).statusCode).toBe(200);
  expect((await upload(many(150), clumsy)).statusCode).toBe(429);
});

test('a request whose body is not a list signs out', async () => {
  const leaving = await server.signIn();
  expect(await server.post(uploadErrors.path, {}, { headers: leaving })).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-auth/oauth/user-info', { headers: leaving })).toMatchObject({ code: 401 });
});
