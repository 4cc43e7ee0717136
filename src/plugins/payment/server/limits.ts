import { sql } from 'drizzle-orm';
import { Refusal, rowsOf, type ServerContext } from '#server';
import { paymentProblems } from '../contract.ts';
import type { Ledger } from './ledger.ts';

/** In 分. */
const presets = { single: 200_000, daily: 10_000_000, unapproved: 100_000 };
const yuan = (fen: number) => (fen / 100).toFixed(2);

interface Owed {
  readonly advertiserId: string;
  readonly amount: number;
}

/** What may be paid, and what somebody else has to approve. Asked while the ledger is held: what it has let through counts for whoever comes next. */
export class Limits {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'parameters'>,
    private readonly ledger: Ledger,
  ) {}

  /** Refuses what passes a limit or an advertiser's money; true where it must be approved first. Small batches of one day count together. */
  async judge(userId: string | undefined, owed: readonly Owed[]): Promise<boolean> {
    const { parameters } = this.context;
    const single = await parameters.whole('payment.singleLimit', presets.single);
    const daily = await parameters.whole('payment.dailyLimit', presets.daily);
    const unapproved = await parameters.whole('payment.approvalAbove', presets.unapproved);
    const total = owed.reduce((sum, { amount }) => sum + amount, 0);
    if (single > 0 && owed.some(({ amount }) => amount > single)) throw new Refusal(paymentProblems.overSingle, { limit: yuan(single) });
    const today = await this.today(userId);
    if (daily > 0 && today.all + total > daily) throw new Refusal(paymentProblems.overDaily, { limit: yuan(daily) });
    for (const advertiserId of new Set(owed.map((one) => one.advertiserId))) await this.refusePoor(advertiserId, owed);
    return today.unapproved + total > unapproved;
  }

  private async today(userId: string | undefined): Promise<{ all: number; unapproved: number }> {
    const [sums] = await rowsOf<{ all: number; unapproved: number }>(
      this.context.db,
      sql`select coalesce(sum(amount), 0)::float8 as all,
            coalesce(sum(amount) filter (where create_user is not distinct from ${userId ?? null}::bigint and approved_by is null and state <> 0), 0)::float8 as unapproved
          from payout where create_time >= current_date and state in (0, 1, 2)`,
    );
    return sums ?? { all: 0, unapproved: 0 };
  }

  private async refusePoor(advertiserId: string, owed: readonly Owed[]): Promise<void> {
    const needed = owed.filter((one) => one.advertiserId === advertiserId).reduce((sum, { amount }) => sum + amount, 0);
    const { name = '', balance = 0, credit = 0 } = (await this.ledger.standing(advertiserId)) ?? {};
    if (needed > balance + credit) throw new Refusal(paymentProblems.noMoney, { name, needed: yuan(needed), available: yuan(Math.max(0, balance + credit)) });
  }
}
