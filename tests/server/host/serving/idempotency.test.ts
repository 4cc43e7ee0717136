import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledger, ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const add = (text: string, key: string, more: Record<string, string> = headers) =>
  server.post(ledger.add.path, { text }, { headers: { ...more, 'idempotency-key': key } });
const countOf = async (text: string) => (await server.sql(`select 1 from ledger_entry where title = '${text}'`)).length;

test('a write repeated with its key is executed once and gets the same reply', async () => {
  const first = await add('once', 'key-1');
  const second = await add('once', 'key-1');
  expect(second.body).toEqual(first.body);
  expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
  expect(await countOf('once')).toBe(1);
});

test('ten concurrent requests with one key cause one write and get equal replies', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => add('racing', 'key-2')));
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await countOf('racing')).toBe(1);
});

test('equal keys of different users are independent', async () => {
  await server.createUser({ account: 'other' });
  await add('shared', 'key-3');
  await add('shared', 'key-3', await server.signIn('other'));
  expect(await countOf('shared')).toBe(2);
});

test('a key used again with other parameters or for another call is rejected with 409', async () => {
  await add('first', 'key-4');
  expect((await add('second', 'key-4')).status).toBe(409);
  expect((await server.post(ledger.submit.path, { title: 'a', amount: 1 }, { headers: { ...headers, 'idempotency-key': 'key-4' } })).status).toBe(409);
  expect(await countOf('second')).toBe(0);
});

test('a rejected write can be retried with its key', async () => {
  const fail = () => server.post(ledger.fail.path, { text: 'again' }, { headers: { ...headers, 'idempotency-key': 'key-5' } });
  expect([(await fail()).msg, (await fail()).msg]).toEqual(['数据已被他人修改，请刷新后重试', '数据已被他人修改，请刷新后重试']);
});

test('a key can be used for another write after a day', async () => {
  await add('daily', 'key-6');
  await server.sql(`update idempotent_reply set create_time = create_time - interval '25 hours'`);
  await add('daily', 'key-6');
  expect(await countOf('daily')).toBe(2);
});

test('a key that is too long or not plain text is rejected with 400', async () => {
  for (const key of ['x'.repeat(129), 'a b', 'schlüssel']) expect((await add('bad', key)).status).toBe(400);
  expect(await countOf('bad')).toBe(0);
});
