import { sql } from 'drizzle-orm';
import { type DeclaredFilter, type DeclaredReference, filterHandler, idArray, queryRows, type ServerContext } from '#server';
import { maxCountedRows } from '#shared/contract';
import { type TenantHolding, TenantHoldings } from '#shared/tenant-holdings';
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

/** Reports the number of tasks and submissions of a tenant before it is deleted. */
export function tenantHoldings({ db }: Pick<ServerContext, 'db'>): DeclaredFilter {
  return filterHandler(TenantHoldings, async ({ tenantId, holdings }) => {
    const [counts] = await queryRows<{ tasks: number; submissions: number }>(
      db,
      sql`select (select count(*)::integer from task where tenant_id = ${tenantId} and is_deleted = 0) as tasks,
            (select count(*)::integer from task_submission where tenant_id = ${tenantId} and is_deleted = 0) as submissions`,
    );
    if (!counts) return undefined;
    const added: readonly TenantHolding[] = [
      { title: ['任务', 'Tasks'], count: counts.tasks },
      { title: ['凭证', 'Submissions'], count: counts.submissions },
    ];
    return { tenantId, holdings: [...holdings, ...added] };
  });
}
