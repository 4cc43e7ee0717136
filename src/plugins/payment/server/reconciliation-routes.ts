import { sql } from 'drizzle-orm';
import { ApiError, crudRoutes, type PluginRoute, queryRows, route, type ServerContext } from '#server';
import { difference, reconciliation, reconciliationProblems } from '../contract.ts';
import type { Differences } from './differences.ts';
import type { Reconciliations } from './reconciliations.ts';

/** Serves the comparison of days with providers' bills, and the resolution of differences. */
export function reconciliationRoutes({ db }: Pick<ServerContext, 'db'>, reconciliations: Reconciliations, differences: Differences): PluginRoute[] {
  return [
    crudRoutes(reconciliation, reconciliations.rows),
    crudRoutes(difference, differences.rows),
    route(
      reconciliation.compare,
      async ({ input: { day }, principal: { tenantId } }) => {
        const [{ isOver } = { isOver: false }] = await db.read({ tenantId }, () =>
          queryRows<{ isOver: boolean }>(db, sql`select ${day}::date <= current_date as "isOver"`),
        );
        if (!isOver) throw new ApiError(reconciliationProblems.futureDay, {}, { field: 'day' });
        return reconciliations.compare(tenantId, day);
      },
      { manualTransactions: true },
    ),
    route(difference.query, ({ input, principal }) => differences.query(principal, input.id), { manualTransactions: true }),
    route(difference.close, ({ input: { id, remark }, principal }) => differences.close(principal, id, remark)),
  ];
}
