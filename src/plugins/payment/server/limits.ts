import { sql } from 'drizzle-orm';
import { ApiError, type BatchRefusal, canSeeField, idArray, queryRows, type Repository, repositoryOf, type ServerContext, withFullAccess } from '#server';
import type { InputOf } from '#shared/contract';
import type { Problem } from '#shared/errors';
import { type AppliedLimits, Payout, paymentProblems } from '../contract.ts';
import { defaultLimits, PaymentLimits, type PaymentLimitsRow, type paymentLimits } from '../limit-contract.ts';
import type { AdvertiserFunds } from './funds.ts';
import type { Ledger } from './ledger.ts';
import { payoutStateSql } from './states.ts';
import { formatYuan } from './yuan.ts';

const unsaved: PaymentLimitsRow = {
  id: '0',
  ...defaultLimits,
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  status: 1,
  isDeleted: 0,
  version: '',
};

/** Reads and writes the limits of payments and receipts, one row per tenant. Call its functions within the tenant. */
export class LimitSettings {
  readonly rows: Repository<typeof PaymentLimits>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf(db, PaymentLimits);
  }

  /** Returns the limits that apply, whatever the caller may see of them. */
  current(): Promise<PaymentLimitsRow> {
    return withFullAccess(() => this.read());
  }

  async read(): Promise<PaymentLimitsRow> {
    return (await this.rows.find({})) ?? unsaved;
  }

  async save({ id: _, ...form }: InputOf<typeof paymentLimits.submit>): Promise<PaymentLimitsRow> {
    await this.db.lock('payment limits');
    const before = await this.rows.find({});
    return this.rows.save(before ? { ...form, id: before.id, ...(form.version === '' ? { version: '0' } : {}) } : { ...defaultLimits, ...form });
  }
}

interface OwedAmount {
  readonly id: string;
  readonly advertiserId: string;
  readonly userId: string;
  readonly nickName: string;
  readonly amount: number;
}

/** Sums of the payments requested today. Payments that failed or were rejected do not count. */
interface Today {
  readonly all: number;
  /** Requested by the user, or of which the user has recorded the outcome, and not approved by another. */
  readonly unapproved: number;
  readonly byPayee: ReadonlyMap<string, number>;
}

/** Money of an advertiser, and what the payments of a request need of it. */
interface AdvertiserShare {
  readonly name: string;
  readonly available: number;
  readonly needed: number;
  /** True if the user may see the money. */
  readonly isVisible: boolean;
  /** Available after the payments judged so far. */
  left: number;
}

const exceeds = (amount: number, limit: number | null) => limit !== null && amount > limit;
const totalOf = (owed: readonly Pick<OwedAmount, 'amount'>[]) => owed.reduce((sum, { amount }) => sum + amount, 0);

