import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { type InboxEntry, inbox } from '#plugins/inbox/contract';
import { defineServerPlugin, type ServerContext } from '#server';
import { AdvertiserFunds } from '../../../../src/plugins/payment/server/funds.ts';
import { FundsNotices } from '../../../../src/plugins/payment/server/funds-notices.ts';
import { Ledger } from '../../../../src/plugins/payment/server/ledger.ts';
import { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from '../../../support/no-webhooks.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { claimPath, openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import type { Reply } from '../../../support/test-server.ts';

const payPath = '/api/things-task/weixinpay';
const ledgerPath = '/api/things-task/ledger';

let office: TaskOffice;
let context: ServerContext;
let settlement: Settlement;
let ann: Record<string, string>;
let eve: Record<string, string>;
let cashier: Record<string, string>;
let advertiserId: string;

const probe = defineServerPlugin({
  id: 'probe',
  title: ['探针', 'Probe'],
  dependencies: ['payment'],
  setup(given) {
    context = given;
    return {};
  },
});

beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: ['inbox', paymentWith({ gateway }), probe], timeScale: 1 });
  settlement = new Settlement(office.server.db, new Ledger(office.server.db), new SubmissionPay(office.server.db), noWebhooks);
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'cashier', codes: ['task_pay', 'payout', 'payout_approve', 'ledger', 'receipt_add', 'advertiser'] });
  cashier = await office.server.signIn('cashier');
});
afterAll(() => office.server.stop());
beforeEach(async () => {
  advertiserId = await newAdvertiser();
});

async function newAdvertiser(): Promise<string> {
  const name = `客户${Math.random()}`;
  const reply = await office.post('/api/oms-system/base/addadvertiser', { name, contact_name: '王', contact_phone: '13800000001' });
  return reply.data.id;
}
const receive = (amount: number, to = advertiserId) => office.post(`${ledgerPath}/submit`, { advertiserId: to, amount }, cashier);
const funds = async (of = advertiserId) => (await office.get(`${ledgerPath}/funds`, { advertiserId: of }, cashier)).data;
const publish = (...ids: string[]) => office.post(`${taskPath}/publish`, { ids });
const draft = async (fields: object = {}) => (await office.addTask({ advertiserId, perUserLimit: 0, ...fields })).id;
const isOk = (reply: Reply) => expect(reply.code, reply.msg).toBe(200);

test('publishing reserves price × quantity; approval makes it owed, and a payment paid; taking down gives the free places back', async () => {
  isOk(await receive(2000));
  const id = await draft({ unitPrice: 500, quantity: 3 });
  expect(await funds()).toMatchObject({ balance: 2000, reserved: 0, available: 2000, isLow: false });
  isOk(await publish(id));
  expect(await funds()).toMatchObject({ balance: 2000, reserved: 1500, owed: 0, available: 500 });
  const proof = await office.submitProof(id, ann);
  await office.submitProof(id, ann);
  expect(await funds()).toMatchObject({ reserved: 1500, available: 500 });
  isOk(await office.post(`${taskPath}/doAudit`, { id: proof, status: 1 }, eve));
  expect(await funds()).toMatchObject({ reserved: 1000, owed: 500, available: 500 });
  isOk(await office.post(`${taskPath}/xiajia`, { ids: [id] }));
  expect(await funds()).toMatchObject({ reserved: 500, owed: 500, available: 1000 });
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' where id = ${proof}`);
  const { data } = await office.post(payPath, { ids: [proof] }, cashier);
  expect(await funds()).toMatchObject({ balance: 1500, reserved: 500, owed: 0, inTransit: 500, paid: 0, available: 1000 });
  await settlement.settle('000000', { payNo: data.payNo, outcome: 'paid', state: 'SUCCESS' });
  expect(await funds()).toMatchObject({ balance: 1500, reserved: 500, inTransit: 0, paid: 500, available: 1000 });
  isOk(await office.post(`${taskPath}/submit`, { id, unitPrice: 800, quantity: 3 }));
  expect(await publish(id)).toMatchObject({ status: 200 });
  expect(await funds()).toMatchObject({ reserved: 1300, available: 200 });
});

