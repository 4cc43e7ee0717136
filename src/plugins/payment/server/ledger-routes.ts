import { crudRoutes, type PluginRoute, type Processor, route } from '#server';
import { ledger } from '../contract.ts';
import type { Ledger } from './ledger.ts';

const maxLogged = 20;

/** Serves the ledger: postings, recording money, and the check of its sums. */
export function ledgerRoutes(money: Ledger): PluginRoute[] {
  return [
    crudRoutes(ledger, money.rows),
    route(ledger.submit, ({ input, principal }) => money.record(principal.tenantId, input)),
    route(ledger.check, () => money.check()),
  ];
}

/** Job that fails when stored sums do not match the postings. */
export const ledgerCheck = (money: Ledger): Processor => ({
  title: ['付款对账', 'Ledger check'],
  help: ['重新汇总资金流水与付款单，不一致则失败；无参数', 'Recalculates the ledger and payouts, and fails if they differ. No parameters'],
  async run({ write, log }) {
    const mismatches = await write(() => money.check());
    for (const { what, id, kept, added } of mismatches.slice(0, maxLogged)) log('error', `${what} ${id}: stored ${kept}, calculated ${added}`);
    if (mismatches.length > 0) throw new Error(`${mismatches.length} differences`);
    return 'sound';
  },
});
