import type { CrudScreen, ScreenAddition } from '#kernel';
import type { AdvertiserRow } from '#plugins/base-data/contract';
import { Task, task } from '../contract.ts';
import { consoleMessages } from './messages.ts';
import { taskFields } from './task-fields.ts';

const newTask = (row: AdvertiserRow, { openRowAction }: CrudScreen<AdvertiserRow>) => {
  const [zh, en] = consoleMessages.newTask;
  openRowAction(row, {
    title: [`${zh}：${row.name}`, `${en}: ${row.name}`],
    confirm: consoleMessages.save,
    done: consoleMessages.added,
    call: task.submit,
    entity: Task,
    fields: taskFields.filter((name) => name !== 'advertiserId'),
    input: { advertiserId: row.id },
  });
};

/** Adds an action to the rows of advertisers that creates a task for the advertiser. */
export default (): ScreenAddition<AdvertiserRow> => ({
  actions: { row: [{ title: consoleMessages.newTask, code: 'tasks_add', when: ({ status }) => status === 1, onClick: newTask }] },
});
