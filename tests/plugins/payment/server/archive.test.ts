import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { claimPath, openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { sheetOf } from '../../../support/workbook.ts';

const base = '/api/oms-system/base';
const payPath = '/api/things-task/weixinpay';
type Headers = Record<string, string>;
let office: TaskOffice;
let payer: Headers;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['payment', 'transfers'] });
  await office.server.createUser({ account: 'payer', codes: ['task_pay', 'payout', 'ledger', 'receipt_add'] });
  payer = await office.server.signIn('payer');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 }, payer);
});
afterAll(() => office.server.stop());

const archive = (path: string, id: string, verb = 'archive') => office.post(`${base}/${path}/${verb}`, { ids: [id] });
const idsIn = async (path: string, query = {}) => {
  const { data } = await office.get(`${base}/${path}`, query);
  return (data.records ?? data).map(({ id }: { id: string }) => id) as string[];
};

test('pending submissions of an archived advertiser are audited and paid, and the advertiser is neither listed nor offered', async () => {
  const { advertiserId } = office.requiredIds;
  const taskId = await office.publishTask();
  const { headers: ann } = await office.createMember('ann');
  const { headers: eve } = await office.createAuditor('eve');
  const submission = await office.submitProof(taskId, ann);
  expect(await archive('advertiser', advertiserId)).toMatchObject({ code: 200 });
  expect(await idsIn('advertiser/select', { ids: advertiserId })).toEqual([]);
  expect(await idsIn('advertiserlist')).not.toContain(advertiserId);
  expect(await idsIn('advertiser/archived-list')).toEqual([advertiserId]);
  expect((await office.get(`${base}/advertiser/detail`, { id: advertiserId })).data).toMatchObject({ name: '面包店', isDeleted: 2 });
  expect(await office.post(`${taskPath}/doAudit`, { ids: [submission], status: 1 }, eve)).toMatchObject({ code: 200 });
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'w' where id = ${submission}`);
  expect(await office.post(payPath, { id: submission }, payer)).toMatchObject({ code: 200, data: { payouts: [{ id: submission }] } });
  await archive('advertiser', advertiserId, 'unarchive');
});

test('a task keeps its archived advertiser, and no new task gets it', async () => {
  const { advertiserId } = office.requiredIds;
  const { id: taskId } = await office.addTask();
  await archive('advertiser', advertiserId);
  expect(await office.post(`${taskPath}/submit`, { id: taskId, remark: '备注' })).toMatchObject({ code: 200 });
  const form = { title: '新任务', requirement: '要求', unitPrice: 500, quantity: 10, perUserLimit: 0, ...office.requiredIds };
  expect(await office.post(`${taskPath}/submit`, form)).toMatchObject({ status: 400 });
  await archive('advertiser', advertiserId, 'unarchive');
  expect(await office.post(`${taskPath}/submit`, form)).toMatchObject({ code: 200 });
});

test('references to archived rows have their names, with a mark in exports', async () => {
  const { platformId } = office.requiredIds;
  await office.addTask();
  await archive('platform', platformId);
  const input = { entity: 'platform', field: 'id', title: 'name', values: platformId };
  expect((await office.get('/api/blade-system/archived-names', input)).data).toEqual([{ value: platformId, title: '抖音' }]);
  expect((await office.get('/api/blade-system/archived-names', { ...input, title: 'link_pattern' })).data).toEqual([]);
  const { data: exported } = await office.post(`${taskPath}/export`, { format: 'xlsx', fields: ['title', 'platformId'] });
  const query = { id: exported.id };
  await expect.poll(async () => (await office.get(transfers.detail.path, query)).data.state, { timeout: 20_000 }).toBe('done');
  const { data: link } = await office.get(transfers.link.path, query);
  const lines = await sheetOf((await office.server.get(link.link)).body.bytes);
  expect(lines.flat()).toContain('抖音（已归档）');
  await archive('platform', platformId, 'unarchive');
  expect((await office.get('/api/blade-system/archived-names', input)).data).toEqual([]);
});

test('a published task cannot be archived, and an archived one cannot be edited, claimed or published', async () => {
  const taskId = await office.publishTask();
  expect(await office.post(`${taskPath}/archive`, { ids: [taskId] })).toMatchObject({ status: 409 });
  await office.server.sql(`update task set status = 3 where id = ${taskId}`);
  expect(await office.post(`${taskPath}/archive`, { ids: [taskId] })).toMatchObject({ code: 200 });
  expect(await office.post(`${taskPath}/submit`, { id: taskId, remark: '备注' })).toMatchObject({ status: 409 });
  const { headers } = await office.createMember('claimer');
  expect((await office.post(`${claimPath}/claim`, { taskId }, headers)).status).toBeGreaterThanOrEqual(400);
  expect((await office.post(`${taskPath}/publish`, { ids: [taskId] })).status).toBeGreaterThanOrEqual(400);
});
