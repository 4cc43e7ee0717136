import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Submission, Task } from '#plugins/task/contract';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;

beforeAll(async () => {
  office = await openTaskOffice();
});
afterAll(() => office.server.stop());

const edit = (id: string, fields: object) =>
  office.post(`${taskPath}/submit`, { title: '拍一条面包视频', requirement: '出现招牌', unitPrice: 1250, quantity: 4, ...office.requiredIds, id, ...fields });
const move = (verb: string, ...ids: string[]) => office.post(`${taskPath}/${verb}`, { ids });
const steps = async (id: string) => ((await office.get(`${taskPath}/timeline`, { id })).data as { kind: string }[]).map(({ kind }) => kind);

test('the tables match the entities', async () => {
  for (const entity of [Task, Submission]) expect(await compareTables(office.server.db, entity)).toEqual([]);
});

test('a task goes from draft to published, down and up again, and its timeline lists it', async () => {
  const { id, ...task } = await office.addTask({ draft: 1, unitPrice: 1250, quantity: 4 });
  expect(task).toMatchObject({ status: 0, budget: 5000, advertiserName: '面包店', claimed: 0 });
  expect(await move('publish', id)).toMatchObject({ status: 409, msg: '「拍一条面包视频」为草稿状态，不能发布' });
  expect((await edit(id, { draft: 0 })).data.status).toBe(1);
  expect(await edit(id, { draft: 1 })).toMatchObject({ status: 409 });
  expect(await move('xiajia', id)).toMatchObject({ status: 409 });
  expect((await move('publish', id)).code).toBe(200);
  expect(await edit(id, { title: '改名' })).toMatchObject({ status: 409, msg: '「拍一条面包视频」为已发布状态，不能修改' });
  expect(await move('remove', id)).toMatchObject({ status: 409 });
  expect((await move('xiajia', id)).code).toBe(200);
  expect((await edit(id, { title: '改名' })).data).toMatchObject({ status: 3, title: '改名', unitPrice: 1250 });
  expect((await move('publish', id)).code).toBe(200);
  expect(await steps(id)).toEqual(['published', 'edited', 'takenDown', 'published', 'handedIn', 'edited', 'created']);
  await move('xiajia', id);
  expect((await move('remove', id)).code).toBe(200);
  expect(await office.get(`${taskPath}/detail`, { id })).toMatchObject({ status: 404 });
});

test('a refusal is in the language of the reader', async () => {
  const { id } = await office.addTask({ draft: 1, title: 'Bread' });
  const reply = await office.server.post(`${taskPath}/publish`, { ids: [id] }, { headers: { ...office.admin, 'accept-language': 'en' } });
  expect(reply.msg).toBe('“Bread” (draft) cannot be published.');
});

