import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { defaultLimits } from '#plugins/payment/contract';
import { publicationPlan } from '#plugins/task/contract';
import { scopedUser } from '../../../support/scoped-users.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';

let office: TaskOffice;
let payer: Record<string, string>;
let eve: Record<string, string>;
const workers: Record<string, string>[] = [];

beforeAll(async () => {
  office = await openTaskOffice({ plugins: [paymentWith({ gateway: new ScriptedGateway() })] });
  for (const name of ['ann', 'bob']) workers.push((await office.createMember(name)).headers);
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'payer', codes: ['task_pay', 'payout', 'receipt_add', 'payment_limit', 'payment_limit_edit'] });
  payer = await office.server.signIn('payer');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 }, payer);
});
afterAll(() => office.server.stop());

/** Creates approved work of ¥5 each that can be paid, by the numbers of the workers. */
const approved = (...by: number[]): Promise<string[]> => approvedFor(office.requiredIds.advertiserId, ...by);

async function approvedFor(advertiserId: string, ...by: number[]): Promise<string[]> {
  const taskId = await office.publishTask({ advertiserId, quantity: 100, perUserLimit: 0, unitPrice: 500 });
  const ids: string[] = [];
  for (const worker of by) ids.push(await office.submitProof(taskId, workers[worker] ?? {}));
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

test('a refusal tells what an advertiser has to users who may see it: with the permission, the balance and the advertiser', async () => {
  const { data } = await office.post('/api/oms-system/base/addadvertiser', {
    name: '小店',
    contact_name: '王',
    contact_phone: '13800000003',
    credit_limit: 400,
  });
  const [id = ''] = await approvedFor(data.id, 0);
  const draft = await office.addTask({ advertiserId: data.id, unitPrice: 500, quantity: 1 });
  const codes = ['task_pay', 'ledger', 'receipt_add', 'receipt', 'advertiser', 'tasks', 'tasks_publish'];
  const pages = ['ledger', 'advertiser'];
  const seer = async (account: string, scope: object, held = codes) =>
    scopedUser(office.server, { account, codes: held, pages, scopes: [{ of: 'advertiser', ...scope }] });
  const [unpermitted, elsewhere, faceless, all] = [
    await seer(
      'unpermitted',
      {},
      codes.filter((code) => code !== 'ledger'),
    ),
    await seer('elsewhere', { rule: { field: 'id', is: office.requiredIds.advertiserId } }),
    await seer('faceless', { fields: 'id,name' }),
    await seer('all-seeing', {}),
  ];
  const texts = async (by: Record<string, string>) => [
    (await office.post(payPath, { id }, by)).msg,
    (await office.post(`${payPath}/sum`, { ids: [id] }, by)).msg,
    (await office.post(`${taskPath}/publish`, { ids: [draft.id] }, by)).msg,
    (await office.post('/api/things-task/ledger/submit', { advertiserId: data.id, amount: -1 }, by)).msg,
  ];
  const hidden = ['广告主「小店」余额不足，不能付款', '广告主「小店」余额不足，不能付款', '广告主「小店」资金不足，不能发布', '广告主余额不足，不能退款'];
  for (const by of [unpermitted, faceless]) expect(await texts(by)).toEqual(hidden);
  expect(await texts(elsewhere)).toEqual([...hidden.slice(0, 3), '广告主不存在']);
  const shown = '广告主「小店」余额不足：需要 5.00 元，可用 4.00 元';
  expect(await texts(all)).toEqual([shown, shown, expect.stringContaining('可用 0.00 元'), expect.stringContaining('最多可退 0.00 元')]);
});

test('the plan of a publication has the available money for users who may see it', async () => {
  const { id } = await office.addTask({ unitPrice: 500, quantity: 1 });
  const codes = ['tasks', 'tasks_publish'];
  await office.server.createUser({ account: 'publisher', codes });
  await office.server.createUser({ account: 'banker', codes: [...codes, 'ledger'] });
  const plan = async (account: string) => (await office.post(publicationPlan.path, { ids: [id] }, await office.server.signIn(account))).data;
  expect((await plan('publisher')).shares).toMatchObject([{ available: null, isRefused: false }]);
  expect((await plan('banker')).shares).toMatchObject([{ available: expect.any(Number) }]);
});

test('limits are refused without their amounts for users from whom the amounts of payouts are hidden', async () => {
  await setLimits({ perPayment: 400 });
  const [id = ''] = await approved(1);
  const pages = ['task_pay', 'payout'];
  const blind = await scopedUser(office.server, { account: 'blind', codes: pages, pages, scopes: [{ of: 'payout', fields: 'id,payNo,state' }] });
  expect(await office.post(payPath, { id }, blind)).toMatchObject({ status: 409, msg: '付款将超过限额，不能付款' });
  expect(await pay({ id })).toMatchObject({ status: 409, msg: '单笔付款不能超过 4.00 元' });
  await setLimits({});
});
