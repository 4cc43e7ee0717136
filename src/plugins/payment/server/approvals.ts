import { and, sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import { ApiError, hasId, idArray, notDeleted, type Principal, problems, recordChange, type ServerContext, tableOf } from '#server';
import { entryKinds, ledgerAccounts, Payout, type PayoutRow, paymentProblems, payoutStates } from '../contract.ts';
import type { Ledger } from './ledger.ts';

const payouts = tableOf(Payout);

type Decision = Pick<PayoutRow, 'state'> & { readonly reason?: string | null };

/** Second approval: payouts above the limit are sent only after another user than their requester has approved them. */
export class Approvals {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly listener: PayoutListener,
  ) {}

  /** Approves all of the payouts or none. */
  async approve(principal: Principal, ids: readonly string[]): Promise<void> {
    await this.decide(principal, [...new Set(ids)], { state: payoutStates.processing });
  }

  /** Returns the reserved money to the advertiser, after which the submission can be paid again. */
  async reject(principal: Principal, id: string, reason: string | null): Promise<void> {
    const [refused] = await this.decide(principal, [id], { state: payoutStates.refused, reason });
    if (!refused) return;
    const { payNo, submissionId, advertiserId, amount } = refused;
    const { advertiser, inTransit } = ledgerAccounts;
    await this.ledger.move({ kind: entryKinds.returned, from: inTransit, to: advertiser, advertiserId, amount, payNo });
    await this.listener.withdrawn({ submissionId, payNo });
  }

  private async decide({ userId, tenantId }: Principal, ids: readonly string[], decided: Decision) {
    await this.ledger.lock(tenantId);
    const { id, payNo, submissionId, advertiserId, amount, state, createUser } = payouts;
    const columns = { id, payNo, submissionId, advertiserId, amount, state, requestedBy: createUser };
    const where = and(hasId(payouts, ids), notDeleted(payouts));
    const locked = await this.db.sql.select(columns).from(payouts).where(where).orderBy(id).for('update');
    if (locked.length !== ids.length) throw new ApiError(problems.notFound);
    for (const { payNo, state, requestedBy } of locked) {
      if (state !== payoutStates.awaiting) throw new ApiError(paymentProblems.notAwaiting, { payNo });
      if (requestedBy === userId) throw new ApiError(paymentProblems.ownRequest);
    }
    const nextTry = decided.state === payoutStates.processing ? sql`now()` : sql`next_try`;
    await this.db.sql.execute(
      sql`update payout set state = ${decided.state}, reason = coalesce(${decided.reason ?? null}, reason), next_try = ${nextTry}, approved_by = ${userId},
            approver_name = (select real_name from user_account where id = ${userId}), update_user = ${userId},
            update_time = date_trunc('second', now()) where id = any(${idArray(ids)}) and state = ${payoutStates.awaiting}`,
    );
    for (const { id, state } of locked) recordChange({ entity: Payout.name, id, before: { state }, after: decided });
    return locked;
  }
}