test('a task that costs more than the advertiser has is refused, in a batch it alone; a plan says so before', async () => {
  isOk(await receive(1000));
  const [cheap, dear] = [await draft({ unitPrice: 400, quantity: 2 }), await draft({ unitPrice: 300, quantity: 1 })];
  const plan = await office.post(`${taskPath}/publication-plan`, { ids: [cheap, dear] });
  expect(plan.data).toMatchObject({
    preview: null,
    shares: [{ advertiserId, tasks: 2, places: 3, cost: 1100, least: 300, available: 1000, isLimited: true, isRefused: false }],
  });
  expect(await publish(cheap, dear)).toMatchObject({ status: 409, msg: expect.stringContaining('发布需冻结 11.00 元，可用 10.00 元') });
  expect(await funds()).toMatchObject({ reserved: 0 });
  const partial = await office.post(`${taskPath}/publish`, { ids: [cheap, dear], partial: true });
  expect(partial.data).toMatchObject({ done: 1, total: 2, rows: [{ code: 409 }] });
  expect((await funds()).available).toBeGreaterThanOrEqual(0);
});

test('credit counts as money for publishing, and a refund leaves what is reserved', async () => {
  isOk(await office.post('/api/oms-system/base/addadvertiser', { id: advertiserId, credit_limit: 500 }));
  isOk(await receive(1000));
  isOk(await publish(await draft({ unitPrice: 600, quantity: 2 })));
  expect(await funds()).toMatchObject({ balance: 1000, credit: 500, reserved: 1200, available: 300 });
  expect(await receive(-1)).toMatchObject({ status: 409, msg: expect.stringContaining('最多可退 0.00 元') });
});

test('concurrent publications never reserve more than there is', async () => {
  isOk(await receive(1000));
  const ids = await Promise.all(Array.from({ length: 6 }, () => draft({ unitPrice: 300, quantity: 1 })));
  const replies = await Promise.all(ids.map((id) => publish(id)));
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(3);
  expect(await funds()).toMatchObject({ reserved: 900, available: 100 });
});

test('low money of an advertiser is reported once, and again after it had recovered', async () => {
  const notices = new FundsNotices(context, new AdvertiserFunds(context.db));
  const told = async () => {
    await notices.runOnce();
    const { data } = await office.get(inbox.list.path, { kind: 'message' }, cashier);
    const link = `/task/ledger/index?account=1&advertiserId=${advertiserId}`;
    return (data.entries as InboxEntry[]).filter((entry) => entry.link === link).map(({ title }) => title);
  };
  expect(await told()).toEqual([]);
  await office.publishTask({ advertiserId, unitPrice: 500, quantity: 2 });
  const notice = expect.stringMatching(/^「客户.*」可用资金不足$/);
  expect(await told()).toEqual([notice]);
  expect(await told()).toEqual([notice]);
  isOk(await receive(1000));
  expect(await told()).toEqual([notice]);
  await office.publishTask({ advertiserId, unitPrice: 500, quantity: 2 });
  expect(await told()).toEqual([notice, notice]);
});

/** Plain model of one advertiser's money: what each business event does to it. */
class Model {
  balance = 0;
  reserved = 0;
  owed = 0;
  inTransit = 0;
  paid = 0;
  readonly tasks: { id: string; price: number; free: number; isOpen: boolean }[] = [];
  readonly claims: { id: string; task: number; amount: number; state: 'claimed' | 'handed' | 'approved' | 'paying' | 'over'; payNo?: string }[] = [];
  get available() {
    return this.balance - this.reserved - this.owed;
  }
}

