import { type SQL, sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { PublicationPlanning, TasksPublishing } from '#plugins/task/contract';
import {
  ApiError,
  canSeeField,
  currentActor,
  type DeclaredFilter,
  filterHandler,
  hasFullAccess,
  idArray,
  problems,
  queryRows,
  type ServerContext,
  visibleRows,
} from '#server';
import { beyondFunds, type Funds, ledgerAccounts, paymentProblems } from '../contract.ts';
import { defaultLimits } from '../limit-contract.ts';
import { ledgerMenu } from '../menus.ts';
import type { LimitSettings } from './limits.ts';
import { payStateSql, reviewStateSql, taskStateSql } from './states.ts';
import { formatYuan } from './yuan.ts';

const { inTransit, paid, withheldTax } = ledgerAccounts;

/**
 * Money of advertisers: what the ledger keeps, what their published tasks and claimed work reserve, and what they owe for approved work. Reserved and owed money is computed
 * from tasks and submissions, so it follows every change of them, and a payment moves nothing but the ledger.
 */
export class AdvertiserFunds {
  constructor(private readonly db: ServerContext['db']) {}

  /** Returns the money of an advertiser that the user may see; throws for others. */
  async detail(advertiserId: string): Promise<Funds> {
    if (!canSeeField(Advertiser.name, 'balance')) throw new ApiError(problems.forbidden);
    const [found] = await this.select(sql`a.id = ${advertiserId} and ${visibleRows(this.db, Advertiser.name, 'a')}`);
    if (!found) throw new ApiError(problems.notFound);
    return found;
  }

  /** Tells whether the caller may see the money of an advertiser: with the permission of the call that returns it, and with the advertiser and its balance among what the caller sees. */
  async isVisible(advertiserId: string): Promise<boolean> {
    if (!currentActor()?.codes?.has(ledgerMenu.code) || !canSeeField(Advertiser.name, 'balance')) return false;
    if (hasFullAccess(Advertiser.name)) return true;
    const found = await queryRows(this.db, sql`select from advertiser a where a.id = ${advertiserId} and ${visibleRows(this.db, Advertiser.name, 'a')}`);
    return found.length > 0;
  }

  /** Returns the money of advertisers, for decisions: independent of the advertisers that the user sees. */
  of(advertiserIds: readonly string[]): Promise<Funds[]> {
    return this.select(sql`a.id = any(${idArray(advertiserIds)})`);
  }

  private select(condition: SQL): Promise<Funds[]> {
    const threshold = sql`coalesce((select l.low_funds from payment_limits l where l.is_deleted = 0 limit 1), ${defaultLimits.lowFunds}::bigint)`;
    return queryRows<Funds>(
      this.db,
      sql`select f.*, f.available < ${threshold} as "isLow" from (
            select a.id::text as "advertiserId", a.name, a.balance::float8 as balance, coalesce(a.credit_limit, 0)::float8 as credit,
              (offered.price + work.open)::float8 as reserved, work.owed::float8 as owed, kept."inTransit"::float8 as "inTransit", kept.paid::float8 as paid,
              (a.balance + coalesce(a.credit_limit, 0) - offered.price - work.open - work.owed)::float8 as available
            from advertiser a
            cross join lateral (
              select coalesce(sum(t.unit_price::bigint * (t.quantity - t.claimed)), 0) as price
              from task t where t.advertiser_id = a.id and t.status = ${taskStateSql.published} and t.is_deleted = 0) offered
            cross join lateral (
              select coalesce(sum(s.amount) filter (where s.audit_status <> ${reviewStateSql.approved}), 0) as open,
                coalesce(sum(s.amount) filter (where s.audit_status = ${reviewStateSql.approved}), 0) as owed
              from task_submission s where s.advertiser_id = a.id and s.is_deleted = 0
                and s.audit_status in (${reviewStateSql.pending}, ${reviewStateSql.approved}, ${reviewStateSql.inProgress})
                and s.pay_status in (${payStateSql.unpaid}, ${payStateSql.failed})) work
            cross join lateral (
              select coalesce(sum(k.balance) filter (where k.account = ${inTransit}), 0) as "inTransit", coalesce(sum(k.balance) filter (where k.account <> ${inTransit}), 0) as paid
              from ledger_account k where k.tenant_id = a.tenant_id and k.account in (${inTransit}, ${paid}, ${withheldTax}) and k.advertiser_id = a.id) kept
            where ${condition} and a.is_deleted <> 1
          ) f order by f.name`,
    );
  }
}

/** Relates publications to the money of their advertisers: it adds the available money to a plan, and refuses tasks that cost more, or lets them pass if so configured. */
export function publicationFunds(limits: LimitSettings, funds: AdvertiserFunds): DeclaredFilter[] {
  const mayExceed = async () => (await limits.current()).publishingBeyondFunds === beyondFunds.warn;
  return [
    filterHandler(PublicationPlanning, async (shares) => {
      const isRefusedBeyond = !(await mayExceed());
      const found = new Map((await funds.of(shares.map(({ advertiserId }) => advertiserId))).map((one) => [one.advertiserId, one.available]));
      const plan = shares.map(async (share) => {
        const available = found.get(share.advertiserId);
        if (available === undefined) return share;
        const isBeyond = (amount: number | null) => isRefusedBeyond && (amount ?? 0) > available;
        const shown = (await funds.isVisible(share.advertiserId)) ? available : null;
        return { ...share, available: shown, isLimited: isBeyond(share.cost), isRefused: isBeyond(share.least) };
      });
      return Promise.all(plan);
    }),
    filterHandler(TasksPublishing, async (tasks) => {
      if (await mayExceed()) return undefined;
      const costs = new Map<string, number>();
      for (const { advertiserId, unitPrice, quantity, claimed } of tasks)
        costs.set(advertiserId, (costs.get(advertiserId) ?? 0) + unitPrice * (quantity - claimed));
      // The tasks are already published in this transaction, so their cost is reserved.
      const short = (await funds.of([...costs.keys()])).find(({ available }) => available < 0);
      if (!short) return undefined;
      if (!(await funds.isVisible(short.advertiserId))) throw new ApiError(paymentProblems.publishingRefused, { name: short.name });
      const needed = costs.get(short.advertiserId) ?? 0;
      throw new ApiError(paymentProblems.publishingBeyondFunds, {
        name: short.name,
        needed: formatYuan(needed),
        available: formatYuan(Math.max(0, short.available + needed)),
      });
    }),
  ];
}
