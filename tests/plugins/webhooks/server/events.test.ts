import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import Schema from 'typebox/schema';
import { plugins } from '#deployment/server';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const userPath = '/api/oms-system/user';
const gateway = new ScriptedGateway();
const events = plugins.flatMap(({ plugin }) => plugin.webhookEvents ?? []);

let office: TaskOffice;
let ann: Awaited<ReturnType<TaskOffice['createMember']>>;
let eve: Awaited<ReturnType<TaskOffice['createAuditor']>>;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: [paymentWith({ gateway }), 'webhooks'] });
  [ann, eve] = [await office.createMember('ann'), await office.createAuditor('eve')];
});
afterAll(() => office.server.stop());
beforeEach(async () => {
  await office.server.sql('delete from webhook_endpoint');
  const all = JSON.stringify(events.map(({ name }) => name));
  await office.server.sql(
    `insert into webhook_endpoint (tenant_id, name, url, events, is_enabled) values ('000000', 'all', 'https://hooks.example.invalid/', '${all}', true)`,
  );
});

/** Returns what is queued, in its order, and checks that its data is what the event declares. */
async function queued(): Promise<[name: string, data: Record<string, unknown>][]> {
  const rows = await office.server.sql('select event, body from webhook_delivery order by id');
  return rows.map(({ event: name, body }) => {
    const { type, data } = JSON.parse(String(body)) as { type: string; data: Record<string, unknown> };
    expect(type).toBe(name);
    expect(Schema.Check(events.find((one) => one.name === name)?.data as object, data), `${name}: ${JSON.stringify(data)}`).toBe(true);
    return [String(name), data];
  });
}

test('names of events are unique, and made of words in lower case', () => {
  const names = events.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
});

test('tasks that are published and taken down are sent, and refused ones are not', async () => {
  const { advertiserId } = office.requiredIds;
  const id = await office.publishTask();
  expect((await office.post(`${taskPath}/publish`, { ids: [id] })).code).toBe(409);
  await office.post(`${taskPath}/xiajia`, { ids: [id] });
  expect(await queued()).toEqual([
    ['task.published', { id, advertiserId }],
    ['task.taken_down', { id, advertiserId }],
  ]);
});

test('decisions on submissions are sent, also when they are undone', async () => {
  const taskId = await office.publishTask({ quantity: 5, perUserLimit: 0 });
  const [good, bad] = [await office.submitProof(taskId, ann.headers), await office.submitProof(taskId, ann.headers)];
  await office.post(`${taskPath}/doAudit`, { id: good, status: 1 }, eve.headers);
  await office.post(`${taskPath}/doAudit`, { id: bad, status: 2, reason: '不清楚' }, eve.headers);
  expect((await office.post(`${taskPath}/audit/undo`, { ids: [good] }, eve.headers)).code).toBe(200);
  const { userId } = ann;
  expect((await queued()).slice(1)).toEqual([
    ['submission.approved', { id: good, taskId, userId }],
    ['submission.rejected', { id: bad, taskId, userId }],
    ['submission.reopened', { id: good, taskId, userId }],
  ]);
});

test('payouts that succeed and fail are sent once, with the amount of the payee', async () => {
  const taskId = await office.publishTask({ quantity: 5, perUserLimit: 0 });
  const [paid, failed] = [await office.submitProof(taskId, ann.headers), await office.submitProof(taskId, ann.headers)];
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 });
  await office.post(`${taskPath}/doAudit`, { ids: [paid, failed], status: 1 }, eve.headers);
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet'`);
  for (const [id, outcome] of [
    [paid, 'paid'],
    [failed, 'failed'],
  ] as const) {
    gateway.outcome = outcome;
    const reply = await office.post('/api/things-task/weixinpay', { ids: [id] });
    expect(reply.code, reply.msg).toBe(200);
    const ended = async () => {
      await office.server.sql('update payout set next_try = now() where state = 1');
      return (await queued()).some(([name]) => name === `payout.${outcome}`);
    };
    await expect.poll(ended, { timeout: 20_000, interval: 500 }).toBe(true);
  }
  const payouts = (await queued()).filter(([name]) => name.startsWith('payout.'));
  expect(payouts).toMatchObject([
    ['payout.paid', { submissionId: paid, amount: 500 }],
    ['payout.failed', { submissionId: failed, amount: 500 }],
  ]);
});

test('users that are created, disabled and enabled are sent by their id alone', async () => {
  const { data } = await office.post(`${userPath}/submit`, { account: 'zoe', realName: '佐伊', name: '佐伊', userType: 1 });
  const { id } = data;
  await office.post(`${userPath}/update-status`, { userIds: [id], ids: [id], status: 2 });
  await office.post(`${userPath}/update-status`, { userIds: [id], ids: [id], status: 2 });
  await office.post(`${userPath}/update-status`, { userIds: [id], ids: [id], status: 1 });
  await office.post(`${userPath}/submit`, { id, name: 'Zoe' });
  expect(await queued()).toEqual([
    ['user.created', { id }],
    ['user.disabled', { id }],
    ['user.enabled', { id }],
  ]);
});
