import { sql } from 'drizzle-orm';
import { Task } from '#plugins/task/contract';
import { type DeclaredFilter, type DeclaredReference, filterHandler, idArray, queryRows, type ServerContext } from '#server';
import { maxCountedRows } from '#shared/contract';
import { rowsOf } from '#shared/figures';
import { type TenantHolding, TenantHoldings } from '#shared/tenant-holdings';
import { payout, payoutStates } from '../contract.ts';
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
  rows: (id) => rowsOf(payout, {}, [{ field: 'taskId', operator: 'equal', value: id }]),
});

const { awaiting, processing, paid } = payoutStates;

/** Reports the money of a tenant before it is deleted. */
export function tenantHoldings({ db }: Pick<ServerContext, 'db'>): DeclaredFilter {
  return filterHandler(TenantHoldings, async ({ tenantId, holdings }) => {
    const [money] = await queryRows<{ advertisers: number; balance: number; open: number; openAmount: number; paid: number; paidAmount: number }>(
      db,
      sql`select a.advertisers, a.balance, p.*
          from (select count(*)::integer as advertisers, coalesce(sum(balance), 0)::float8 as balance from ledger_account
              where tenant_id = ${tenantId} and account = 1 and balance <> 0) a,
            (select count(*) filter (where state in (${awaiting}, ${processing}))::integer as open,
              coalesce(sum(amount) filter (where state in (${awaiting}, ${processing})), 0)::float8 as "openAmount",
              count(*) filter (where state = ${paid})::integer as paid, coalesce(sum(amount) filter (where state = ${paid}), 0)::float8 as "paidAmount"
              from payout where tenant_id = ${tenantId} and is_deleted = 0) p`,
    );
    if (!money) return undefined;
    const added: readonly TenantHolding[] = [
      { title: ['有余额的广告主', 'Advertisers with a balance'], count: money.advertisers, amount: money.balance },
      { title: ['未完成的付款单', 'Open payouts'], count: money.open, amount: money.openAmount },
      { title: ['已付付款单', 'Paid payouts'], count: money.paid, amount: money.paidAmount },
    ];
    return { tenantId, holdings: [...holdings, ...added] };
  });
}
