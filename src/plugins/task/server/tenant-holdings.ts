import { sql } from 'drizzle-orm';
import { type DeclaredFilter, filterHandler, queryRows, type ServerContext } from '#server';
import { type TenantHolding, TenantHoldings } from '#shared/tenant-holdings';

/** Reports the number of tasks and submissions of a tenant before it is deleted. */
export function tenantHoldings({ db }: Pick<ServerContext, 'db'>): DeclaredFilter {
  return filterHandler(TenantHoldings, async ({ tenantId, holdings }) => {
    const [work] = await queryRows<{ tasks: number; submissions: number }>(
      db,
      sql`select (select count(*)::integer from task where tenant_id = ${tenantId} and is_deleted = 0) as tasks,
            (select count(*)::integer from task_submission where tenant_id = ${tenantId} and is_deleted = 0) as submissions`,
    );
    if (!work) return undefined;
    const added: readonly TenantHolding[] = [
      { title: ['任务', 'Tasks'], count: work.tasks },
      { title: ['凭证', 'Submissions'], count: work.submissions },
    ];
    return { tenantId, holdings: [...holdings, ...added] };
  });
}
