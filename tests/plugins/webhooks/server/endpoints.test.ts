import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import * as contract from '../../../../src/plugins/webhooks/contract.ts';
import { serverContract } from '../../../kit/server.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

serverContract('webhooks', contract);

const path = '/api/webhooks/endpoint';
const plugins = ['inbox', 'access', 'organization', 'webhooks'];
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins });
  admin = await server.signIn();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.sql('delete from webhook_endpoint');
});

const form = { name: '订单系统', url: 'https://hooks.example.com/in', events: ['user.created'] };
const submit = (change: object = {}, headers = admin) =>
  server.post(`${path}/submit`, { ...form, ...change }, { headers: { ...headers, 'accept-language': 'en' } });

test('an address must be https, without credentials, and outside of the networks of the server', async () => {
  const refusals = {
    'http://hooks.example.com/in': 'The URL must begin with https://.',
    'https://user:pass@hooks.example.com/': 'The URL cannot contain a username or password.',
    'https://10.0.0.8/in': expect.stringContaining('EGRESS_ALLOW'),
    'http://169.254.169.254/latest': expect.stringContaining('EGRESS_ALLOW'),
    'http://127.0.0.1:3000/': expect.stringContaining('EGRESS_ALLOW'),
    'ftp://hooks.example.com/': expect.any(String),
  };
  for (const [url, msg] of Object.entries(refusals)) expect({ url, ...(await submit({ url })) }).toMatchObject({ url, code: 400, msg });
  expect(await submit()).toMatchObject({ code: 200 });
});

test('a host name that resolves to an internal address is refused when an event is sent', async () => {
  const { data } = await submit({ url: 'http://localhost:9/' });
  const sent = await server.post(`${path}/test`, { id: data.id }, { headers: admin });
  expect(sent.data).toMatchObject({ state: 3, failure: 'blocked', responseStatus: null });
});

test('the secret is returned when an endpoint is added, stored encrypted, and never read again', async () => {
  const { data } = await submit();
  expect(data.secret).toMatch(/^whsec_/);
  const [row] = await server.sql('select secret from webhook_endpoint');
  expect(row?.secret).toMatch(/^sealed:/);
  expect(row?.secret).not.toContain(data.secret);
  const edited = await submit({ id: data.id, name: '订单系统二' });
  expect(edited).toMatchObject({ code: 200, data: { name: '订单系统二' } });
  for (const call of ['list', 'detail', 'history']) {
    const reply = await server.get(`${path}/${call}`, { headers: admin, query: call === 'list' ? {} : { id: data.id } });
    expect({ call, code: reply.code }).toEqual({ call, code: 200 });
    expect(JSON.stringify(reply.body)).not.toMatch(/whsec_|sealed:/);
  }
  expect(edited.data).not.toHaveProperty('secret');
});

test('only events of running plugins can be chosen, at least one, and a name is unique', async () => {
  expect(await submit({ events: ['lamp.lit'] })).toMatchObject({ code: 400, msg: 'There is no event named “lamp.lit”.' });
  expect(await submit({ events: [] })).toMatchObject({ code: 400 });
  expect(await submit()).toMatchObject({ code: 200 });
  expect(await submit()).toMatchObject({ code: 409 });
  const { data } = await server.get('/api/webhooks/event/list', { headers: { ...admin, 'accept-language': 'en' } });
  expect(data).toContainEqual({ name: 'user.created', title: 'User created · user.created', fields: ['id'] });
  expect(data.map(({ name }: { name: string }) => name)).not.toContain('webhook.tested');
});

test('a tenant has at most 20 endpoints', async () => {
  for (let count = 0; count < 20; count += 1) expect((await submit({ name: `E${count}` })).code).toBe(200);
  const tooMany = { code: 409, msg: 'A tenant can have at most 20 endpoints.' };
  expect(await submit()).toMatchObject(tooMany);
  const ids = [(await server.get(`${path}/list`, { headers: admin })).data.records[0].id];
  await server.post(`${path}/remove`, { ids }, { headers: admin });
  expect((await submit()).code).toBe(200);
  expect(await server.post(`${path}/restore`, { ids }, { headers: { ...admin, 'accept-language': 'en' } })).toMatchObject(tooMany);
});

test('each action has a permission of its own', async () => {
  const { data } = await submit();
  await server.createUser({ account: 'reader', codes: ['webhook'] });
  const reader = await server.signIn('reader');
  expect((await server.get(`${path}/list`, { headers: reader })).data.records).toMatchObject([{ name: '订单系统', lastDelivery: null }]);
  for (const call of ['submit', 'remove', 'rotate-secret', 'test', 'resend-failed'])
    expect({ call, ...(await server.post(`${path}/${call}`, { ...form, id: data.id, ids: [data.id] }, { headers: reader })) }).toMatchObject({
      call,
      code: 403,
    });
  expect(await server.post('/api/webhooks/delivery/resend', { ids: ['1'] }, { headers: reader })).toMatchObject({ code: 403 });
});

test('a deleted endpoint gets no more events', async () => {
  const { data } = await submit();
  await server.post(`${path}/remove`, { ids: [data.id] }, { headers: admin });
  await server.post('/api/things-system/user/submit', { account: 'late', realName: 'Late', name: 'Late' }, { headers: admin });
  expect(await server.sql('select from webhook_delivery')).toEqual([]);
});
