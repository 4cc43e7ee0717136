import { and, sql } from 'drizzle-orm';
import {
  ApiError,
  hasId,
  type Principal,
  problems,
  queryRows,
  type Repository,
  recordChange,
  repositoryOf,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { InputOf } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import { Payout, type PayoutRow, paymentProblems, type payoutOutcome, payoutOutcomes, payoutStates, unknownState } from '../contract.ts';
import { notifyOutcomeApprovers } from './approver-notices.ts';
import type { Ledger } from './ledger.ts';
import type { Limits } from './limits.ts';
import { discardOutcomes, type Settlement } from './settlement.ts';
import { storedFiles } from './stored-files.ts';

const payouts = tableOf(Payout);
/** Provider status of a payout whose outcome a person has recorded. */
const recordedState = 'RECORDED';
const unpaidReason: LocalizedText = ['人工登记为未付', 'Recorded as not paid'];

type Recorded = Pick<PayoutRow, 'id' | 'payNo' | 'submissionId' | 'netAmount' | 'state' | 'outcome' | 'outcomeNo' | 'outcomeDay' | 'remark'>;
type Locked = Recorded & Pick<PayoutRow, 'userId' | 'amount' | 'providerState' | 'recordedBy'>;

/** Outcome as a person enters it. */
interface Entered {
  readonly id: string;
  readonly outcome: number;
  readonly outcomeNo: string | null;
  readonly outcomeDay: string | null;
  readonly voucher: readonly string[];
  readonly remark: string | null;
}

interface OutcomeParts {
  readonly ledger: Ledger;
  readonly limits: Limits;
  readonly settlement: Settlement;
}

/**
 * Records by hand the outcome of payouts whose orders their providers no longer know, and books it as a provider's answer, once. Above the limit of payments without
 * approval it is booked after another user has approved it, unless the provider knows the order by then.
 */
export class Outcomes {
  private readonly rows: Repository<typeof Payout>;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'inbox'>,
    private readonly services: OutcomeParts,
  ) {
    this.rows = repositoryOf(context.db, Payout);
  }

  recordPaid(by: Principal, { id, outcomeNo, outcomeDay, voucher, remark }: InputOf<typeof payoutOutcome.recordPaid>): Promise<PayoutRow> {
    return this.record(by, { id, outcome: payoutOutcomes.paid, outcomeNo, outcomeDay, voucher: voucher ?? [], remark: remark ?? null });
  }

  recordUnpaid(by: Principal, { id, voucher, remark }: InputOf<typeof payoutOutcome.recordUnpaid>): Promise<PayoutRow> {
    return this.record(by, { id, outcome: payoutOutcomes.unpaid, outcomeNo: null, outcomeDay: null, voucher: voucher ?? [], remark });
  }

  /** Books an outcome that another user has recorded. */
  async approve({ tenantId, userId }: Principal, { id, outcome }: InputOf<typeof payoutOutcome.approve>): Promise<void> {
    const found = await this.awaiting({ tenantId, userId }, id, outcome);
    const { db } = this.context;
    await db.sql.execute(
      sql`update payout set outcome_approved_by = ${userId}, outcome_approver_name = (select real_name from user_account where id = ${userId}), update_user = ${userId},
            update_time = date_trunc('second', now()) where id = ${id}`,
    );
    await this.book(found);
  }

  /** Discards an outcome that another user has recorded. */
  async reject({ tenantId, userId }: Principal, { id, outcome, reason = null }: InputOf<typeof payoutOutcome.reject>): Promise<void> {
    const found = await this.awaiting({ tenantId, userId }, id, outcome);
    await discardOutcomes(this.context.db, [found]);
    await this.context.db.sql.execute(
      sql`update payout set reason = ${reason}, update_user = ${userId}, update_time = date_trunc('second', now()) where id = ${id}`,
    );
    recordChange({ entity: Payout.name, id, before: {}, after: { reason } });
  }

  private async record(by: Principal, entered: Entered): Promise<PayoutRow> {
    const { id, outcome, outcomeNo, outcomeDay, voucher, remark } = entered;
    const found = await this.lockUnknown(by, id);
    if (found.outcome !== null) throw new ApiError(paymentProblems.outcomeRecorded, { payNo: found.payNo });
    if (outcomeDay) await this.assertDay(id, outcomeDay);
    const { db } = this.context;
    const waits = await this.services.limits.needsApproval(by.userId, [found]);
    const files = voucher.length > 0 ? JSON.stringify(await storedFiles(db, voucher)) : null;
    await db.sql.execute(
      sql`update payout set outcome = ${outcome}, outcome_no = ${outcomeNo}, outcome_day = ${outcomeDay}::date, voucher = ${files}::jsonb, remark = ${remark},
            reason = null, recorded_by = ${by.userId}, recorder_name = (select real_name from user_account where id = ${by.userId}), recorded_time = date_trunc('second', now()),
            update_user = ${by.userId}, update_time = date_trunc('second', now()) where id = ${id}`,
    );
    recordChange({ entity: Payout.name, id, before: { outcome: null, outcomeNo: null, outcomeDay: null }, after: { outcome, outcomeNo, outcomeDay, remark } });
    if (waits) await notifyOutcomeApprovers(this.context, { tenantId: by.tenantId, requester: by.userId, id });
    else await this.book({ ...found, outcome: outcome as Recorded['outcome'], outcomeNo, outcomeDay, remark });
    return this.rows.detail(id);
  }

  private async book({ outcome, outcomeNo, outcomeDay, remark, ...payout }: Recorded): Promise<void> {
    const isPaid = outcome === payoutOutcomes.paid;
    const reason = `${unpaidReason.join(' ')}${remark ? `: ${remark}` : ''}`;
    const end = isPaid ? { outcome: 'paid' as const, providerNo: outcomeNo ?? undefined } : { outcome: 'failed' as const, reason };
    const result = { payNo: payout.payNo, state: recordedState, ...end };
    await this.services.settlement.book([{ ...payout, outcome, result, paidDay: outcomeDay ?? undefined }]);
  }

  private async awaiting(by: Pick<Principal, 'tenantId' | 'userId'>, id: string, outcome: number): Promise<Locked> {
    const found = await this.lockUnknown(by, id);
    if (found.outcome !== outcome) throw new ApiError(paymentProblems.outcomeNotAwaiting, { payNo: found.payNo });
    if (found.recordedBy === by.userId) throw new ApiError(paymentProblems.ownOutcome);
    return found;
  }

  /** Locks the ledger and a payout that waits for a person; the answer of a provider that arrives meanwhile is booked before or after. */
  private async lockUnknown({ tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>, id: string): Promise<Locked> {
    await this.services.ledger.lock(tenantId);
    const { payNo, submissionId, netAmount, state, outcome, outcomeNo, outcomeDay, remark, userId: payee, amount, providerState, recordedBy } = payouts;
    const columns = {
      id: payouts.id,
      payNo,
      submissionId,
      netAmount,
      state,
      outcome,
      outcomeNo,
      outcomeDay,
      remark,
      userId: payee,
      amount,
      providerState,
      recordedBy,
    };
    const { db } = this.context;
    const where = and(hasId(payouts, [id]), visibleRows(db, Payout.name, 'payout'));
    const [found] = await db.sql.select(columns).from(payouts).where(where).for('update');
    if (!found) throw new ApiError(problems.notFound);
    if (found.userId === userId) throw new ApiError(paymentProblems.ownPayoutOutcome);
    if (found.state !== payoutStates.processing || found.providerState !== unknownState)
      throw new ApiError(paymentProblems.outcomeKnown, { payNo: found.payNo });
    return found;
  }

  private async assertDay(id: string, day: string): Promise<void> {
    const within = await queryRows(this.context.db, sql`select from payout where id = ${id} and ${day}::date between create_time::date and current_date`);
    if (within.length === 0) throw new ApiError(paymentProblems.outcomeDay, {}, { field: 'outcomeDay' });
  }
}
