import { sql } from 'drizzle-orm';
import { payout } from '#plugins/payment/contract';
import { type DeclaredReference, idArray, queryRows, type ServerContext } from '#server';
import { maxCountedRows } from '#shared/contract';
import { Payee } from '../contract.ts';

/** Payouts of payees, which the record of a payee lists. */
export const payoutsOfPayees = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Payee.name,
  title: ['付款单', 'Payouts'],
  async count(ids) {
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from (select from payout where user_id = any(${idArray(ids)}) limit ${maxCountedRows}) counted`,
    );
    return row?.count ?? 0;
  },
  rows: (id) => ({ menu: payout.menu, list: payout.list.path, conditions: [{ field: 'userId', operator: 'equal', value: id }] }),
});
