import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { ServerContext, ServerPlugin } from '#server';
import { Award } from '../../../examples/loyalty/contract.ts';
import loyalty from '../../../examples/loyalty/server/plugin.ts';
import { compareTables } from '../../../src/server/data/index.ts';
import type { MapRun, Processor } from '../../../src/server/platform/jobs/processors.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../support/task-office.ts';

const path = '/api/acme-loyalty/award';
const migrations = { '0001-awards.sql': readFileSync('examples/loyalty/server/migrations/0001-awards.sql', 'utf8') };
let office: TaskOffice;
let db: ServerContext['db'];
let job: Processor | undefined;

beforeAll(async () => {
  const setup: ServerPlugin['setup'] = (context) => {
    db = context.db;
    const contributions = loyalty.setup?.(context) ?? {};
    job = contributions.processors?.['loyalty:settle'];
    return contributions;
  };
  const plugin = { ...loyalty, setup, options: { pointsPerYuan: 20, monthlyGoal: 1000 } };
  office = await openTaskOffice({ plugins: [{ plugin, migrations }] });
});
afterAll(() => office.server.stop());

/** Submits and approves a proof, long enough ago for the approval to be final. */
async function submitApproved(taskId: string, headers: Record<string, string>): Promise<void> {
  const id = await office.submitProof(taskId, headers);
  expect(await office.post(`${taskPath}/doAudit`, { id, status: 1 })).toMatchObject({ code: 200 });
  await office.server.sql(`update task_submission set audit_time = now() - interval '2 minutes' where id = ${id}`);
}

test('the table matches the entity', async () => {
  expect(await compareTables(office.server.db, Award)).toEqual([]);
});

test('an approved proof gets points once, by its price and the options of the deployment, manually or by the job', async () => {
  const bread = await office.publishTask({ unitPrice: 500, perUserLimit: 0 });
  const cake = await office.publishTask({ unitPrice: 250, perUserLimit: 0 });
  const { headers } = await office.createMember('baker');
  for (const task of [bread, bread, cake]) await submitApproved(task, headers);
  await office.submitProof(cake, headers);

  expect((await office.post(`${path}/settle`, { ids: [cake] })).data).toEqual({ awards: 1, points: 50 });
  const lines: string[] = [];
  const write: MapRun['write'] = (work) => db.write({ tenantId: '000000' }, work);
  expect(await job?.run({ write, log: (_, line) => void lines.push(line) } as MapRun)).toBe('200');
  expect(lines).toEqual(['200 points for 2 pieces of work']);
  expect((await office.post(`${path}/settle`, { ids: [cake, bread] })).data).toEqual({ awards: 0, points: 0 });

  expect((await office.get(`${path}/summary`)).data).toEqual({ points: 250, leaders: [{ memberId: expect.any(String), memberName: 'baker', points: 250 }] });
  const { data } = await office.get(`${path}/list`, { memberName: 'bak', descs: 'points' });
  expect(data.records.map(({ points }: { points: number }) => points)).toEqual([100, 100, 50]);
});

test('a task has its own points: saved, returned and copied with it, and awarded', async () => {
  const field = 'loyalty:points';
  const cake = await office.publishTask({ unitPrice: 250, perUserLimit: 0, [field]: 7 });
  const plain = await office.publishTask({ unitPrice: 250, perUserLimit: 0 });
  expect((await office.get(`${taskPath}/detail`, { id: cake })).data).toMatchObject({ id: cake, [field]: 7 });
  const { records } = (await office.get(`${taskPath}/getList`, { ids: `${cake},${plain}` })).data;
  expect(Object.fromEntries(records.map((row: Record<string, unknown>) => [row.id, row[field]]))).toEqual({ [cake]: 7, [plain]: null });
  const { data: copy } = await office.post(`${taskPath}/copy`, { id: cake });
  expect((await office.get(`${taskPath}/detail`, { id: copy.id })).data[field]).toBe(7);

  const { headers } = await office.createMember('confectioner');
  for (const task of [cake, plain]) await submitApproved(task, headers);
  expect((await office.post(`${path}/settle`, { ids: [cake] })).data).toEqual({ awards: 1, points: 7 });
  expect((await office.post(`${path}/settle`, { ids: [plain] })).data).toEqual({ awards: 1, points: 50 });

  const form = { requirement: '出现招牌', unitPrice: 250, quantity: 3 };
  const refused = await office.post(`${taskPath}/submit`, { ...form, ...office.requiredIds, id: copy.id, title: '改名', [field]: 0 });
  expect(refused).toMatchObject({ status: 400, body: { field, msg: '单份积分须在1到100000之间' } });
  expect((await office.get(`${taskPath}/detail`, { id: copy.id })).data).toMatchObject({ title: '拍一条面包视频', [field]: 7 });
});

test('reading and settling points requires their permission codes, and another tenant has no points', async () => {
  await office.server.createUser({ account: 'passer-by' });
  const stranger = await office.server.signIn('passer-by');
  expect(await office.get(`${path}/summary`, {}, stranger)).toMatchObject({ status: 403 });
  expect(await office.post(`${path}/settle`, { ids: ['1'] }, stranger)).toMatchObject({ status: 403 });
  await office.server.createTenant('222222');
  await office.server.createUser({ account: 'other', tenantId: '222222', roleAlias: 'admin', codes: ['loyalty'] });
  const other = await office.server.signIn('other', '222222');
  expect((await office.get(`${path}/summary`, {}, other)).data).toEqual({ points: 0, leaders: [] });
});
