import { and, eq, sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import { type ServerContext, tableOf } from '#server';
import { accounts, moves, Payout, type PayoutRow, payoutStates } from '../contract.ts';
import type { TransferResult } from './gateway.ts';
import type { Ledger } from './ledger.ts';

const bills = tableOf(Payout);

type Bill = Pick<PayoutRow, 'id' | 'submissionId' | 'advertiserId' | 'amount' | 'state'>;

/** Books the states that providers report, each once, regardless of repetition and order. */
export class Settlement {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly work: PayoutListener,
  ) {}

  /** Opens its own transaction. A state that contradicts the books changes nothing and is recorded as a note of the payout. */
  async settle(tenantId: string, result: TransferResult): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      const bill = await this.lockOpenBill(tenantId, result);
      if (!bill) return;
      await this.db.sql.execute(
        sql`update payout set provider_no = coalesce(${result.providerNo ?? null}, provider_no), provider_state = ${result.state.slice(0, 64)},
              package_info = coalesce(${result.packageInfo ?? null}, package_info), awaits_payee = ${result.awaitsPayee === true}, note = ${result.reason?.slice(0, 255) ?? null} where id = ${bill.id}`,
      );
      if (result.outcome === 'paid') await this.paid(bill, result.payNo);
      if (result.outcome === 'failed') await this.failed(bill, result);
    });
  }

  /** Resolves true when the payout is open and the message has its amount. Moves no money; a contradiction is recorded as a note of the payout. */
  async isOpenFor(tenantId: string, result: TransferResult): Promise<boolean> {
    return this.db.write({ tenantId }, async () => (await this.lockOpenBill(tenantId, result)) !== undefined);
  }

  /** Records the error that prevented a query of the provider or its response. */
  async recordFailure(tenantId: string, payNo: string, why: string): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      await this.db.sql
        .update(bills)
        .set({ note: why.slice(0, 255) })
        .where(and(eq(bills.payNo, payNo), eq(bills.state, payoutStates.underWay)));
    });
  }

  private async lockOpenBill(tenantId: string, result: TransferResult): Promise<Bill | undefined> {
    await this.ledger.lock(tenantId);
    const { id, submissionId, advertiserId, amount, state } = bills;
    const [bill] = await this.db.sql.select({ id, submissionId, advertiserId, amount, state }).from(bills).where(eq(bills.payNo, result.payNo)).for('update');
    if (!bill) return undefined;
    const isOpen = bill.state === payoutStates.underWay;
    if (result.amount !== undefined && result.amount !== bill.amount) await this.note(bill, `${result.state}: ${result.amount} ≠ ${bill.amount}`);
    else if (isOpen) return bill;
    else if (this.contradicts(bill, result)) await this.note(bill, `${result.state} after the end`);
    return undefined;
  }

  private async paid({ id, submissionId, advertiserId, amount }: Bill, payNo: string): Promise<void> {
    const paidTime = sql`date_trunc('second', now())`;
    await this.db.sql.update(bills).set({ state: payoutStates.paid, paidTime }).where(eq(bills.id, id));
    await this.ledger.move({ kind: moves.paid, from: accounts.underWay, to: accounts.paid, advertiserId, amount, payNo });
    await this.work.paid({ submissionId, payNo });
  }

  private async failed({ id, submissionId, advertiserId, amount }: Bill, { payNo, reason, state }: TransferResult): Promise<void> {
    await this.db.sql.update(bills).set({ state: payoutStates.failed }).where(eq(bills.id, id));
    await this.ledger.move({ kind: moves.returned, from: accounts.underWay, to: accounts.advertiser, advertiserId, amount, payNo });
    await this.work.failed({ submissionId, payNo }, reason ?? state);
  }

  private contradicts({ state }: Bill, { outcome }: TransferResult): boolean {
    return (outcome === 'paid' && state !== payoutStates.paid) || (outcome === 'failed' && state === payoutStates.paid);
  }

  private async note({ id }: Bill, note: string): Promise<void> {
    await this.db.sql
      .update(bills)
      .set({ note: note.slice(0, 255) })
      .where(eq(bills.id, id));
  }
}
