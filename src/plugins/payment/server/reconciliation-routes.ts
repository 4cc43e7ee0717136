import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type ServerContext } from '#server';
import { difference, reconciliation, reconciliationProblems } from '../contract.ts';
import type { Differences } from './differences.ts';
import type { Reconciliations } from './reconciliations.ts';

/** Serves the comparison of days with providers' bills, and the resolution of differences. */
export function serveReconciliation(
  { serve, serveCrud, db }: Pick<ServerContext, 'serve' | 'serveCrud' | 'db'>,
  reconciliations: Reconciliations,
  differences: Differences,
): void {
  serveCrud(reconciliation, reconciliations.rows);
  serveCrud(difference, differences.rows);
  serve(
    reconciliation.compare,
    async ({ input: { day }, principal: { tenantId } }) => {
      const [{ isOver } = { isOver: false }] = await db.read({ tenantId }, () =>
        queryRows<{ isOver: boolean }>(db, sql`select ${day}::date <= current_date as "isOver"`),
      );
      if (!isOver) throw new ApiError(reconciliationProblems.notYet, {}, { field: 'day' });
      return reconciliations.compare(tenantId, day);
    },
    { manualTransactions: true },
  );
  serve(difference.query, ({ input, principal }) => differences.query(principal, input.id), { manualTransactions: true });
  serve(difference.close, ({ input: { id, remark }, principal }) => differences.close(principal, id, remark));
}
