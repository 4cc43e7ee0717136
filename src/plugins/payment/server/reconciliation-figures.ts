import { sql } from 'drizzle-orm';
import { type FigureSource, queryRows, type ServerContext, visibleRows } from '#server';
import type { AlertFigure } from '#shared/figures';
import { Difference, dayStates, Reconciliation, reconciliation } from '../contract.ts';
import { reconciliationMenu } from '../menus.ts';

/** Days on which payouts and statements differ, for the home page; the alert leads to these days. */
export function reconciliationFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'payment:reconciliation',
    code: reconciliationMenu.code,
    entities: [Difference.name, Reconciliation.name],
    async read() {
      const [found] = await queryRows<{ days: number; open: number }>(
        db,
        sql`select count(*)::integer as days, coalesce(sum(r.open), 0)::integer as open from payment_reconciliation r
            where r.state = ${dayStates.mismatched} and r.is_deleted = 0 and ${visibleRows(db, Reconciliation.name, 'r')}`,
      );
      const { days = 0, open = 0 } = found ?? {};
      if (days === 0) return {};
      const alert: AlertFigure = {
        id: 'differences',
        title: [`${days} 天有对账差异待处理，共 ${open} 笔`, `Days with open differences: ${days} (${open} in all)`],
        tone: 'danger',
        rows: { menu: reconciliationMenu.code, list: reconciliation.list.path, filters: { state: dayStates.mismatched } },
      };
      return { alerts: [alert] };
    },
  };
}
