import { sql } from 'drizzle-orm';
import { ApiError, type BatchRefusal, queryRows, type ServerContext } from '#server';
import { paymentProblems } from '../contract.ts';
import { approvalAbove, dailyLimit, singleLimit } from '../parameter-contract.ts';
import type { Ledger } from './ledger.ts';
import { payoutStateSql } from './states.ts';
import { yuan } from './yuan.ts';

interface OwedAmount {
  readonly id: string;
  readonly advertiserId: string;
  readonly amount: number;
}

/** Payment limits and the threshold for approval. Check them while the ledger is locked, so that concurrent payments count. */
export class Limits {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters'>,
    private readonly ledger: Ledger,
  ) {}

  /** Refuses payments above a limit or without sufficient funds; true when they need approval. A user's payments of a day count together, so batches cannot avoid it. */
  async check(userId: string | undefined, owed: readonly OwedAmount[]): Promise<boolean> {
    const { parameters } = this.context;
    const single = await parameters.integer(singleLimit);
    const daily = await parameters.integer(dailyLimit);
    const total = owed.reduce((sum, { amount }) => sum + amount, 0);
    if (single > 0 && owed.some(({ amount }) => amount > single)) throw new ApiError(paymentProblems.overSingle, { limit: yuan(single) });
    const today = await this.today(userId);
    if (daily > 0 && today.all + total > daily) throw new ApiError(paymentProblems.overDaily, { limit: yuan(daily) });
    for (const advertiserId of new Set(owed.map((one) => one.advertiserId))) await this.assertSufficientFunds(advertiserId, owed);
    return today.unapproved + total > (await parameters.integer(approvalAbove));
  }

  /** Tells whether these payments would wait for approval. */
  async needsApproval(userId: string | undefined, owed: readonly OwedAmount[]): Promise<boolean> {
    const total = owed.reduce((sum, { amount }) => sum + amount, 0);
    return total > 0 && (await this.today(userId)).unapproved + total > (await this.context.parameters.integer(approvalAbove));
  }

  /** Finds the payments that a limit or an advertiser's funds do not allow after those before them; the others can be made together. */
  async refusals(userId: string | undefined, owed: readonly OwedAmount[]): Promise<BatchRefusal[]> {
    const { parameters } = this.context;
    const single = await parameters.integer(singleLimit);
    const daily = await parameters.integer(dailyLimit);
    let { all } = await this.today(userId);
    const funds = new Map<string, { readonly name: string; available: number }>();
    for (const advertiserId of new Set(owed.map((one) => one.advertiserId))) funds.set(advertiserId, await this.availableTo(advertiserId));
    return owed.flatMap(({ id, advertiserId, amount }): BatchRefusal[] => {
      const advertiser = funds.get(advertiserId) ?? { name: '', available: 0 };
      if (single > 0 && amount > single) return [{ id, error: new ApiError(paymentProblems.overSingle, { limit: yuan(single) }) }];
      if (daily > 0 && all + amount > daily) return [{ id, error: new ApiError(paymentProblems.overDaily, { limit: yuan(daily) }) }];
      if (amount > advertiser.available) return [{ id, error: insufficientFunds(amount, advertiser) }];
      all += amount;
      advertiser.available -= amount;
      return [];
    });
  }

  private async today(userId: string | undefined): Promise<{ all: number; unapproved: number }> {
    const [sums] = await queryRows<{ all: number; unapproved: number }>(
      this.context.db,
      sql`select coalesce(sum(amount), 0)::float8 as all,
            coalesce(sum(amount) filter (where create_user is not distinct from ${userId ?? null}::bigint and approved_by is null and state <> ${payoutStateSql.awaiting}), 0)::float8 as unapproved
          from payout where create_time >= current_date and state in (${payoutStateSql.awaiting}, ${payoutStateSql.processing}, ${payoutStateSql.paid})`,
    );
    return sums ?? { all: 0, unapproved: 0 };
  }

  private async assertSufficientFunds(advertiserId: string, owed: readonly OwedAmount[]): Promise<void> {
    const needed = owed.filter((one) => one.advertiserId === advertiserId).reduce((sum, { amount }) => sum + amount, 0);
    const advertiser = await this.availableTo(advertiserId);
    if (needed > advertiser.available) throw insufficientFunds(needed, advertiser);
  }

  private async availableTo(advertiserId: string): Promise<{ name: string; available: number }> {
    const { name = '', balance = 0, credit = 0 } = (await this.ledger.fundsOf(advertiserId)) ?? {};
    return { name, available: balance + credit };
  }
}

const insufficientFunds = (needed: number, { name, available }: { readonly name: string; readonly available: number }) =>
  new ApiError(paymentProblems.insufficientFunds, { name, needed: yuan(needed), available: yuan(Math.max(0, available)) });