test('several tasks change state together or not at all, and of two concurrent changes one is refused', async () => {
  const [one, other] = [await office.addTask(), await office.addTask({ draft: 1 })];
  expect(await move('publish', one.id, other.id)).toMatchObject({ status: 409 });
  expect((await office.taskProgress(one.id)).status).toBe(1);
  const replies = await Promise.all([move('publish', one.id), move('publish', one.id), move('publish', one.id)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await move('publish', '1')).toMatchObject({ status: 404 });
});

test('references of a task must exist and be enabled, its price must match the grade, and its times must be in order', async () => {
  const refused = async (fields: object, field: string) => {
    const reply = await office.post(`${taskPath}/submit`, { title: '题', requirement: '要', unitPrice: 500, quantity: 1, ...office.requiredIds, ...fields });
    expect({ fields, status: reply.status, field: reply.body.field }).toEqual({ fields, status: 400, field });
  };
  await refused({ advertiserId: '1' }, 'advertiserId');
  await refused({ platformId: '1' }, 'platformId');
  await refused({ gradeId: '1' }, 'gradeId');
  await refused({ cityIds: ['1'] }, 'cityIds');
  await refused({ unitPrice: 99 }, 'unitPrice');
  await refused({ unitPrice: 5001 }, 'unitPrice');
  await refused({ startTime: '2099-01-02 00:00:00', endTime: '2099-01-01 00:00:00' }, 'endTime');
  await refused({ endTime: '2020-01-01 00:00:00' }, 'endTime');
  await refused({ quantity: 0 }, 'quantity');
});

test('in part every task is published that can be, and the others are named with their reasons; without it all or none', async () => {
  const [draft, one, other] = [await office.addTask({ draft: 1, title: '草稿' }), await office.addTask({}), await office.addTask({})];
  const ids = [draft.id, one.id, '999999999999999999', other.id];
  expect(await office.post(`${taskPath}/publish`, { ids })).toMatchObject({ status: 404, data: null });
  expect((await office.taskProgress(one.id)).status).toBe(1);
  expect((await office.post(`${taskPath}/publish`, { ids, partial: true })).data).toEqual({
    done: 2,
    total: 4,
    rows: [
      { id: draft.id, title: '草稿', code: 409, message: '「草稿」为草稿状态，不能发布' },
      { id: '999999999999999999', title: null, code: 404, message: '数据不存在或已被删除' },
    ],
  });
  for (const id of [one.id, other.id]) expect((await office.taskProgress(id)).status).toBe(2);
  expect(await office.post(`${taskPath}/publish`, { ids: [draft.id], partial: true })).toMatchObject({ status: 409, data: null });
  expect((await office.post(`${taskPath}/xiajia`, { ids: [one.id, other.id], partial: true })).data).toEqual({ done: 2, total: 2, rows: [] });
  const removal = await office.post(`${taskPath}/remove`, { ids: [draft.id, one.id, await office.publishTask()], partial: true });
  expect(removal.data).toMatchObject({ done: 2, total: 3, rows: [{ code: 409 }] });
  expect((await office.post(`${taskPath}/remove`, { ids: [other.id] })).msg).toBe('删除成功');
});

test('a bulk edit in part changes the rows that can be changed, and a value that no row accepts is refused', async () => {
  const [one, published] = [await office.addTask({}), await office.publishTask({ title: '已发布的' })];
  const change = (values: object, more: object = {}) => office.post(`${taskPath}/bulk-submit`, { ids: [one.id, published], values, ...more });
  expect(await change({ remark: '新' })).toMatchObject({ status: 409 });
  const refused = { id: published, title: '已发布的', code: 409, message: '「已发布的」为已发布状态，不能修改' };
  expect((await change({ remark: '新' }, { partial: true })).data).toEqual({ count: 1, done: 1, total: 2, rows: [refused] });
  expect((await office.get(`${taskPath}/detail`, { id: one.id })).data.remark).toBe('新');
  expect(await change({ advertiserId: '1' }, { partial: true, ids: [one.id] })).toMatchObject({ status: 400, data: null });
});

test('one whose end has passed is not published, and a published one is finished by its end', async () => {
  const { id } = await office.addTask({ endTime: '2099-01-01 00:00:00' });
  await office.server.sql(`update task set end_time = now() - interval '1 second' where id = ${id}`);
  expect(await move('publish', id)).toMatchObject({ status: 409, msg: '「拍一条面包视频」的结束时间已过' });
  const over = await office.publishTask({ endTime: '2099-01-01 00:00:00' });
  await office.server.sql(`update task set end_time = now() - interval '1 second' where id = ${over}`);
  await expect.poll(async () => (await office.taskProgress(over)).status, { timeout: 25_000, interval: 500 }).toBe(4);
  expect(await steps(over)).toContain('finished');
});

test('a copy is a new draft, and server fields are not taken from a form', async () => {
  const from = await office.publishTask({ endTime: '2099-01-01 00:00:00' });
  const { data } = await office.post(`${taskPath}/copy`, { id: from });
  expect(data).toMatchObject({ title: '拍一条面包视频', status: 0, claimed: 0, endTime: null });
  expect(data.id).not.toBe(from);
  const forged = await office.addTask({ status: 2, claimed: 3, passed: 3, budget: 1, departId: '9', tenantId: 'x' });
  expect(forged).toMatchObject({ status: 1, claimed: 0, passed: 0, budget: 1500 });
});

test('publishing and taking down have codes of their own', async () => {
  await office.server.createUser({ account: 'writer', codes: ['tasks', 'tasks_add', 'tasks_edit'] });
  const writer = await office.server.signIn('writer');
  const { id } = await office.addTask();
  for (const verb of ['publish', 'xiajia', 'remove']) expect((await office.post(`${taskPath}/${verb}`, { ids: [id] }, writer)).status).toBe(403);
  expect((await office.get(`${taskPath}/getList`, { status_equal: '1' }, writer)).data.total).toBeGreaterThan(0);
});

test('a task can use approved material only, which claimers see', async () => {
  const path = '/api/things-resource/depart';
  const upload = await office.server.upload('/api/file/uploadFile', { name: 'a.txt', content: 'material' }, { headers: office.admin });
  const material = (await office.post(`${path}/submitFile`, { url: upload.data.link })).data.id as string;
  const form = { title: '素材', requirement: '使用素材', unitPrice: 500, quantity: 1, ...office.requiredIds, resourceIds: [material] };
  expect(await office.post(`${taskPath}/submit`, form)).toMatchObject({ status: 400, msg: '素材不存在或已停用' });
  await office.server.sql(`update depart_resource set status = 1 where id = ${material}`);
  const taskId = await office.publishTask({ resourceIds: [material] });
  const { headers } = await office.createMember('reader');
  const { resourceIds } = (await office.get('/api/things-task/claim/offer-detail', { id: taskId }, headers)).data;
  expect((await office.get('/api/things-resource/findResourceByIds', { ids: resourceIds.join(',') }, headers)).data).toMatchObject([{ name: 'a.txt' }]);
});
