import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import * as Type from 'typebox';
import { type Database, defineServerPlugin, type Webhooks } from '#server';
import { webhookEvent } from '#shared/contract';
import { createServerHarness } from '../../../kit/server.ts';
import { pausedWebhooks } from '../../../support/paused-webhooks.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';
import { openWebhookReceiver, type ReceivedEvent, type WebhookReceiver } from '../../../support/webhook-receiver.ts';

const path = '/api/webhooks';
const patience = { timeout: 20_000 };
const environment = { EGRESS_ALLOW: '127.0.0.1' };
const rang = webhookEvent({ name: 'bell.rang', title: ['铃响了', 'Bell rang'], data: Type.Object({ times: Type.Integer() }) });
const quiet = webhookEvent({ name: 'bell.quiet', title: ['铃停了', 'Bell quiet'], data: Type.Object({}) });

let server: TestServer;
let replica: TestServer;
let receiver: WebhookReceiver;
let admin: Record<string, string>;
let webhooks: Webhooks;
let db: Database;
const [first, second] = [pausedWebhooks(), pausedWebhooks()];

/** A plugin that sends events without a dependency on the plugin `webhooks`. */
const bell = defineServerPlugin({
  id: 'bell',
  title: ['铃', 'Bell'],
  webhookEvents: [rang, quiet],
  setup(context) {
    webhooks ??= context.webhooks;
    db ??= context.db;
    return {};
  },
});

beforeAll(async () => {
  receiver = await openWebhookReceiver();
  server = await openTestServer({ plugins: ['inbox', bell, first.installed], environment });
  replica = await openTestServer({ plugins: ['inbox', bell, second.installed], environment, db: server.db });
  admin = await server.signIn();
});
afterAll(async () => {
  await replica.stop();
  await server.stop();
  await receiver.stop();
});
beforeEach(async () => {
  receiver.clear();
  await server.sql('delete from webhook_endpoint');
  await server.sql('delete from inbox_message');
});

interface Added {
  readonly id: string;
  readonly secret: string;
}
let added = 0;
const add = async (form: object = {}, headers = admin): Promise<Added> => {
  added += 1;
  const reply = await server.post(`${path}/endpoint/submit`, { name: `E${added}`, url: receiver.url, events: ['bell.rang'], ...form }, { headers });
  expect({ code: reply.code, msg: reply.msg }).toMatchObject({ code: 200 });
  return reply.data;
};
const ring = (times = 1, tenantId = '000000') => db.write({ tenantId }, () => webhooks.send(rang, [{ times }]));
const rows = () =>
  server.sql(
    'select id::text as id, event, message_id, state, failure, response_status, response, attempts, due_at > now() as later from webhook_delivery order by id',
  );
const endpoint = async (id: string) =>
  (await server.sql(`select is_enabled, disabled_reason, failing_since is not null as failing from webhook_endpoint where id = ${id}`))[0];
const makeDue = () => server.sql(`update webhook_delivery set due_at = now() - interval '1 second' where state in (0, 1)`);
const only = (): ReceivedEvent => {
  expect(receiver.received).toHaveLength(1);
  return receiver.received[0] as ReceivedEvent;
};

