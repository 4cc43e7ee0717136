import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { TaskSaving, TasksPublishing } from '#plugins/task/contract';
import { defineServerPlugin, filterHandler } from '#server';
import { ApiError, problem } from '#shared/errors';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const noLights = problem(409, ['「{title}」需要审批单号', '“{title}” needs an approval.']);

/** A plugin of the deployment trims titles and refuses to publish tasks without a remark. */
const rules = defineServerPlugin({
  id: 'rules',
  title: ['规则', 'Rules'],
  dependencies: ['task'],
  setup() {
    return {
      filters: [
        filterHandler(TaskSaving, (form) => (form.title === undefined ? undefined : { ...form, title: form.title.trim(), status: 4 as const })),
        filterHandler(TasksPublishing, (tasks) => {
          const bare = tasks.find(({ remark }) => !remark);
          if (bare) throw new ApiError(noLights, { title: bare.title });
        }),
      ],
    };
  },
});

let office: TaskOffice;

beforeAll(async () => {
  office = await openTaskOffice({ plugins: [rules] });
});
afterAll(() => office.server.stop());

test('another plugin completes a saved task, within the rules of the form', async () => {
  const saved = await office.addTask({ title: '  夜景  ' });
  expect(saved).toMatchObject({ title: '夜景', status: 1 });
});

test('another plugin refuses a publication, and all of it stays unpublished', async () => {
  const bare = await office.addTask({ title: '无单号' });
  const sound = await office.addTask({ title: '有单号', remark: 'A-1' });
  expect(await office.post(`${taskPath}/publish`, { ids: [sound.id, bare.id] })).toMatchObject({ status: 409, msg: '「无单号」需要审批单号' });
  expect((await office.taskProgress(sound.id)).status).toBe(1);
  expect((await office.post(`${taskPath}/publish`, { ids: [sound.id] })).code).toBe(200);
});
