import { and, sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import {
  ApiError,
  batchResult,
  canSeeField,
  hasId,
  idArray,
  isActive,
  missingRows,
  type Principal,
  problems,
  recordChange,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { BatchResult, InputOf } from '#shared/contract';
import type { Language } from '#shared/text';
import { type Expected, entryKinds, ledgerAccounts, type PaymentSum, Payout, type PayoutRow, paymentProblems, type payout, payoutStates } from '../contract.ts';
import type { Ledger } from './ledger.ts';
import { manualGateway } from './manual-gateway.ts';

const payouts = tableOf(Payout);

type PayoutDecision = Pick<PayoutRow, 'state'> & { readonly reason?: string | null };

/** Second approval: payouts above the limit are sent only after another user than their requester has approved them. */
export class Approvals {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly listener: PayoutListener,
  ) {}

  /** Approves all of the payouts or none, or in part those that can be. */
  async approve(principal: Principal, { ids, partial = false, expected }: InputOf<typeof payout.approve>, language: Language): Promise<BatchResult | null> {
    const uniqueIds = [...new Set(ids)];
    const { accepted, refusals } = await this.judge(principal, uniqueIds, partial);
    assertExpected(expected, accepted);
    await this.decide(principal, accepted, { state: payoutStates.processing });
    return partial ? batchResult(this.db, Payout, uniqueIds, { refusals, language }) : null;
  }

  /** Judges what a partial approval would do; changes nothing. */
  async preview(principal: Principal, ids: readonly string[], language: Language): Promise<PaymentSum> {
    const uniqueIds = [...new Set(ids)];
    const { accepted, refusals } = await this.judge(principal, uniqueIds, true);
    const { rows } = await batchResult(this.db, Payout, uniqueIds, { refusals, language });
    return { ...sumOf(Payout.name, accepted), ...taxOf(accepted), rows };
  }

  /** Rejects all of the payouts or none, and returns the money to the balances of the advertisers; the submissions can be paid again. */
  async reject(principal: Principal, ids: readonly string[], reason: string | null): Promise<void> {
    const { accepted } = await this.judge(principal, ids, false);
    await this.decide(principal, accepted, { state: payoutStates.refused, reason });
    const { advertiser, inTransit } = ledgerAccounts;
    await this.ledger.movePayouts(
      { kind: entryKinds.returned, from: inTransit, to: advertiser },
      accepted.map(({ id }) => id),
    );
    await this.listener.withdrawn(accepted);
  }

  /** Reverses a payment that was made outside of any provider; the submission can be paid again. */
  async reverse({ tenantId, userId }: Principal, { id, remark }: InputOf<typeof payout.reverse>): Promise<void> {
    await this.ledger.lock(tenantId);
    const { payNo, submissionId, userId: payee, gateway, state, createUser } = payouts;
    const where = and(hasId(payouts, [id]), visibleRows(this.db, Payout.name, 'payout'));
    const [found] = await this.db.sql.select({ payNo, submissionId, payee, gateway, state, createUser }).from(payouts).where(where).for('update');
    if (!found) throw new ApiError(problems.notFound);
    if (found.gateway !== manualGateway || found.state !== payoutStates.paid) throw new ApiError(paymentProblems.payoutNotReversible, { payNo: found.payNo });
    if (found.createUser === userId) throw new ApiError(paymentProblems.ownReversal);
    if (found.payee === userId) throw new ApiError(paymentProblems.ownPayout);
    await this.db.sql.execute(
      sql`update payout set state = ${payoutStates.reversed}, remark = ${remark}, update_user = ${userId}, update_time = date_trunc('second', now()) where id = ${id}`,
    );
    recordChange({ entity: Payout.name, id, before: { state: payoutStates.paid }, after: { state: payoutStates.reversed, remark } });
    await this.ledger.reverseSettlement(found.payNo, remark);
    await this.listener.withdrawn([{ submissionId: found.submissionId, payNo: found.payNo }]);
  }

  /** Locks the ledger and the payouts, and finds those that this user may decide. Without `partial`, or for a single one, it throws the first reason against it. */
  private async judge({ userId, tenantId }: Principal, ids: readonly string[], partial: boolean) {
    await this.ledger.lock(tenantId);
    const { id, payNo, submissionId, amount, withheld, state, createUser } = payouts;
    const columns = { id, payNo, submissionId, userId: payouts.userId, amount, withheld, state, requestedBy: createUser };
    const where = and(hasId(payouts, ids), isActive(payouts), visibleRows(this.db, Payout.name, 'payout'));
    const locked = await this.db.sql.select(columns).from(payouts).where(where).orderBy(id).for('update');
    const found = new Set(locked.map((one) => one.id));
    const refusals = missingRows(ids, found);
    const accepted = locked.filter(({ id, payNo, state, requestedBy, userId: payee }) => {
      if (state === payoutStates.awaiting && requestedBy !== userId && payee !== userId) return true;
      const error =
        state !== payoutStates.awaiting
          ? new ApiError(paymentProblems.notAwaiting, { payNo })
          : new ApiError(payee === userId ? paymentProblems.ownPayout : paymentProblems.ownRequest);
      refusals.push({ id, error });
      return false;
    });
    if (refusals[0] && (!partial || ids.length === 1)) throw refusals[0].error;
    return { accepted, refusals };
  }

  private async decide({ userId }: Principal, accepted: readonly Pick<PayoutRow, 'id' | 'state'>[], decided: PayoutDecision): Promise<void> {
    const ids = accepted.map(({ id }) => id);
    const nextTry = decided.state === payoutStates.processing ? sql`now()` : sql`next_try`;
    await this.db.sql.execute(
      sql`update payout set state = ${decided.state}, reason = coalesce(${decided.reason ?? null}, reason), next_try = ${nextTry}, approved_by = ${userId},
            approver_name = (select real_name from user_account where id = ${userId}), update_user = ${userId},
            update_time = date_trunc('second', now()) where id = any(${idArray(ids)}) and state = ${payoutStates.awaiting}`,
    );
    for (const { id, state } of accepted) recordChange({ entity: Payout.name, id, before: { state }, after: decided });
  }
}

interface Amount {
  readonly userId: string;
  readonly amount: number | string;
}
interface TaxedAmount extends Amount {
  readonly withheld: number;
}

const totalOf = (rows: readonly Amount[]) => rows.reduce((sum, { amount }) => sum + Number(amount), 0);
const withheldOf = (rows: readonly (Amount | TaxedAmount)[]) => rows.reduce((sum, row) => sum + ('withheld' in row ? row.withheld : 0), 0);

/** Returns the number, the total and the number of payees of rows. */
export function sumOf(entity: string, rows: readonly Amount[]): Omit<PaymentSum, 'rows'> {
  return { count: rows.length, people: new Set(rows.map(({ userId }) => userId)).size, amount: canSeeField(entity, 'amount') ? totalOf(rows) : null };
}

/** Returns the tax that is withheld from payments and what remains for the payees; nothing for users who may not see them. */
export function taxOf(rows: readonly TaxedAmount[]): Pick<PaymentSum, 'withheld' | 'net'> {
  if (!['amount', 'withheld', 'netAmount'].every((field) => canSeeField(Payout.name, field))) return {};
  const withheld = withheldOf(rows);
  return { withheld, net: totalOf(rows) - withheld };
}

/** Throws unless exactly these rows, with this tax if it was confirmed, have been confirmed; the error's data is their number and total. */
export function assertExpected(expected: Expected | undefined, rows: readonly (Amount | TaxedAmount)[]): void {
  if (!expected) return;
  const { count, amount, withheld } = expected;
  if (count === rows.length && (amount === null || amount === totalOf(rows)) && (withheld === undefined || withheld === withheldOf(rows))) return;
  throw new ApiError(paymentProblems.totalChanged, {}, { data: sumOf(Payout.name, rows) });
}