test('an event arrives once, with headers and a signature that the library of the specification verifies', async () => {
  const { secret } = await add();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await ring(3);
  await Promise.all([first.send(server), second.send(server)]);
  const request = only();
  expect(receiver.verify(secret, request)).toEqual({ type: 'bell.rang', timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), data: { times: 3 } });
  expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': expect.stringMatching(/^msg_/) });
  expect(() => receiver.verify(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toThrow('No matching signature found');
  expect(await rows()).toMatchObject([{ state: 2, response_status: 204, attempts: 1, failure: null, message_id: request.id }]);
});

test('an event of a transaction that is rolled back is not sent, and one without an endpoint leaves no row', async () => {
  await add();
  const failing = db.write({ tenantId: '000000' }, async () => {
    await webhooks.send(rang, [{ times: 1 }]);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await db.write({ tenantId: '000000' }, () => webhooks.send(quiet, [{}]));
  await first.send(server);
  expect(receiver.received).toEqual([]);
  expect(await rows()).toEqual([]);
});

test('only declared fields of the data leave the deployment, and an undeclared event is refused', async () => {
  const { secret } = await add();
  const row = { times: 2, password: 'p' };
  await db.write({ tenantId: '000000' }, () => webhooks.send(rang, [row]));
  await first.send(server);
  expect(receiver.verify(secret, only()).data).toEqual({ times: 2 });
  const other = webhookEvent({ name: 'bell.stolen', title: ['铃被偷了', 'Bell stolen'], data: Type.Object({}) });
  await expect(db.write({ tenantId: '000000' }, () => webhooks.send(other, [{}]))).rejects.toThrow('No plugin declares the webhook event "bell.stolen".');
});

test('tenants neither receive nor see events of each other', async () => {
  await server.createTenant('200001');
  await server.createUser({
    account: 'other',
    tenantId: '200001',
    codes: ['webhook', 'webhook_add', 'webhook_delivery', 'webhook_delivery_resend', 'webhook_test', 'webhook_secret'],
  });
  const other = await server.signIn('other', '200001');
  const own = await add();
  const foreign = await add({ url: `${receiver.url}/other` }, other);
  await ring(1);
  await ring(2, '200001');
  await first.send(server);
  expect(receiver.received.map(({ path: to, body }) => [to, JSON.parse(body).data.times]).sort()).toEqual([
    ['/hook', 1],
    ['/hook/other', 2],
  ]);
  const [delivery] = await rows();
  expect((await server.get(`${path}/delivery/list`, { headers: other })).data.records).toMatchObject([{ endpointId: foreign.id }]);
  expect((await server.get(`${path}/endpoint/list`, { headers: other })).data.records).toMatchObject([{ id: foreign.id, delivered: 1 }]);
  expect(await server.get(`${path}/delivery/detail`, { headers: other, query: { id: String(delivery?.id) } })).toMatchObject({ code: 404 });
  for (const call of ['endpoint/test', 'endpoint/resend-failed', 'endpoint/rotate-secret'])
    expect({ call, ...(await server.post(`${path}/${call}`, { id: own.id }, { headers: other })) }).toMatchObject({ call, code: 404 });
  expect(await server.post(`${path}/delivery/resend`, { ids: [delivery?.id] }, { headers: other })).toMatchObject({ code: 404 });
});

test('an event whose server dies between sending and recording is sent again with the same id, and the late record changes nothing', async () => {
  await add();
  let respond: () => void = () => undefined;
  receiver.reply(() => new Promise((resolve) => (respond = () => resolve({ status: 500 }))));
  await ring();
  await first.poll();
  await expect.poll(() => receiver.received.length, patience).toBe(1);
  const answerFirst = respond;
  await second.poll();
  expect(receiver.received).toHaveLength(1);
  await makeDue();
  receiver.reply(() => ({ status: 200, body: 'thanks' }));
  await second.poll();
  await expect.poll(async () => (await rows())[0], patience).toMatchObject({ state: 2, attempts: 2, response: 'thanks' });
  answerFirst();
  await first.send(server);
  const [one, again] = receiver.ids();
  expect(again).toBe(one);
  expect(await rows()).toMatchObject([{ state: 2, response: 'thanks' }]);
});

test('failures are tried again with growing intervals for about a day, then given up, and can be sent again', async () => {
  const { id } = await add();
  receiver.reply(() => ({ status: 503, body: `busy\0${'x'.repeat(10_000)}` }));
  await ring();
  const waits: unknown[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await first.send(server);
    const [row] = await server.sql('select round(extract(epoch from due_at - attempted_at))::integer as wait from webhook_delivery');
    waits.push(row?.wait);
    if (attempt < 7) await makeDue();
  }
  expect(waits.map((wait) => wait !== null && Math.round(Number(wait) / 5) * 5)).toEqual([5, 60, 300, 1800, 7200, 21_600, 43_200, false]);
  expect(new Set(receiver.ids()).size).toBe(1);
  const [row] = await rows();
  expect(row).toMatchObject({ state: 3, failure: 'status', response_status: 503, attempts: 8 });
  expect(String(row?.response)).toMatch(/^busyx+$/);
  expect(String(row?.response).length).toBeLessThan(4097);
  expect(await endpoint(id)).toMatchObject({ is_enabled: true, failing: true });
  const list = await server.get(`${path}/endpoint/list`, { headers: admin });
  expect(list.data.records).toMatchObject([{ delivered: 0, failed: 1, givenUp: 1, lastDelivery: { state: 3 } }]);

  receiver.reply(() => ({ status: 200 }));
  expect((await server.post(`${path}/endpoint/resend-failed`, { id }, { headers: admin })).data).toEqual({ count: 1 });
  await first.send(server);
  expect(await rows()).toMatchObject([{ state: 2, attempts: 1, failure: null }]);
  expect(new Set(receiver.ids()).size).toBe(1);
  expect(await endpoint(id)).toMatchObject({ failing: false });
  expect(await server.post(`${path}/delivery/resend`, { ids: [row?.id] }, { headers: admin })).toMatchObject({ code: 200 });
  await first.send(server);
  expect(receiver.received).toHaveLength(10);
});

test('a redirect is not followed, and a closed port is named', async () => {
  await add();
  await add({ url: 'http://127.0.0.1:9/' });
  receiver.reply(({ path: to }) => (to === '/hook' ? { status: 302, headers: { location: '/elsewhere' } } : { status: 200 }));
  await ring();
  await first.send(server);
  expect(receiver.received.map(({ path: to }) => to)).toEqual(['/hook']);
  expect(await rows()).toMatchObject([
    { state: 0, failure: 'status', response_status: 302 },
    { state: 0, failure: 'refused', response_status: null, response: expect.stringContaining('ECONNREFUSED') },
  ]);
});

test('410 disables the endpoint and notifies the user who added it', async () => {
  const { id } = await add({ name: '订单' });
  receiver.reply(() => ({ status: 410 }));
  await ring();
  await first.send(server);
  expect(await rows()).toMatchObject([{ state: 3, response_status: 410, attempts: 1 }]);
  expect(await endpoint(id)).toMatchObject({ is_enabled: false, disabled_reason: 'gone' });
  expect(await server.sql('select title from inbox_message')).toEqual([{ title: ['Webhook「订单」已停用', 'The webhook “订单” was disabled'] }]);
  await ring();
  expect(await rows()).toHaveLength(1);
  expect(await server.post(`${path}/endpoint/resend-failed`, { id }, { headers: admin })).toMatchObject({ code: 409, msg: '接收端已停用，请先启用' });
  expect(await server.post(`${path}/endpoint/submit`, { id, isEnabled: true }, { headers: admin })).toMatchObject({
    data: { isEnabled: true, disabledReason: null },
  });
});

test('an endpoint that has failed for days is disabled when a delivery is given up, and what is queued for it fails', async () => {
  const { id } = await add();
  receiver.reply(() => ({ status: 500 }));
  await ring();
  await first.send(server);
  await ring();
  await server.sql(`update webhook_endpoint set failing_since = now() - interval '4 days'`);
  await server.sql(`update webhook_delivery set attempts = 7, due_at = now() - interval '1 second' where attempts = 1`);
  await server.sql(`update webhook_delivery set due_at = now() + interval '1 hour' where attempts = 0`);
  await first.send(server);
  expect(await endpoint(id)).toMatchObject({ is_enabled: false, disabled_reason: 'failing' });
  expect(await server.sql('select count(*)::integer as count from inbox_message')).toEqual([{ count: 1 }]);
  await makeDue();
  await first.send(server);
  expect((await rows()).map(({ state, failure }) => [state, failure])).toEqual([
    [3, 'status'],
    [3, 'disabled'],
  ]);
});

test('for a day after a rotation requests are signed with both secrets', async () => {
  const { id, secret } = await add();
  const { data } = await server.post(`${path}/endpoint/rotate-secret`, { id }, { headers: admin });
  expect(data.secret).not.toBe(secret);
  const [stored] = await server.sql('select secret, former_secret from webhook_endpoint');
  expect([stored?.secret, stored?.former_secret]).toEqual([expect.stringMatching(/^sealed:/), expect.stringMatching(/^sealed:/)]);
  await ring();
  await first.send(server);
  const both = only();
  expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
  for (const one of [secret, data.secret]) expect(receiver.verify(one, both).type).toBe('bell.rang');
  receiver.clear();
  await server.sql(`update webhook_endpoint set former_secret_until = now() - interval '1 second'`);
  await ring();
  await first.send(server);
  expect(receiver.verify(data.secret, only()).type).toBe('bell.rang');
  expect(() => receiver.verify(secret, only())).toThrow();
});

test('a slow endpoint delays no other', async () => {
  await add();
  await add({ url: `${receiver.url}/fast` });
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  receiver.reply(async ({ path: to }) => {
    if (to === '/hook') await held;
    return { status: 200 };
  });
  for (let times = 0; times < 12; times += 1) await ring(times);
  await first.poll();
  await expect.poll(async () => (await server.sql(`select count(*)::integer as count from webhook_delivery where state = 2`))[0]?.count, patience).toBe(12);
  expect(receiver.received.filter(({ path: to }) => to === '/hook')).toHaveLength(5);
  release();
  await first.send(server);
  expect(receiver.received).toHaveLength(24);
});

test('a test event is sent at once, also to a disabled endpoint, and its result is returned', async () => {
  const { id, secret } = await add({ isEnabled: false });
  receiver.reply(() => ({ status: 400, body: 'unknown type' }));
  const { data } = await server.post(`${path}/endpoint/test`, { id }, { headers: admin });
  expect(data).toMatchObject({ event: 'webhook.tested', state: 3, failure: 'status', responseStatus: 400, response: 'unknown type', attempts: 1 });
  expect(receiver.verify(secret, only())).toMatchObject({ type: 'webhook.tested', data: { endpointId: id } });
  const [row] = (await server.get(`${path}/endpoint/list`, { headers: admin })).data.records;
  expect(row).toMatchObject({ id, failed: 1, givenUp: 0 });
  for (let more = 0; more < 9; more += 1) await server.post(`${path}/endpoint/test`, { id }, { headers: admin });
  expect(await server.post(`${path}/endpoint/test`, { id }, { headers: admin })).toMatchObject({ code: 429 });
});

test('the declared job deletes deliveries after 30 days', async () => {
  const harness = await createServerHarness({ plugins: ['webhooks'] });
  await harness.sql(`insert into webhook_endpoint (tenant_id, name, url, events, is_enabled) values ('000000', 'E', 'https://example.com', '["a"]', true)`);
  await harness.sql(`insert into webhook_delivery (tenant_id, endpoint_id, event, message_id, body, create_time)
    select '000000', e.id, 'a', 'msg', '{}', now() - make_interval(days => days) from webhook_endpoint e, unnest(array[1, 29, 31, 400]) days`);
  expect(await harness.runJob('webhooks:purge')).toBe('2');
  expect(await harness.sql('select count(*)::integer as count from webhook_delivery')).toEqual([{ count: 2 }]);
  expect(harness.host.jobs.of('webhooks:purge')?.schedules).toMatchObject([{ key: 'daily' }]);
});
