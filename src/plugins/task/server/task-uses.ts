import { sql } from 'drizzle-orm';
import { type DeclaredReference, idArray, queryRows, type ServerContext } from '#server';
import { maxCountedRows } from '#shared/contract';
import { audit, Task } from '../contract.ts';
import { recordMenu } from '../menus.ts';
import { reviewState } from './states.ts';

/** Approved work of tasks: a task whose work is paid, or waits for its pay, cannot be deleted. */
export const approvedWork = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Task.name,
  title: ['已通过的提交', 'Approved submissions'],
  async count(ids) {
    const [found] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from (select from task_submission
          where task_id = any(${idArray(ids)}) and audit_status = ${reviewState.approved} and is_deleted = 0 limit ${maxCountedRows}) approved`,
    );
    return found?.count ?? 0;
  },
  rows: (id) => ({ menu: recordMenu.code, list: audit.records.path, conditions: [{ field: 'taskId', operator: 'equal', value: id }] }),
});
