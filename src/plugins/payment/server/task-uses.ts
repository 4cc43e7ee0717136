import { sql } from 'drizzle-orm';
import { Task } from '#plugins/task/contract';
import { type DeclaredReference, idArray, queryRows, type ServerContext } from '#server';
import { maxCountedRows } from '#shared/contract';
import { payout } from '../contract.ts';
import { payoutMenu } from '../menus.ts';

/** Payouts of tasks: a task with payouts cannot be deleted. */
export const payoutsOfTasks = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Task.name,
  title: payoutMenu.title,
  async count(ids) {
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from (select from payout where task_id = any(${idArray(ids)}) limit ${maxCountedRows}) counted`,
    );
    return row?.count ?? 0;
  },
  rows: (id) => ({ menu: payoutMenu.code, list: payout.list.path, conditions: [{ field: 'taskId', operator: 'equal', value: id }] }),
});
