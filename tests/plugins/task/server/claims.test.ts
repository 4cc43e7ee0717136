import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Claims } from '../../../../src/plugins/task/server/claims.ts';
import { ConnectionLostError } from '../../../../src/server/data/database/connection-lost.ts';
import type { Principal } from '../../../../src/server/platform/principal/principal.ts';
import { claimPath, openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;
let ann: Awaited<ReturnType<TaskOffice['createMember']>>;
let bob: Awaited<ReturnType<TaskOffice['createMember']>>;

beforeAll(async () => {
  office = await openTaskOffice();
  [ann, bob] = [await office.createMember('ann'), await office.createMember('bob')];
});
afterAll(() => office.server.stop());

const claim = (taskId: string, { headers } = ann) => office.post(`${claimPath}/claim`, { taskId }, headers);
const handIn = (id: string, proof: object, { headers } = ann) => office.post(`${claimPath}/submit`, { id, ...proof }, headers);

test('published tasks with free places are offered; a claim reserves a place at the current price', async () => {
  const taskId = await office.publishTask({ quantity: 1, title: '独一份' });
  const offers = async () => (await office.get(`${claimPath}/offers`, { size: '50' }, ann.headers)).data.records as { title: string; advertiserId?: string }[];
  const offer = (await offers()).find(({ title }) => title === '独一份');
  expect(offer).toMatchObject({ unitPrice: 500, quantity: 1 });
  expect(offer).not.toHaveProperty('advertiserId');
  expect((await office.get(`${claimPath}/offer-detail`, { id: taskId }, ann.headers)).data).toMatchObject({ requirement: '出现招牌' });
  expect((await claim(taskId)).data).toMatchObject({ taskTitle: '独一份', amount: 500, auditStatus: 3, payStatus: 0 });
  expect((await offers()).some(({ title }) => title === '独一份')).toBe(false);
  expect(await claim(taskId, bob)).toMatchObject({ status: 409, msg: '名额已领完' });
});

test('claiming is done in the mini-app, not in a session of the console', async () => {
  const taskId = await office.publishTask();
  expect(await office.post(`${claimPath}/claim`, { taskId })).toMatchObject({ status: 403, msg: '请在小程序中操作' });
});

test('limits are per person, per day of a grade and by the times of the task', async () => {
  const taskId = await office.publishTask({ quantity: 10, perUserLimit: 2 });
  const codes = [await claim(taskId), await claim(taskId), await claim(taskId)].map(({ status }) => status);
  expect(codes).toEqual([200, 200, 409]);
  expect((await claim(taskId, bob)).status).toBe(200);
  const { data: grade } = await office.post('/api/oms-system/base/addtaskgrade', { name: '限量', level: 2, max_daily: 1 });
  const [first, second] = [await office.publishTask({ gradeId: grade.id }), await office.publishTask({ gradeId: grade.id })];
  expect((await claim(first)).status).toBe(200);
  expect(await claim(second)).toMatchObject({ status: 409, msg: '今日领取已达上限 1 份' });
  expect(await claim(await office.publishTask({ startTime: '2099-01-01 00:00:00' }))).toMatchObject({ status: 409 });
  expect(await claim((await office.addTask()).id)).toMatchObject({ status: 409 });
  expect(await claim('1')).toMatchObject({ status: 404 });
});

test('the tenant’s mini-app settings limit the time to submit and the number of open claims per user', async () => {
  const carl = await office.createMember('carl');
  const taskId = await office.publishTask({ quantity: 20, perUserLimit: 0 });
  const hoursOf = async ({ id }: { id: string }) => {
    const [row] = await office.server.sql(
      `select round(extract(epoch from deadline - create_time) / 3600)::integer as hours from task_submission where id = ${id}`,
    );
    return row?.hours;
  };
  const { data: first } = await claim(taskId, carl);
  expect(await hoursOf(first)).toBe(24);
  const save = (fields: object) => office.post('/api/oms-system/miniapp/updatesetting', { app_name: '任务帮', ...fields });
  expect((await save({ submit_hours: 48, claim_limit: 2 })).code).toBe(200);
  const { data: second } = await claim(taskId, carl);
  expect(await hoursOf(second)).toBe(48);
  expect(await claim(taskId, carl)).toMatchObject({ status: 409, msg: '最多同时进行 2 份，请先提交已领取的任务' });
  expect(await office.taskProgress(taskId)).toMatchObject({ claimed: 2 });
  expect((await handIn(second.id, { link: 'https://www.douyin.com/video/48' }, carl)).code).toBe(200);
  expect((await claim(taskId, carl)).code).toBe(200);
  expect((await save({ claim_limit: 0 })).code).toBe(200);
  expect((await claim(taskId, carl)).code).toBe(200);
});

test('a user with less credit than the grade requires cannot claim; a user without a record is not limited', async () => {
  const { data: grade } = await office.post('/api/oms-system/base/addtaskgrade', { name: '高信用', level: 3, min_score: 80 });
  const taskId = await office.publishTask({ gradeId: grade.id, perUserLimit: 0, quantity: 9 });
  const scored = (userExt: string) => office.post('/api/blade-system/user/update-platform', { userId: bob.userId, userType: 2, userExt });
  const outcome = async (userExt: string) => {
    expect((await scored(userExt)).code).toBe(200);
    return (await claim(taskId, bob)).msg;
  };
  expect(await outcome('{"score":79.5}')).toBe('该任务要求信用分不低于 80，当前为 79.5');
  expect(await outcome('{"score":80}')).toBe('操作成功');
  for (const unknown of ['', '{}', 'null', '不是 JSON', '{"score":"70"}']) expect(await outcome(unknown)).toBe('操作成功');
  expect((await claim(taskId, ann)).status).toBe(200);
  expect((await office.taskProgress(taskId)).claimed).toBe(7);
});

test('proof is handed in once, by whose claim it is, with a link the platform knows or a picture', async () => {
  const taskId = await office.publishTask();
  const { data } = await claim(taskId);
  expect(await handIn(data.id, {})).toMatchObject({ status: 400 });
  expect(await handIn(data.id, { link: 'https://elsewhere.com/video/1' })).toMatchObject({ status: 400 });
  expect(await handIn(data.id, { link: 'javascript:alert(1)' })).toMatchObject({ status: 400 });
  expect(await handIn(data.id, { link: 'https://www.douyin.com/video/1' }, bob)).toMatchObject({ status: 404 });
  const handed = await handIn(data.id, { link: 'https://www.douyin.com/video/1', platformAccount: '面包小王' });
  expect(handed.data).toMatchObject({ auditStatus: 0, platformAccount: '面包小王' });
  expect(await handIn(data.id, { link: 'https://www.douyin.com/video/1' })).toMatchObject({ status: 409 });
  expect(await office.taskProgress(taskId)).toMatchObject({ claimed: 1, submitted: 1 });
});

test('users see their own claims only', async () => {
  const taskId = await office.publishTask();
  const { data } = await claim(taskId);
  const mine = async ({ headers }: typeof ann) => (await office.get(`${claimPath}/records`, { size: '100' }, headers)).data.records as { id: string }[];
  expect((await mine(ann)).map(({ id }) => id)).toContain(data.id);
  expect((await mine(bob)).map(({ id }) => id)).not.toContain(data.id);
});

test('a claim that is cancelled or not submitted in time releases its place', async () => {
  const taskId = await office.publishTask({ quantity: 1 });
  const { data: first } = await claim(taskId);
  expect((await office.post(`${claimPath}/give-up`, { id: first.id }, bob.headers)).status).toBe(404);
  expect((await office.post(`${claimPath}/give-up`, { id: first.id }, ann.headers)).status).toBe(200);
  expect(await office.taskProgress(taskId)).toMatchObject({ claimed: 0 });
  const { data: second } = await claim(taskId);
  await office.server.sql(`update task_submission set deadline = now() - interval '1 second' where id = ${second.id}`);
  expect(await handIn(second.id, { link: 'https://www.douyin.com/video/2' })).toMatchObject({ status: 409 });
  await expect.poll(async () => (await office.taskProgress(taskId)).claimed, { timeout: 25_000, interval: 300 }).toBe(0);
});

test('a task with open claims is not removed', async () => {
  const taskId = await office.publishTask();
  await claim(taskId);
  await office.post(`${taskPath}/xiajia`, { ids: [taskId] });
  expect(await office.post(`${taskPath}/remove`, { ids: [taskId] })).toMatchObject({ status: 409, msg: '「拍一条面包视频」还有 1 份未审结的领取' });
});

test('five hundred concurrent claims never exceed the places, or the limit per user', async () => {
  const quota = 120;
  const taskId = await office.publishTask({ quantity: quota, perUserLimit: 1 });
  await office.server.sql(
    `insert into user_account (tenant_id, account, password_hash, name, real_name) select '000000', 'crowd' || n || '-${taskId}', 'x', 'crowd' || n, 'crowd' || n from generate_series(1, 250) n`,
  );
  const crowd = await office.server.sql(`select id::text as id from user_account where account like 'crowd%-${taskId}'`);
  const { db } = office.server;
  const claims = new Claims({
    db,
    parameters: { text: async ({ preset }) => preset, integer: async ({ preset }) => preset, flag: async ({ preset }) => preset },
  });
  /** Claims as a person does, who repeats what was not even tried because no connection was free for ten seconds. */
  const claimPatiently = async (userId: string): Promise<unknown> => {
    try {
      return await db.write({ tenantId: '000000' }, () => claims.claim({ userId } as Principal, taskId));
    } catch (error) {
      if (error instanceof ConnectionLostError) return claimPatiently(userId);
      throw error;
    }
  };
  // Each claim is sent twice.
  const outcomes = await Promise.allSettled([...crowd, ...crowd].map(({ id }) => claimPatiently(String(id))));
  expect(outcomes).toHaveLength(500);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(quota);
  expect(new Set(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.problem?.status ?? String(outcome.reason)] : [])))).toEqual(
    new Set([409]),
  );
  expect(await office.taskProgress(taskId)).toMatchObject({ claimed: quota });
  const [taken] = await office.server.sql(
    `select count(*)::integer as count, count(distinct user_id)::integer as people from task_submission where task_id = ${taskId} and audit_status = 3`,
  );
  expect(taken).toEqual({ count: quota, people: quota });
});
