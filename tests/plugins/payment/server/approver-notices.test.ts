import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { type InboxEntry, inbox } from '#plugins/inbox/contract';
import { payoutOutcome, payTotal } from '#plugins/payment/contract';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';
type Headers = Record<string, string>;

let office: TaskOffice;
let ann: Headers;
let eve: Headers;
const people: Record<'payer' | 'checker' | 'reader', Headers> = { payer: {}, checker: {}, reader: {} };
beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['inbox', paymentWith({ gateway: new ScriptedGateway() })] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  const codes = ['task_pay', 'payout', 'receipt_add'];
  await office.server.createUser({ account: 'payer', codes: [...codes, 'payout_approve'] });
  await office.server.createUser({ account: 'checker', codes: ['payout', 'payout_approve'] });
  await office.server.createUser({ account: 'reader', codes: ['payout'] });
  for (const account of ['payer', 'checker', 'reader'] as const) people[account] = await office.server.signIn(account);
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 }, people.payer);
});
afterAll(() => office.server.stop());

const received = async (headers: Headers) => {
  const { data } = await office.get(inbox.list.path, { kind: 'message' }, headers);
  const { entries } = data as { entries: InboxEntry[] };
  return entries.filter(({ title }) => !title.startsWith('示例')).map(({ title, body, link }) => ({ title, body, link }));
};

test('payments above the daily limit tell all who may approve them, but the requester; the sum says before that they will wait', async () => {
  const taskId = await office.publishTask({ quantity: 10, perUserLimit: 0, unitPrice: 5000 });
  const ids = [await office.submitProof(taskId, ann), await office.submitProof(taskId, ann)];
  await office.post(`${taskPath}/doAudit`, { ids, status: 1 }, eve);
  await office.server.sql(
    `update task_submission set amount = 90000, audit_time = now() - interval '61 seconds', openid = 'wallet' where id in (${ids.join(',')})`,
  );
  const sum = async (some: readonly string[]) => (await office.post(payTotal.path, { ids: some }, people.payer)).data;
  expect(await sum(ids.slice(1))).toMatchObject({ count: 1, amount: 90_000, needsApproval: false });
  expect(await sum(ids)).toMatchObject({ count: 2, amount: 180_000, needsApproval: true });
  expect(await office.post(payPath, { ids }, people.payer)).toMatchObject({ code: 200, data: { state: 0 } });
  const runs = await office.server.sql('select id::text as id from payment_run');
  expect(runs).toHaveLength(1);
  const notice = { title: '2 笔付款待复核', body: '申请人：payer', link: `/task/run/index?record=${String(runs[0]?.id)}&mode=page` };
  expect(await received(people.checker)).toEqual([notice]);
  expect(await received(office.admin)).toEqual([notice]);
  expect(await received(people.payer)).toEqual([]);
  expect(await received(people.reader)).toEqual([]);
});

test('an outcome above the limit that is recorded of a forgotten payout tells all who may approve it, but its recorder', async () => {
  await office.server.createUser({ account: 'recorder', codes: ['payout', 'payout_outcome', 'payout_approve'] });
  const recorder = await office.server.signIn('recorder');
  const earlier = (await received(people.checker)).length;
  await office.server.sql("update payout set state = 1, provider_state = 'NOT_FOUND', next_try = now() + interval '1 day' where state = 0");
  const [first, second] = await office.server.sql("select id::text as id, pay_no as no from payout where provider_state = 'NOT_FOUND' order by id");
  const record = (id: unknown) => office.post(payoutOutcome.recordUnpaid.path, { id, remark: '账单中没有' }, recorder);
  expect((await record(first?.id)).data).toMatchObject({ state: 3 });
  expect(await received(people.checker)).toHaveLength(earlier);
  expect((await record(second?.id)).data).toMatchObject({ state: 1, outcome: 3 });
  const notice = { title: '1 笔付款的登记结果待复核', body: '登记人：recorder', link: `/task/payout/index?record=${String(second?.id)}&mode=page` };
  expect((await received(people.checker))[0]).toEqual(notice);
  expect(await received(people.checker)).toHaveLength(earlier + 1);
  expect(await received(recorder)).toEqual([]);
});
