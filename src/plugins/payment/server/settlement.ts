import { and, eq, inArray, sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import { ApiError, idArray, recordChange, type ServerContext, tableOf } from '#server';
import { entryKinds, ledgerAccounts, Payout, type PayoutRow, payoutStates, unknownState } from '../contract.ts';
import type { TransferResult } from '../server-extension.ts';
import { payoutFailed, payoutPaid } from '../webhook-contract.ts';
import type { Ledger } from './ledger.ts';

const payouts = tableOf(Payout);

/** State of a payout whose request was refused; no provider uses this value itself. */
export const refusedState = 'REFUSED';
/** Time after which a query no longer misses an order that is still being accepted. */
const acceptanceTime = '5 minutes';

type LockedPayout = Pick<PayoutRow, 'id' | 'payNo' | 'submissionId' | 'netAmount' | 'state' | 'outcome'>;

/** Payout that is in process, and what its provider reports. */
interface OpenPayout extends LockedPayout {
  readonly result: TransferResult;
  /** Day of the payment, if it is not now. */
  readonly paidDay?: string | undefined;
}

const stateAfter = { processing: payoutStates.processing, paid: payoutStates.paid, failed: payoutStates.failed } as const;

/** Books the states that providers report, each once, regardless of repetition and order. */
export class Settlement {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly listener: PayoutListener,
    private readonly webhooks: ServerContext['webhooks'],
  ) {}

  settle(tenantId: string, result: TransferResult): Promise<void> {
    return this.settleAll(tenantId, [result]);
  }

  /** Books results for different payouts in a transaction of its own. A state that contradicts the books changes nothing and is recorded as a note of the payout. */
  async settleAll(tenantId: string, results: readonly TransferResult[]): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      const open = await this.lockOpenPayouts(tenantId, results);
      if (open.length === 0) return;
      await discardOutcomes(
        this.db,
        open.filter(({ outcome, result }) => outcome !== null && result.state !== unknownState),
      );
      await this.book(open);
    });
  }

  /** Books the results of open payouts that the current transaction has locked after the ledger. */
  async book(open: readonly OpenPayout[]): Promise<void> {
    await this.store(open);
    await this.paid(open.filter(({ result }) => result.outcome === 'paid'));
    await this.failed(open.filter(({ result }) => result.outcome === 'failed'));
  }

  /** Resolves true when the payout is open and the message has its amount. Moves no money; a contradiction is recorded as a note of the payout. */
  async matchesOpenPayout(tenantId: string, result: TransferResult): Promise<boolean> {
    return this.db.write({ tenantId }, async () => (await this.lockOpenPayouts(tenantId, [result])).length > 0);
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

  private async lockOpenPayouts(tenantId: string, results: readonly TransferResult[]): Promise<OpenPayout[]> {
    await this.ledger.lock(tenantId);
    const { id, payNo, submissionId, netAmount, state, outcome } = payouts;
    const isReported = inArray(
      payNo,
      results.map((result) => result.payNo),
    );
    const locked = await this.db.sql.select({ id, payNo, submissionId, netAmount, state, outcome }).from(payouts).where(isReported).orderBy(id).for('update');
    const open: OpenPayout[] = [];
    for (const payout of locked) {
      const result = results.find((one) => one.payNo === payout.payNo) as TransferResult;
      if (result.amount !== undefined && result.amount !== payout.netAmount)
        await this.setNote(payout, `${result.state}: ${result.amount} ≠ ${payout.netAmount}`);
      else if (payout.state === payoutStates.processing) open.push({ ...payout, result });
      else if (this.contradicts(payout, result)) await this.setNote(payout, `${result.state} after the end`);
    }
    return open;
  }

  private async store(open: readonly OpenPayout[]): Promise<void> {
    const rows = open.map(({ id, paidDay, result: { providerNo, state, packageInfo, awaitsPayee, reason, outcome } }) => ({
      id,
      state: stateAfter[outcome],
      provider_no: providerNo,
      provider_state: state.slice(0, 64),
      package_info: packageInfo,
      awaits_payee: awaitsPayee === true,
      note: reason?.slice(0, 255),
      paid_day: paidDay,
    }));
    await this.db.sql.execute(
      sql`update payout set state = reported.state, provider_no = coalesce(reported.provider_no, payout.provider_no), provider_state = reported.provider_state,
            package_info = coalesce(reported.package_info, payout.package_info), awaits_payee = reported.awaits_payee, note = reported.note,
            paid_time = case reported.state when ${payoutStates.paid} then coalesce(reported.paid_day::timestamptz, date_trunc('second', now())) else payout.paid_time end
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as reported (id bigint, state integer, provider_no text, provider_state text, package_info text, awaits_payee boolean, note text, paid_day date) where payout.id = reported.id`,
    );
    for (const { id, state, result } of open)
      if (result.outcome !== 'processing') recordChange({ entity: Payout.name, id, before: { state }, after: { state: stateAfter[result.outcome] } });
  }

  private async paid(settled: readonly OpenPayout[]): Promise<void> {
    if (settled.length === 0) return;
    const { inTransit, paid } = ledgerAccounts;
    await this.ledger.movePayouts({ kind: entryKinds.paid, from: inTransit, to: paid }, idsOf(settled));
    await this.listener.paid(settled);
    await this.webhooks.send(payoutPaid, settled.map(eventData));
  }

  private async failed(settled: readonly OpenPayout[]): Promise<void> {
    if (settled.length === 0) return;
    const { inTransit, advertiser } = ledgerAccounts;
    await this.ledger.movePayouts({ kind: entryKinds.returned, from: inTransit, to: advertiser }, idsOf(settled));
    await this.listener.failed(settled.map(({ submissionId, payNo, result }) => ({ submissionId, payNo, reason: result.reason ?? result.state })));
    await this.webhooks.send(payoutFailed, settled.map(eventData));
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

/** Discards outcomes that people have recorded and that wait for approval. */
export async function discardOutcomes(db: ServerContext['db'], recorded: readonly Pick<PayoutRow, 'id' | 'outcome'>[]): Promise<void> {
  if (recorded.length === 0) return;
  await db.sql.execute(
    sql`update payout set outcome = null, outcome_no = null, outcome_day = null, recorded_by = null, recorder_name = null, recorded_time = null, voucher = null, remark = null
        where id = any(${idArray(recorded.map(({ id }) => id))})`,
  );
  for (const { id, outcome } of recorded) recordChange({ entity: Payout.name, id, before: { outcome }, after: { outcome: null } });
}

const eventData = ({ id, payNo, submissionId, netAmount }: LockedPayout) => ({ id, payNo, submissionId, amount: netAmount });

const idsOf = (rows: readonly LockedPayout[]): string[] => rows.map(({ id }) => id);

/** Returns the text of an error for a stored note, in both languages if it has them. */
export const errorNote = (error: unknown): string => (error instanceof ApiError ? `${error.text('zh')} ${error.text('en')}` : (error as Error).message);
