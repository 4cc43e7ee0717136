import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { claimPath, openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;
let ann: Awaited<ReturnType<TaskOffice['createMember']>>;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['access'] });
  ann = await office.createMember('ann');
});
afterAll(() => office.server.stop());

const codes = ['tasks', 'tasks_add', 'tasks_edit', 'tasks_delete', 'tasks_view', 'tasks_publish', 'tasks_xiajia', 'task_audit', 'task_record'];

/** Creates a user with all permissions for tasks, on the rows that these scopes show. */
async function operator(account: string, tenantId = '000000', scopes: { page: string; of: string; scope: object }[] = []) {
  const { roleId } = await office.server.createUser({ account, codes, tenantId });
  const dataScopeIds: string[] = [];
  for (const { page, of, scope } of scopes) {
    const [menu] = await office.server.sql(`select id::text as id from menu where code = '${page}'`);
    const form = { menuId: menu?.id, scopeName: account, resourceCode: `${account}_${of}`, scopeField: '*', scopeClass: of, ...scope };
    const { data, msg } = await office.post('/api/blade-system/data-scope/submit', form);
    expect(msg).toBe('新增成功');
    dataScopeIds.push(data.id);
  }
  if (dataScopeIds.length > 0) expect((await office.post('/api/blade-system/role/grant', { roleIds: [roleId], dataScopeIds })).code).toBe(200);
  return office.server.signIn(account, tenantId);
}

/** Sends every request about one task and one submission by id, and returns the status of each. */
async function asked(taskId: string, proof: string, by: Record<string, string>): Promise<Record<string, number>> {
  const { post, get, requiredIds } = office;
  const form = { title: '改', requirement: '改', unitPrice: 500, quantity: 3, ...requiredIds, id: taskId };
  const replies = {
    detail: await get(`${taskPath}/detail`, { id: taskId }, by),
    timeline: await get(`${taskPath}/timeline`, { id: taskId }, by),
    submit: await post(`${taskPath}/submit`, form, by),
    publish: await post(`${taskPath}/publish`, { ids: [taskId] }, by),
    xiajia: await post(`${taskPath}/xiajia`, { ids: [taskId] }, by),
    copy: await post(`${taskPath}/copy`, { id: taskId }, by),
    remove: await post(`${taskPath}/remove`, { ids: [taskId] }, by),
    decide: await post(`${taskPath}/doAudit`, { id: proof, status: 1 }, by),
    undo: await post(`${taskPath}/audit/undo`, { ids: [proof] }, by),
  };
  return Object.fromEntries(Object.entries(replies).map(([name, { status }]) => [name, status]));
}

const absent = { detail: 404, timeline: 404, submit: 404, publish: 404, xiajia: 404, copy: 404, remove: 404, decide: 404, undo: 404 };

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
async function listed(by: Record<string, string>) {
  const { get } = office;
  const page = async (call: string) => idsOf((await get(`${taskPath}/${call}`, { size: '200' }, by)).data.records);
  return { tasks: await page('getList'), waiting: await page('getAuditList'), records: await page('getRecordList') };
}

test('another tenant neither sees nor changes tasks, claims and proof, with any ids', async () => {
  const taskId = await office.publishTask({ quantity: 9, perUserLimit: 0 });
  const waiting = await office.submitProof(taskId, ann.headers);
  const decided = await office.submitProof(taskId, ann.headers);
  await office.server.createTenant('others');
  const stranger = await operator('stranger', 'others');
  await office.post(`${taskPath}/doAudit`, { id: decided, status: 1 });
  const before = await office.taskProgress(taskId);
  expect(await asked(taskId, waiting, stranger)).toEqual(absent);
  expect(await asked(taskId, decided, stranger)).toEqual(absent);
  expect(await listed(stranger)).toEqual({ tasks: [], waiting: [], records: [] });
  expect((await office.post(`${taskPath}/audit/take`, {}, stranger)).data).toEqual([]);
  expect((await office.get(`${taskPath}/audit/figures`, {}, stranger)).data).toEqual([]);
  expect((await office.get(`${taskPath}/audit/counts`, {}, stranger)).data).toMatchObject({ pending: 0, held: 0 });
  expect((await office.get(`${claimPath}/offers`, {}, stranger)).data.total).toBe(0);
  expect((await office.get(`${claimPath}/offer-detail`, { id: taskId }, stranger)).status).toBe(404);
  expect(await office.taskProgress(taskId)).toEqual(before);
});

