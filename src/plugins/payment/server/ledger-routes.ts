import type { Processor, ServerContext } from '#server';
import type { Crud } from '#shared/contract';
import { type LedgerPosting, ledger } from '../contract.ts';
import type { Ledger } from './ledger.ts';

const mostShown = 20;

/** The ledger: what stands in it, noting what came, and adding it up again, by hand or as a job. */
export function serveLedger({ serve, serveCrud, jobs }: ServerContext, money: Ledger): void {
  serveCrud(ledger as unknown as Crud<typeof LedgerPosting>, money.rows);
  serve(ledger.submit, ({ input, principal }) => money.note(principal.tenantId, input));
  serve(ledger.check, () => money.check());
  jobs.processor('payment:check-ledger', ledgerCheck(money));
}

/** Fails where what is kept and what adds up differ. */
const ledgerCheck = (money: Ledger): Processor => ({
  title: ['付款对账', 'Check the ledger'],
  help: ['重新汇总资金流水与付款单，不一致则失败；无参数', 'Adds up ledger and payouts again and fails where they differ; takes nothing'],
  async run({ write, log }) {
    const faults = await write(() => money.check());
    for (const { what, id, kept, added } of faults.slice(0, mostShown)) log('error', `${what} ${id}: ${kept} is kept, ${added} adds up`);
    if (faults.length > 0) throw new Error(`${faults.length} differences`);
    return 'sound';
  },
});
