import { and, eq, sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import { recordChange, type ServerContext, tableOf } from '#server';
import { entryKinds, ledgerAccounts, Payout, type PayoutRow, payoutStates } from '../contract.ts';
import type { TransferResult } from '../server-extension.ts';
import type { Ledger } from './ledger.ts';

const payouts = tableOf(Payout);

/** State of a payout the provider does not know; no provider uses this value itself. */
export const unknownState = 'NOT_FOUND';
/** State of a payout whose request was refused; no provider uses this value itself. */
export const refusedState = 'REFUSED';
/** Time after which a query no longer misses an order that is still being accepted. */
const acceptanceTime = '5 minutes';

type LockedPayout = Pick<PayoutRow, 'id' | 'submissionId' | 'advertiserId' | 'amount' | 'withheld' | 'netAmount' | 'state'>;

/** Books the states that providers report, each once, regardless of repetition and order. */
export class Settlement {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly listener: PayoutListener,
  ) {}

  /** Opens its own transaction. A state that contradicts the books changes nothing and is recorded as a note of the payout. */
  async settle(tenantId: string, result: TransferResult): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      const payout = await this.lockOpenPayout(tenantId, result);
      if (!payout) return;
      await this.db.sql.execute(
        sql`update payout set provider_no = coalesce(${result.providerNo ?? null}, provider_no), provider_state = ${result.state.slice(0, 64)},
              package_info = coalesce(${result.packageInfo ?? null}, package_info), awaits_payee = ${result.awaitsPayee === true}, note = ${result.reason?.slice(0, 255) ?? null} where id = ${payout.id}`,
      );
      if (result.outcome === 'paid') await this.paid(payout, result.payNo);
      if (result.outcome === 'failed') await this.failed(payout, result);
    });
  }

  /** Resolves true when the payout is open and the message has its amount. Moves no money; a contradiction is recorded as a note of the payout. */
  async matchesOpenPayout(tenantId: string, result: TransferResult): Promise<boolean> {
    return this.db.write({ tenantId }, async () => (await this.lockOpenPayout(tenantId, result)) !== undefined);
  }

  /** Records the error that prevented a query of the provider or its response. The reason of a refusal stays until the refusal is confirmed or disproved. */
  async recordFailure(tenantId: string, payNo: string, reason: string): Promise<void> {
    const { state, providerState } = payouts;
    const isOpen = and(eq(payouts.payNo, payNo), eq(state, payoutStates.processing), sql`${providerState} is distinct from ${refusedState}`);
    await this.db.write({ tenantId }, async () => {
      await this.db.sql
        .update(payouts)
        .set({ note: reason.slice(0, 255) })
        .where(isOpen);
    });
  }

  /** Records that the provider has refused the request. Its order may exist nevertheless, so the payout ends with a query that is due later. */
  async recordRefusal(tenantId: string, payNo: string, reason: string): Promise<void> {
    await this.db.write({ tenantId }, () =>
      this.db.sql.execute(
        sql`update payout set provider_state = ${refusedState}, note = ${reason.slice(0, 255)}, next_try = now() + ${acceptanceTime}::interval
            where pay_no = ${payNo} and state = ${payoutStates.processing}`,
      ),
    );
  }

  private async lockOpenPayout(tenantId: string, result: TransferResult): Promise<LockedPayout | undefined> {
    await this.ledger.lock(tenantId);
    const { id, submissionId, advertiserId, amount, withheld, netAmount, state } = payouts;
    const [payout] = await this.db.sql
      .select({ id, submissionId, advertiserId, amount, withheld, netAmount, state })
      .from(payouts)
      .where(eq(payouts.payNo, result.payNo))
      .for('update');
    if (!payout) return undefined;
    const isOpen = payout.state === payoutStates.processing;
    if (result.amount !== undefined && result.amount !== payout.netAmount)
      await this.setNote(payout, `${result.state}: ${result.amount} ≠ ${payout.netAmount}`);
    else if (isOpen) return payout;
    else if (this.contradicts(payout, result)) await this.setNote(payout, `${result.state} after the end`);
    return undefined;
  }

  private async paid({ id, submissionId, advertiserId, amount, withheld }: LockedPayout, payNo: string): Promise<void> {
    const paidTime = sql`date_trunc('second', now())`;
    await this.db.sql.update(payouts).set({ state: payoutStates.paid, paidTime }).where(eq(payouts.id, id));
    recordChange({ entity: Payout.name, id, before: { state: payoutStates.processing }, after: { state: payoutStates.paid } });
    await this.ledger.settle({ advertiserId, amount, withheld, payNo });
    await this.listener.paid({ submissionId, payNo });
  }

  private async failed({ id, submissionId, advertiserId, amount }: LockedPayout, { payNo, reason, state }: TransferResult): Promise<void> {
    await this.db.sql.update(payouts).set({ state: payoutStates.failed }).where(eq(payouts.id, id));
    recordChange({ entity: Payout.name, id, before: { state: payoutStates.processing }, after: { state: payoutStates.failed } });
    await this.ledger.move({ kind: entryKinds.returned, from: ledgerAccounts.inTransit, to: ledgerAccounts.advertiser, advertiserId, amount, payNo });
    await this.listener.failed({ submissionId, payNo }, reason ?? state);
  }

  private contradicts({ state }: LockedPayout, { outcome }: TransferResult): boolean {
    return (outcome === 'paid' && state !== payoutStates.paid) || (outcome === 'failed' && state === payoutStates.paid);
  }

  private async setNote({ id }: LockedPayout, note: string): Promise<void> {
    await this.db.sql
      .update(payouts)
      .set({ note: note.slice(0, 255) })
      .where(eq(payouts.id, id));
  }
}