const index = fc.nat({ max: 30 });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('receive' as const), amount: fc.integer({ min: -3000, max: 6000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('publish' as const), price: fc.integer({ min: 100, max: 900 }), quantity: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeDown' as const), at: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reprice' as const), at: index, price: fc.integer({ min: 100, max: 900 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('claim' as const, 'hand' as const, 'giveUp' as const), at: index }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('approve' as const, 'reject' as const, 'undo' as const), at: index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pay' as const, 'paid' as const, 'failed' as const), at: index }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const pick = <Value>(list: readonly Value[], at: number): Value | undefined => list[at % Math.max(1, list.length)];

/** Performs one event on server and model; the server's refusals must be those that the model expects. */
async function perform(model: Model, one: Step): Promise<void> {
  if (one.kind === 'receive') {
    const isPossible = one.amount !== 0 && (one.amount > 0 || -one.amount <= Math.max(0, model.available));
    expect((await receive(one.amount)).code === 200, JSON.stringify(one)).toBe(isPossible);
    if (isPossible) model.balance += one.amount;
  } else if (one.kind === 'publish') {
    const id = await draft({ unitPrice: one.price, quantity: one.quantity });
    await publishModelled(model, { id, price: one.price, free: one.quantity, isOpen: false });
  } else if (one.kind === 'takeDown' || one.kind === 'reprice') await changeTask(model, one);
  else if (one.kind === 'claim' || one.kind === 'hand' || one.kind === 'giveUp') await claimWork(model, one.kind, one.at);
  else if (one.kind === 'approve' || one.kind === 'reject' || one.kind === 'undo') await decide(model, one.kind, one.at);
  else await payWork(model, one.kind, one.at);
}

async function publishModelled(model: Model, task: Model['tasks'][number]): Promise<void> {
  const isPossible = task.free > 0 && model.available >= task.price * task.free;
  const reply = await publish(task.id);
  expect(reply.code === 200, reply.msg).toBe(isPossible);
  if (!model.tasks.includes(task)) model.tasks.push(task);
  if (!isPossible) return;
  task.isOpen = true;
  model.reserved += task.price * task.free;
}

async function changeTask(model: Model, { kind, at, price = 0 }: { kind: 'takeDown' | 'reprice'; at: number; price?: number }): Promise<void> {
  const task = pick(
    model.tasks.filter(({ isOpen }) => isOpen),
    at,
  );
  if (!task) return;
  isOk(await office.post(`${taskPath}/xiajia`, { ids: [task.id] }));
  task.isOpen = false;
  model.reserved -= task.price * task.free;
  if (kind === 'takeDown') return;
  isOk(await office.post(`${taskPath}/submit`, { id: task.id, unitPrice: price }));
  task.price = price;
  await publishModelled(model, task);
}

async function claimWork(model: Model, kind: 'claim' | 'hand' | 'giveUp', at: number): Promise<void> {
  if (kind === 'claim') {
    const task = pick(
      model.tasks.filter(({ isOpen, free }) => isOpen && free > 0),
      at,
    );
    if (!task) return;
    const reply = await office.post(`${claimPath}/claim`, { taskId: task.id }, ann);
    isOk(reply);
    task.free -= 1;
    model.claims.push({ id: reply.data.id, task: model.tasks.indexOf(task), amount: task.price, state: 'claimed' });
    return;
  }
  const claim = pick(
    model.claims.filter(({ state }) => state === 'claimed'),
    at,
  );
  if (!claim) return;
  if (kind === 'hand') isOk(await office.post(`${claimPath}/submit`, { id: claim.id, link: `https://www.douyin.com/video/${claim.id}` }, ann));
  else isOk(await office.post(`${claimPath}/give-up`, { id: claim.id }, ann));
  claim.state = kind === 'hand' ? 'handed' : 'over';
  if (kind === 'giveUp') free(model, claim);
}

/** The place of a claim is free again: the task offers it at its present price, if it is published. */
function free(model: Model, claim: Model['claims'][number]): void {
  const task = model.tasks[claim.task] as Model['tasks'][number];
  task.free += 1;
  model.reserved += (task.isOpen ? task.price : 0) - claim.amount;
}

async function decide(model: Model, kind: 'approve' | 'reject' | 'undo', at: number): Promise<void> {
  const wanted = kind === 'undo' ? 'approved' : 'handed';
  const claim = pick(
    model.claims.filter(({ state }) => state === wanted),
    at,
  );
  if (!claim) return;
  const task = model.tasks[claim.task] as Model['tasks'][number];
  if (kind === 'undo') {
    // An approval that is old enough to be paid can no longer be undone.
    const reply = await office.post(`${taskPath}/audit/undo`, { ids: [claim.id] }, eve);
    if (reply.code !== 200) return;
    claim.state = 'handed';
    model.owed -= claim.amount;
    model.reserved += claim.amount;
    const [row] = await office.server.sql(`select status from task where id = ${task.id}`);
    task.isOpen = row?.status === 2;
    return;
  }
  isOk(await office.post(`${taskPath}/doAudit`, { id: claim.id, status: kind === 'approve' ? 1 : 2, reason: '不符' }, eve));
  if (kind === 'reject') {
    claim.state = 'over';
    free(model, claim);
    return;
  }
  claim.state = 'approved';
  model.reserved -= claim.amount;
  model.owed += claim.amount;
  const [row] = await office.server.sql(`select status from task where id = ${task.id}`);
  task.isOpen = row?.status === 2;
}

async function payWork(model: Model, kind: 'pay' | 'paid' | 'failed', at: number): Promise<void> {
  const claim = pick(
    model.claims.filter(({ state }) => state === (kind === 'pay' ? 'approved' : 'paying')),
    at,
  );
  if (!claim) return;
  if (kind === 'pay') {
    await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' where id = ${claim.id}`);
    const reply = await office.post(payPath, { ids: [claim.id] }, cashier);
    expect(reply.code === 200, reply.msg).toBe(claim.amount <= model.balance);
    if (reply.code !== 200) return;
    Object.assign(claim, { state: 'paying', payNo: reply.data.payNo });
    model.balance -= claim.amount;
    model.owed -= claim.amount;
    model.inTransit += claim.amount;
    return;
  }
  await settlement.settle('000000', { payNo: claim.payNo ?? '', outcome: kind, state: kind });
  model.inTransit -= claim.amount;
  claim.state = kind === 'paid' ? 'over' : 'approved';
  if (kind === 'paid') model.paid += claim.amount;
  else {
    model.balance += claim.amount;
    model.owed += claim.amount;
  }
}

test('after any business events no unit of money is lost or made, and what is published is covered', { timeout: 180_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 45 }), async (steps) => {
      advertiserId = await newAdvertiser();
      const model = new Model();
      await perform(model, { kind: 'receive', amount: 5000 });
      for (const one of steps) {
        await perform(model, one);
        const { balance, reserved, owed, inTransit, paid, available } = model;
        expect(await funds(), JSON.stringify(one)).toMatchObject({ balance, reserved, owed, inTransit, paid, available });
      }
      expect((await office.get(`${ledgerPath}/check`, {}, cashier)).data).toEqual([]);
      const [last] = await office.server.sql(
        `select balance_after::float8 as balance from ledger_posting where account = 1 and advertiser_id = ${advertiserId} order by id desc limit 1`,
      );
      expect(Number(last?.balance)).toBe(model.balance);
      const month = String((await office.server.sql(`select to_char(now(), 'YYYY-MM') as month`))[0]?.month);
      const [statement] = (await office.get(`${ledgerPath}/statements`, { month, advertiserId }, cashier)).data;
      expect(statement).toMatchObject({ opening: 0, paid: model.paid + model.inTransit, closing: model.balance });
      expect(statement.received - statement.refunded - statement.paid).toBe(model.balance);
      expect(statement.lines.at(-1).balance).toBe(model.balance);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