/** Payment limits and the threshold for approval. Check them while the ledger is locked, so that concurrent payments count. */
export class Limits {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly money: AdvertiserFunds,
    private readonly settings: LimitSettings,
  ) {}

  /** Refuses payments above a limit or without sufficient funds; true when they need approval. A user's payments of a day count together, so batches cannot avoid it. */
  async check(userId: string | undefined, owed: readonly OwedAmount[]): Promise<boolean> {
    const [refusal] = await this.refusals(userId, owed, { isWhole: true });
    if (refusal) throw refusal.error;
    return this.needsApproval(userId, owed);
  }

  /** Tells whether these payments would wait for approval. */
  async needsApproval(userId: string | undefined, owed: readonly Pick<OwedAmount, 'amount'>[]): Promise<boolean> {
    const { approvalAbove } = await this.settings.current();
    return owed.length > 0 && (await this.today(userId, [])).unapproved + totalOf(owed) > approvalAbove;
  }

  /**
   * Finds the payments that a limit or an advertiser's funds do not allow after those before them; the others can be made together. For a request that is made as a whole,
   * insufficient funds are compared with what all its payments for the advertiser need.
   */
  async refusals(userId: string | undefined, owed: readonly OwedAmount[], { isWhole = false } = {}): Promise<BatchRefusal[]> {
    const limits = await this.settings.current();
    const today = await this.today(userId, limits.perPayeeDay === null ? [] : owed);
    const byPayee = new Map(today.byPayee);
    const funds = await this.fundsOf(owed);
    let run = 0;
    return owed.flatMap((one): BatchRefusal[] => {
      const { id, advertiserId, userId: payee, amount } = one;
      const advertiser = funds.get(advertiserId) ?? { name: '', available: 0, left: 0, needed: 0, isVisible: false };
      const received = (byPayee.get(payee) ?? 0) + amount;
      const error = overLimit(one, limits, { received, run: run + amount, day: today.all + run + amount });
      if (error) return [{ id, error }];
      if (amount > advertiser.left)
        return [{ id, error: insufficientFunds(isWhole ? advertiser : { ...advertiser, needed: amount, available: advertiser.left }) }];
      run += amount;
      byPayee.set(payee, received);
      advertiser.left -= amount;
      return [];
    });
  }

  /** Returns the limits that apply to a payment today; undefined for users who may not see amounts. */
  async applied(): Promise<AppliedLimits | undefined> {
    if (!canSeeField(Payout.name, 'amount')) return undefined;
    const { perPayment, perPayeeDay, perRun, perDay, approvalAbove } = await this.settings.current();
    const leftToday = perDay === null ? null : Math.max(0, perDay - (await this.today(undefined, [])).all);
    return { perPayment, perPayeeDay, perRun, leftToday, approvalAbove };
  }

  private async today(userId: string | undefined, owed: readonly OwedAmount[]): Promise<Today> {
    const counts = sql`state in (${payoutStateSql.awaiting}, ${payoutStateSql.processing}, ${payoutStateSql.paid})`;
    const [sums] = await queryRows<{ all: number; unapproved: number }>(
      this.db,
      sql`select coalesce(sum(amount), 0)::float8 as all,
            coalesce(sum(amount) filter (where create_user is not distinct from ${userId ?? null}::bigint and approved_by is null and state <> ${payoutStateSql.awaiting}), 0)::float8
              + (select coalesce(sum(r.amount), 0) from payout r where r.recorded_by = ${userId ?? null}::bigint and r.recorded_time >= current_date
                  and r.outcome_approved_by is null and r.state <> ${payoutStateSql.processing})::float8 as unapproved
          from payout where create_time >= current_date and ${counts}`,
    );
    const payees = [...new Set(owed.map((one) => one.userId))];
    const received =
      payees.length === 0
        ? []
        : await queryRows<{ userId: string; amount: number }>(
            this.db,
            sql`select user_id::text as "userId", sum(amount)::float8 as amount from payout
                where is_deleted = 0 and user_id = any(${idArray(payees)}) and create_time >= current_date and ${counts} group by user_id`,
          );
    return { all: sums?.all ?? 0, unapproved: sums?.unapproved ?? 0, byPayee: new Map(received.map((one) => [one.userId, one.amount])) };
  }

  private async fundsOf(owed: readonly OwedAmount[]): Promise<Map<string, AdvertiserShare>> {
    const funds = new Map<string, AdvertiserShare>();
    for (const advertiserId of new Set(owed.map((one) => one.advertiserId))) {
      const { name = '', balance = 0, credit = 0 } = (await this.ledger.fundsOf(advertiserId)) ?? {};
      const needed = totalOf(owed.filter((one) => one.advertiserId === advertiserId));
      funds.set(advertiserId, { name, available: balance + credit, left: balance + credit, needed, isVisible: await this.money.isVisible(advertiserId) });
    }
    return funds;
  }
}

/** Returns the first limit that a payment exceeds: by itself, by what its payee has received today with it, by its run or by the day. Users who may not see amounts do not learn it. */
function overLimit(
  { amount, nickName }: OwedAmount,
  { perPayment, perPayeeDay, perRun, perDay }: PaymentLimitsRow,
  sums: { readonly received: number; readonly run: number; readonly day: number },
): ApiError | undefined {
  const over = (problem: Problem, limit: number | null) =>
    canSeeField(Payout.name, 'amount')
      ? new ApiError(problem, { name: nickName, limit: formatYuan(limit ?? 0) })
      : new ApiError(paymentProblems.overLimitHidden);
  if (exceeds(amount, perPayment)) return over(paymentProblems.overSingle, perPayment);
  if (exceeds(sums.received, perPayeeDay)) return over(paymentProblems.overPayeeDay, perPayeeDay);
  if (exceeds(sums.run, perRun)) return over(paymentProblems.overRun, perRun);
  if (exceeds(sums.day, perDay)) return over(paymentProblems.overDaily, perDay);
  return undefined;
}

const insufficientFunds = ({ name, needed, available, isVisible }: Omit<AdvertiserShare, 'left'>) =>
  isVisible
    ? new ApiError(paymentProblems.insufficientFunds, { name, needed: formatYuan(needed), available: formatYuan(Math.max(0, available)) })
    : new ApiError(paymentProblems.insufficientFundsHidden, { name });
