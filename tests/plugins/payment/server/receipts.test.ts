import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { type InboxEntry, inbox } from '#plugins/inbox/contract';
import { defaultLimits } from '#plugins/payment/contract';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const receipts = '/api/things-task/receipt';
const limitPath = '/api/things-task/payment-limit';

let server: TestServer;
let admin: Record<string, string>;
let clerk: Record<string, string>;
let head: Record<string, string>;
let advertiserId: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'inbox', 'payment'] });
  admin = await server.signIn();
  await server.createUser({ account: 'clerk', codes: ['ledger', 'receipt', 'receipt_add', 'receipt_approve', 'advertiser'] });
  await server.createUser({ account: 'head', codes: ['ledger', 'receipt', 'receipt_approve', 'payment_limit', 'payment_limit_edit'] });
  [clerk, head] = (await Promise.all([server.signIn('clerk'), server.signIn('head')])) as [typeof clerk, typeof head];
  const form = { name: '花店', contact_name: '李', contact_phone: '13800000002' };
  advertiserId = (await server.post('/api/oms-system/base/addadvertiser', form, { headers: admin })).data.id;
});
afterAll(() => server.stop());

const post = (path: string, body: object, headers = clerk) => server.post(path, body, { headers });
const record = (amount: number, more: object = {}) => post('/api/things-task/ledger/submit', { advertiserId, amount, ...more });
const balance = async () => (await server.get('/api/things-task/ledger/funds', { headers: admin, query: { advertiserId } })).data.balance;
const setLimits = (limits: object) => post(`${limitPath}/submit`, limits, head);

test('receipts above the limit enter the ledger only once another user has approved them', async () => {
  expect((await setLimits({ ...defaultLimits, receiptApprovalAbove: 10_000 })).code).toBe(200);
  expect((await record(10_000)).data).toMatchObject({ state: 1, kind: 1, requesterName: 'clerk', entryId: expect.any(String) });
  const { data: big } = await record(10_001, { remark: '合同预付款' });
  expect(big).toMatchObject({ state: 0, kind: 1, amount: 10_001, entryId: null, remark: '合同预付款' });
  expect(await balance()).toBe(10_000);
  const { data: told } = await server.get(inbox.list.path, { headers: head, query: { kind: 'message' } });
  expect(told.entries.filter(({ title }: InboxEntry) => title.includes('收退款'))).toEqual([
    expect.objectContaining({ title: '1 笔收退款待复核', link: `/task/receipt/index?record=${big.id}&mode=page` }),
  ]);
  expect(await post(`${receipts}/approve`, { id: big.id })).toMatchObject({ status: 403, msg: '不能复核自己登记的收退款' });
  expect((await post(`${receipts}/approve`, { id: big.id }, head)).data).toMatchObject({ state: 1, approverName: 'head', entryId: expect.any(String) });
  expect(await post(`${receipts}/approve`, { id: big.id }, head)).toMatchObject({ status: 409 });
  expect(await balance()).toBe(20_001);
});

test('two approvals at once record a receipt once', async () => {
  const before = await balance();
  const { data } = await record(50_000);
  const replies = await Promise.all([1, 2, 3].map(() => post(`${receipts}/approve`, { id: data.id }, head)));
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(1);
  expect(await balance()).toBe(before + 50_000);
});

test('a rejected receipt moves no money, and a refund is judged by the balance at its approval', async () => {
  const before = await balance();
  const { data: refused } = await record(90_000);
  expect((await post(`${receipts}/reject`, { id: refused.id, reason: '没有到账' }, head)).code).toBe(200);
  const [row] = (await server.get(`${receipts}/list`, { headers: head, query: { receiptNo: refused.receiptNo } })).data.records;
  expect(row).toMatchObject({ state: 2, reason: '没有到账', approverName: 'head' });
  expect(await balance()).toBe(before);
  const { data: refund } = await record(-before);
  expect(refund).toMatchObject({ state: 0, kind: 2 });
  expect((await record(-5000)).data).toMatchObject({ state: 1, kind: 2 });
  expect(await post(`${receipts}/approve`, { id: refund.id }, head)).toMatchObject({ status: 409 });
  expect(await balance()).toBe(before - 5000);
});

test('a reversal above the limit waits as well, and only one of a receipt at a time', async () => {
  const { data: receipt } = await record(20_000);
  await post(`${receipts}/approve`, { id: receipt.id }, head);
  const before = await balance();
  const { data: reversal } = await post(`${receipts}/reverse`, { id: receipt.id, remark: '重复登记' });
  expect(reversal).toMatchObject({ state: 0, kind: 7, amount: -20_000 });
  expect(await post(`${receipts}/reverse`, { id: receipt.id, remark: '重复登记' })).toMatchObject({ status: 409 });
  expect(await balance()).toBe(before);
  expect((await post(`${receipts}/approve`, { id: reversal.id }, head)).data).toMatchObject({ state: 1 });
  expect(await balance()).toBe(before - 20_000);
  const { records } = (await server.get(`${receipts}/list`, { headers: head, query: { receiptNo: receipt.receiptNo } })).data;
  expect(records[0].state).toBe(3);
  expect((await server.get('/api/things-task/ledger/check', { headers: head })).data).toEqual([]);
});

test('limits are saved once per tenant, with who changed what, and only by users with the permission', async () => {
  const { data } = await server.get(`${limitPath}/detail`, { headers: head });
  expect(data).toMatchObject({ perPayment: 200_000, perDay: 10_000_000, receiptApprovalAbove: 10_000 });
  expect((await post(`${limitPath}/submit`, { perPayment: 1 }, clerk)).status).toBe(403);
  expect((await setLimits({ id: data.id, version: data.version, perPayment: 300_000 })).code).toBe(200);
  expect(await setLimits({ id: data.id, version: data.version, perPayment: 400_000 })).toMatchObject({ status: 409 });
  const history = (await server.get(`${limitPath}/history`, { headers: head, query: { id: data.id } })).data.records;
  expect(history[0]).toMatchObject({ userName: 'head', fields: { perPayment: [200_000, 300_000] } });
});
