import { sql } from 'drizzle-orm';
import type { PayoutListener } from '#plugins/task/server-extension';
import { ApiError, type Principal, problems, queryRows, recordChange, type ServerContext } from '#server';
import { accounts, moves, Payout, paymentProblems, payoutStates } from '../contract.ts';
import type { Ledger } from './ledger.ts';
import { idArray } from './payments.ts';

interface LockedPayment {
  readonly id: string;
  readonly payNo: string;
  readonly submissionId: string;
  readonly advertiserId: string;
  readonly amount: number;
  readonly state: number;
  readonly requestedBy: string | null;
}

/** Second approval: payouts above the limit are sent only after another user than their requester has approved them. */
export class Approvals {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly work: PayoutListener,
  ) {}

  /** Approves all of the payouts or none. */
  async approve(principal: Principal, ids: readonly string[]): Promise<void> {
    await this.decide(principal, [...new Set(ids)], sql`state = ${payoutStates.underWay}, next_try = now()`);
  }

  /** Returns the reserved money to the advertiser, after which the submission can be paid again. */
  async refuse(principal: Principal, id: string, reason: string | null): Promise<void> {
    const [refused] = await this.decide(principal, [id], sql`state = ${payoutStates.refused}, reason = ${reason}`);
    if (!refused) return;
    const { payNo, submissionId, advertiserId, amount } = refused;
    const { advertiser, underWay } = accounts;
    await this.ledger.move({ kind: moves.returned, from: underWay, to: advertiser, advertiserId, amount, payNo });
    await this.work.withdrawn({ submissionId, payNo });
  }

  private async decide({ userId, tenantId }: Principal, ids: readonly string[], set: ReturnType<typeof sql>): Promise<LockedPayment[]> {
    await this.ledger.lock(tenantId);
    const held = await queryRows<LockedPayment>(
      this.db,
      sql`select id::text as id, pay_no as "payNo", submission_id::text as "submissionId", advertiser_id::text as "advertiserId", amount::float8 as amount, state,
            create_user::text as "requestedBy" from payout where id = any(${idArray(ids)}) and is_deleted = 0 order by id for update`,
    );
    if (held.length !== ids.length) throw new ApiError(problems.notFound);
    for (const { payNo, state, requestedBy } of held) {
      if (state !== payoutStates.awaiting) throw new ApiError(paymentProblems.notAwaiting, { payNo });
      if (requestedBy === userId) throw new ApiError(paymentProblems.ownRequest);
    }
    await this.db.sql.execute(
      sql`update payout set ${set}, approved_by = ${userId}, approver_name = (select real_name from user_account where id = ${userId}),
            update_user = ${userId}, update_time = date_trunc('second', now()) where id = any(${idArray(ids)}) and state = ${payoutStates.awaiting}`,
    );
    for (const { id, state } of held) recordChange({ entity: Payout.name, id, before: { state }, after: { decidedBy: userId } });
    return held;
  }
}
