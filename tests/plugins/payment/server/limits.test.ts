import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { defaultLimits } from '#plugins/payment/contract';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';

let office: TaskOffice;
let payer: Record<string, string>;
let eve: Record<string, string>;
const workers: Record<string, string>[] = [];

beforeAll(async () => {
  office = await openTaskOffice({ plugins: [paymentWith({ gateway: new ScriptedGateway() })] });
  for (const name of ['ann', 'bob']) workers.push((await office.claimer(name)).headers);
  eve = (await office.auditor('eve')).headers;
  await office.server.createUser({ account: 'payer', codes: ['task_pay', 'payout', 'receipt_add', 'payment_limit', 'payment_limit_edit'] });
  payer = await office.server.signIn('payer');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.parts.advertiserId, amount: 1_000_000 }, payer);
});
afterAll(() => office.server.stop());

/** Creates approved work of ¥5 each that can be paid, by the numbers of the workers. */
async function approved(...by: number[]): Promise<string[]> {
  const taskId = await office.published({ quantity: 100, perUserLimit: 0, unitPrice: 500 });
  const ids: string[] = [];
  for (const worker of by) ids.push(await office.proof(taskId, workers[worker] ?? {}));
  await office.post(`${taskPath}/doAudit`, { ids, status: 1 }, eve);
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' || user_id where id in (${ids.join(',')})`);
  return ids;
}
const pay = (input: object) => office.post(payPath, input, payer);

async function setLimits(limits: object): Promise<void> {
  const { id, version } = (await office.get('/api/things-task/payment-limit/detail', {}, payer)).data;
  const reply = await office.post('/api/things-task/payment-limit/submit', { ...defaultLimits, ...limits, ...(id === '0' ? {} : { id, version }) }, payer);
  expect(reply.code, reply.msg).toBe(200);
}

test('a run above its limit is refused whole; in part it takes as many as fit', async () => {
  await setLimits({ perRun: 1000 });
  const ids = await approved(0, 0, 1);
  expect(await pay({ ids })).toMatchObject({ status: 409, msg: '批次合计不能超过 10.00 元' });
  const { data } = await pay({ ids, partial: true });
  expect(data.payouts).toHaveLength(2);
  expect(data.rows).toEqual([expect.objectContaining({ id: ids[2], message: '批次合计不能超过 10.00 元' })]);
  expect((await pay({ id: ids[2] })).code).toBe(200);
});

test('a payee receives no more than the daily limit, whatever the number of requests; others are paid', async () => {
  const [today] = (await office.server.sql(
    `select sum(amount)::integer as sum from payout where user_id = (select id from user_account where account = 'ann')`,
  )) as [{ sum: number }];
  await setLimits({ perPayeeDay: today.sum + 500 });
  const [first, second, others] = (await approved(0, 0, 1)) as [string, string, string];
  expect((await office.post(`${payPath}/sum`, { ids: [first, second, others] }, payer)).data).toMatchObject({
    count: 2,
    rows: [{ id: second, message: expect.stringContaining('每人每日上限') }],
    limits: { perPayeeDay: today.sum + 500, perRun: null },
  });
  const replies = await Promise.all([pay({ id: first }), pay({ id: second })]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await pay({ id: others })).code).toBe(200);
  await setLimits({});
  expect((await pay({ ids: [first, second] })).code).toBe(200);
});