test('a data scope narrows tasks in lists, timelines and moves alike', async () => {
  const hers = await office.publishTask({ title: '她的' });
  const scoped = await operator('scoped', '000000', [{ page: 'tasks', of: 'task', scope: { scopeType: 2 } }]);
  const { data: own } = await office.post(
    `${taskPath}/submit`,
    { title: '自己的', requirement: '要', unitPrice: 500, quantity: 3, ...office.requiredIds },
    scoped,
  );
  expect((await listed(scoped)).tasks).toEqual([own.id]);
  const { decide: _decide, undo: _undo, ...ofTask } = absent;
  expect(await asked(hers, '1', scoped)).toMatchObject(ofTask);
  expect((await office.post(`${taskPath}/publish`, { ids: [own.id, hers] }, scoped)).status).toBe(404);
  expect((await office.get(`${taskPath}/timeline`, { id: own.id }, scoped)).data).toHaveLength(2);
  expect((await office.taskProgress(hers)).status).toBe(2);
});

test('a data scope narrows proof in lists, queues, figures, what looks alike and decisions', async () => {
  const [mine, other] = [await office.publishTask({ quantity: 9, perUserLimit: 0 }), await office.publishTask({ quantity: 9, perUserLimit: 0 })];
  const link = 'https://www.douyin.com/video/same';
  const [seen, hidden, done] = [
    await office.submitProof(mine, ann.headers, { link }),
    await office.submitProof(other, ann.headers, { link }),
    await office.submitProof(other, ann.headers),
  ];
  await office.post(`${taskPath}/doAudit`, { id: done, status: 1 });
  const scope = { scopeType: 5, scopeValue: JSON.stringify({ field: 'taskId', is: mine }) };
  const auditor = await operator('narrow', '000000', [
    { page: 'task_audit', of: 'task_submission', scope },
    { page: 'task_record', of: 'task_submission', scope },
  ]);
  expect(await listed(auditor)).toMatchObject({ waiting: [seen], records: [] });
  expect((await office.get(`${taskPath}/audit/counts`, {}, auditor)).data).toMatchObject({ pending: 1 });
  expect((await office.get(`${taskPath}/audit/figures`, {}, auditor)).data).toEqual([]);
  const taken = (await office.post(`${taskPath}/audit/take`, { size: 50 }, auditor)).data;
  expect(taken).toMatchObject([{ id: seen, twins: [] }]);
  expect((await office.server.sql(`select from task_audit_lease where submission_id = ${hidden}`)).length).toBe(0);
  expect((await office.post(`${taskPath}/doAudit`, { ids: [seen, hidden], status: 1 }, auditor)).status).toBe(404);
  expect((await office.post(`${taskPath}/audit/undo`, { ids: [done] }, auditor)).status).toBe(404);
  expect((await office.post(`${taskPath}/doAudit`, { ids: [seen], status: 1 }, auditor)).data).toEqual({ count: 1 });
});

test('lists in an order of their own answer callers from whom its column is hidden', async () => {
  const taskId = await office.publishTask({ perUserLimit: 0 });
  const waiting = await office.submitProof(taskId, ann.headers);
  const decided = await office.submitProof(taskId, ann.headers);
  await office.post(`${taskPath}/doAudit`, { id: decided, status: 1 });
  const blind = await operator('blind', '000000', [
    { page: 'task_audit', of: 'task_submission', scope: { scopeType: 1, scopeField: 'id,taskId,taskTitle,phone,auditStatus' } },
  ]);
  const lists = await listed(blind);
  expect(lists.waiting).toContain(waiting);
  expect(lists.records).toContain(decided);
  expect((await office.get(`${taskPath}/getAuditList`, { ascs: 'submit_time' }, blind)).status).toBe(400);
});
