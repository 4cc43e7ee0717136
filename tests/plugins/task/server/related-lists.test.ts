import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { relatedLists } from '#shared/record-uses';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;
beforeAll(async () => {
  office = await openTaskOffice();
});
afterAll(() => office.server.stop());

test('a task names its audited work, as many rows as the list of it has', async () => {
  const ann = await office.createMember('ann');
  const eve = await office.createAuditor('eve');
  const [taskId, other] = [await office.publishTask({ quantity: 10, perUserLimit: 0 }), await office.publishTask({ quantity: 10, perUserLimit: 0 })];
  const ids = [await office.submitProof(taskId, ann.headers), await office.submitProof(taskId, ann.headers), await office.submitProof(taskId, ann.headers)];
  await office.submitProof(other, ann.headers);
  await office.post(`${taskPath}/doAudit`, { ids: ids.slice(0, 2), status: 1 }, eve.headers);
  const lists = async (id: string) =>
    (await office.get(relatedLists.path, { entity: 'task', id })).data as { list: string; field: string; value: string; count: number }[];
  const records = { title: ['审核记录', 'Review records'], menu: 'task_record', list: `${taskPath}/getRecordList`, field: 'taskId', value: taskId, count: 2 };
  expect(await lists(taskId)).toContainEqual(records);
  expect(await lists(other)).toContainEqual({ ...records, value: other, count: 0 });
  expect((await office.get(`${taskPath}/getRecordList`, { taskId_equal: taskId })).data.total).toBe(2);
});
