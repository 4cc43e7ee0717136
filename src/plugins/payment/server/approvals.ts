import { and, sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import { ApiError, hasId, idArray, notDeleted, type Principal, problems, recordChange, type ServerContext, tableOf } from '#server';
import { entryKinds, ledgerAccounts, Payout, paymentProblems, payoutStates } from '../contract.ts';
import type { Ledger } from './ledger.ts';

const payouts = tableOf(Payout);

/** Second approval: payouts above the limit are sent only after another user than their requester has approved them. */
export class Approvals {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly listener: PayoutListener,
  ) {}

  /** Approves all of the payouts or none. */
  async approve(principal: Principal, ids: readonly string[]): Promise<void> {
    await this.decide(principal, [...new Set(ids)], sql`state = ${payoutStates.processing}, next_try = now()`);
  }

  /** Returns the reserved money to the advertiser, after which the submission can be paid again. */
  async reject(principal: Principal, id: string, reason: string | null): Promise<void> {
    const [refused] = await this.decide(principal, [id], sql`state = ${payoutStates.refused}, reason = ${reason}`);
    if (!refused) return;
    const { payNo, submissionId, advertiserId, amount } = refused;
    const { advertiser, inTransit } = ledgerAccounts;
    await this.ledger.move({ kind: entryKinds.returned, from: inTransit, to: advertiser, advertiserId, amount, payNo });
    await this.listener.withdrawn({ submissionId, payNo });
  }

  private async decide({ userId, tenantId }: Principal, ids: readonly string[], set: ReturnType<typeof sql>) {
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
    await this.db.sql.execute(
      sql`update payout set ${set}, approved_by = ${userId}, approver_name = (select real_name from user_account where id = ${userId}),
            update_user = ${userId}, update_time = date_trunc('second', now()) where id = any(${idArray(ids)}) and state = ${payoutStates.awaiting}`,
    );
    for (const { id, state } of locked) recordChange({ entity: Payout.name, id, before: { state }, after: { decidedBy: userId } });
    return locked;
  }
}
