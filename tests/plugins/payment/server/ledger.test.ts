import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/things-task/ledger';
let server: TestServer;
let headers: Record<string, string>;
let bakery: string;
let brewery: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment'] });
  headers = await server.signIn();
  [bakery, brewery] = [await advertiser('面包店'), await advertiser('酒厂')];
});
afterAll(() => server.stop());

const advertiser = async (name: string) =>
  (await server.post('/api/oms-system/base/addadvertiser', { name, contact_name: '王', contact_phone: '13800000001', balance: 999 }, { headers })).data
    .id as string;
const note = (advertiserId: string, amount: number) => server.post(`${path}/submit`, { advertiserId, amount }, { headers });
const balance = async (id: string) => (await server.get('/api/oms-system/base/advertiserlist', { headers, query: { ids: id } })).data.records[0].balance;
const faults = async () => (await server.get(`${path}/check`, { headers })).data;

test('a balance is receipts minus refunds, independent of any input', async () => {
  expect(await balance(bakery)).toBe(0);
  expect((await note(bakery, 10_050)).data).toMatchObject({ state: 1, kind: 1, amount: 10_050, advertiserId: bakery });
  expect((await note(bakery, -50)).data).toMatchObject({ state: 1, kind: 2, amount: -50 });
  expect(await balance(bakery)).toBe(10_000);
  expect(await note(bakery, -10_001)).toMatchObject({ status: 409, msg: '最多可退 100.00 元：余额中已冻结和待付的部分不能退' });
  expect((await note(bakery, 0)).status).toBe(400);
  expect((await note('999999999999999999', 5)).status).toBe(400);
  expect((await note(bakery, 1.5)).status).toBe(400);
  expect(await faults()).toEqual([]);
});

test('concurrent refunds never exceed the balance', async () => {
  await note(brewery, 1000);
  const replies = await Promise.all(Array.from({ length: 10 }, () => note(brewery, -300)));
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(3);
  expect(await balance(brewery)).toBe(100);
});

test('a receipt is reversed by an entry of its own, once and as far as its money is still there', async () => {
  const customer = await advertiser('书店');
  const receipt = (await note(customer, 5000)).data;
  const refund = (await note(customer, -1000)).data;
  const reverse = (id: string) => server.post('/api/things-task/receipt/reverse', { id, remark: '登记有误' }, { headers });
  expect(await reverse(receipt.id)).toMatchObject({ status: 409, msg: expect.stringContaining('最多可退 40.00 元') });
  expect((await reverse(refund.id)).data).toMatchObject({ state: 1, kind: 7, amount: 1000, reverses: refund.entryId, remark: '登记有误' });
  expect(await balance(customer)).toBe(5000);
  expect(await reverse(refund.id)).toMatchObject({ status: 409, msg: '这笔业务已经冲销' });
  const reversal = (await reverse(receipt.id)).data;
  expect(reversal).toMatchObject({ kind: 7, amount: -5000 });
  expect(await reverse(reversal.id)).toMatchObject({ status: 409, msg: '只有收款和退款可以冲销' });
  expect(await balance(customer)).toBe(0);
  const [{ month }] = (await server.sql(`select to_char(now(), 'YYYY-MM') as month`)) as [{ month: string }];
  const { data } = await server.get(`${path}/statements`, { headers, query: { month, advertiserId: customer } });
  expect(data).toMatchObject([{ opening: 0, received: 0, refunded: 0, paid: 0, closing: 0 }]);
  expect(data[0].lines).toHaveLength(4);
  expect(await faults()).toEqual([]);
});

test('the record of an advertiser counts the postings that it lists', async () => {
  const related = (await server.get('/api/blade-system/related-lists', { headers, query: { entity: 'advertiser', id: bakery } })).data;
  const [listed] = related.filter(({ list }: { list: string }) => list === `${path}/list`);
  expect(listed).toMatchObject({ field: 'advertiserId', value: bakery, filter: { account: 1 } });
  const own = (await server.get(`${path}/list`, { headers, query: { advertiserId_equal: bakery, account_equal: '1' } })).data.total;
  const all = (await server.get(`${path}/list`, { headers, query: { advertiserId_equal: bakery } })).data.total;
  expect([listed.count, all]).toEqual([own, 2 * own]);
});

test('ledger entries cannot be changed or removed, and every entry is balanced', async () => {
  await expect(server.sql('update ledger_posting set amount = amount + 1')).rejects.toThrow();
  await expect(server.sql('delete from ledger_posting')).rejects.toThrow();
  await expect(server.sql('truncate ledger_posting')).rejects.toThrow();
  const oneSided = server.sql(
    `insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount) values ('000000', next_id(), 1, 1, ${bakery}, 5)`,
  );
  await expect(oneSided).rejects.toThrow();
  expect(await faults()).toEqual([]);
});

test('a balance that was changed outside of the ledger is detected', async () => {
  await server.sql(`update advertiser set balance = balance + 7 where id = ${bakery}`);
  expect(await faults()).toMatchObject([{ what: 'balance', id: bakery }]);
  await server.sql(`update advertiser set balance = balance - 7 where id = ${bakery}`);
  await server.sql(`update ledger_account set balance = balance + 7 where account = 2 and advertiser_id = ${bakery}`);
  expect(await faults()).toMatchObject([{ what: 'account', id: '2' }]);
  await server.sql(`update ledger_account set balance = balance - 7 where account = 2 and advertiser_id = ${bakery}`);
});

test('after any receipts and refunds the ledger balances and no balance is negative', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -5000, max: 5000 })), { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const [first, amount] of steps) await note(first ? bakery : brewery, amount);
      expect(await faults()).toEqual([]);
      expect(await balance(bakery)).toBeGreaterThanOrEqual(0);
      const [sum] = await server.sql('select sum(amount)::text as sum from ledger_posting');
      expect(sum).toEqual({ sum: '0' });
    }),
    { numRuns: 10 },
  );
});

test('another tenant neither sees nor changes any of it', async () => {
  await server.createTenant('guests');
  await server.createUser({ account: 'guest', codes: ['ledger', 'receipt_add'], roleAlias: 'admin', tenantId: 'guests' });
  const guest = await server.signIn('guest', 'guests');
  expect((await server.get(`${path}/list`, { headers: guest })).data.total).toBe(0);
  expect((await server.post(`${path}/submit`, { advertiserId: bakery, amount: 5 }, { headers: guest })).status).toBe(400);
});
