import { type SQL, sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import {
  ApiError,
  canSeeField,
  crudRoutes,
  hasFullAccess,
  type PluginRoute,
  type Principal,
  problems,
  queryRows,
  type Repository,
  recordChange,
  repositoryOf,
  route,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import {
  accountTitles,
  closingProblems,
  differenceStates,
  journal,
  LedgerMonth,
  type LedgerMonthRow,
  LedgerPosting,
  ledgerMonth,
  type MonthChecks,
  monthStates,
  trialBalance,
} from '../contract.ts';
import type { Ledger } from './ledger.ts';
import { assertWholeLedger, checkBalances, readTrialBalance } from './trial-balance.ts';

interface Calendar {
  readonly next: string | null;
  readonly lastClosed: MonthChecks['lastClosed'];
}

/** Closes the months of the ledger in their order. A closed month accepts no postings, which the database refuses. */
export class Closing {
  readonly rows: Repository<typeof LedgerMonth>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
  ) {
    this.rows = repositoryOf(db, LedgerMonth);
  }

  /** Returns the checks of a month, by default of the oldest that is not closed, or of the current month in an empty ledger. */
  async checks(month?: string): Promise<MonthChecks> {
    assertWholeLedger();
    const calendar = await this.calendar();
    const chosen = month ?? calendar.next;
    const [dates] = await queryRows<{ month: string; lastDay: string; isOver: boolean }>(
      this.db,
      sql`select to_char(m.first, 'YYYY-MM') as month, to_char(m.first + interval '1 month' - interval '1 day', 'YYYY-MM-DD') as "lastDay",
            (m.first + interval '1 month')::timestamptz <= now() as "isOver"
          from (select coalesce(${chosen && `${chosen}-01`}::date, date_trunc('month', now())::date) as first) m`,
    );
    if (!dates) throw new ApiError(problems.internal);
    const { isOver, ...shown } = dates;
    const status = this.statusOf(dates.month, isOver, calendar);
    return { ...shown, ...calendar, status, ...(await this.sums(dates.lastDay)), ...(await this.reconciliation(dates.month)) };
  }

  /** Closes the oldest month that is not closed and is over, once its checks are sound and what is open has been confirmed. */
  async close({ tenantId, userId }: Principal, { month, confirmed }: InputOf<typeof ledgerMonth.close>): Promise<LedgerMonthRow> {
    await this.ledger.lock(tenantId);
    const checks = await this.checks(month);
    assertDue(checks);
    if (checks.mismatches.length > 0 || checks.difference !== 0)
      throw new ApiError(closingProblems.mismatches, { count: Math.max(1, checks.mismatches.length) }, { data: checks });
    const open = { openDifferences: checks.openDifferences, uncomparedDays: checks.uncomparedDays.length };
    const isConfirmed = confirmed?.openDifferences === open.openDifferences && confirmed.uncomparedDays === open.uncomparedDays;
    if (open.openDifferences + open.uncomparedDays > 0 && !isConfirmed) throw new ApiError(closingProblems.unconfirmed, { month, ...open }, { data: checks });
    await this.closeBefore(sql`${`${month}-01`}::date + interval '1 month'`);
    const before = await this.rows.find({ month });
    await this.db.sql.execute(
      sql`insert into ledger_month (month, state, open_differences, uncompared_days, closer_name, closed_time, create_user)
          values (${month}, ${monthStates.closed}, ${open.openDifferences}, ${open.uncomparedDays}, ${nameOf(userId)}, date_trunc('second', now()), ${userId})
          on conflict (tenant_id, month) do update set state = excluded.state, open_differences = excluded.open_differences, uncompared_days = excluded.uncompared_days,
            closer_name = excluded.closer_name, closed_time = excluded.closed_time, update_time = excluded.closed_time, update_user = excluded.create_user`,
    );
    return this.recorded(before, { month });
  }

  /** Opens the last closed month again. */
  async reopen({ tenantId, userId }: Principal, { id, reason }: InputOf<typeof ledgerMonth.reopen>): Promise<void> {
    assertWholeLedger();
    await this.ledger.lock(tenantId);
    const before = await this.rows.detail(id);
    const { lastClosed } = await this.calendar();
    if (lastClosed?.id !== id) throw new ApiError(closingProblems.notLast);
    await this.closeBefore(sql`${`${before.month}-01`}::date`);
    await this.db.sql.execute(
      sql`update ledger_month set state = ${monthStates.reopened}, reason = ${reason}, reopener_name = ${nameOf(userId)}, reopened_time = date_trunc('second', now()),
            update_time = date_trunc('second', now()), update_user = ${userId} where id = ${id}`,
    );
    await this.recorded(before, { id });
  }

  private async recorded(before: LedgerMonthRow | undefined, where: Partial<LedgerMonthRow>): Promise<LedgerMonthRow> {
    const after = (await this.rows.find(where)) as LedgerMonthRow;
    recordChange({ entity: LedgerMonth.name, id: after.id, before: before as Record<string, unknown> | undefined, after: after as Record<string, unknown> });
    return after;
  }

  private async closeBefore(day: SQL): Promise<void> {
    await this.db.sql.execute(sql`update ledger_clock set closed_before = (${day})::timestamptz`);
  }

  private statusOf(month: string, isOver: boolean, { next, lastClosed }: Calendar): MonthChecks['status'] {
    if (lastClosed && month <= lastClosed.month) return 'closed';
    if (!isOver) return 'running';
    return month === next ? 'due' : 'later';
  }

  private async calendar(): Promise<Calendar> {
    const [found] = await queryRows<{ id: string | null; month: string | null; next: string | null }>(
      this.db,
      sql`select l.id::text as id, l.month, to_char(coalesce((l.month || '-01')::date + interval '1 month',
            (select p.create_time from ledger_posting p where p.is_deleted = 0 order by p.create_time limit 1)), 'YYYY-MM') as next
          from (select 1) one left join lateral (select id, month from ledger_month where state = ${monthStates.closed} order by month desc limit 1) l on true`,
    );
    return { next: found?.next ?? null, lastClosed: found?.id && found.month ? { id: found.id, month: found.month } : null };
  }

  private async sums(lastDay: string): Promise<Pick<MonthChecks, 'difference' | 'mismatches'>> {
    const [total] = await queryRows<{ difference: number }>(
      this.db,
      sql`select coalesce(sum(amount), 0)::float8 as difference from ledger_posting where create_time < (${lastDay}::date + 1)::timestamptz`,
    );
    return { difference: total?.difference ?? 0, mismatches: [...(await this.ledger.check()), ...(await checkBalances(this.db, lastDay))] };
  }

  private async reconciliation(month: string): Promise<Pick<MonthChecks, 'openDifferences' | 'openDays' | 'uncomparedDays'>> {
    const first = sql`${`${month}-01`}::date`;
    const [open] = await queryRows<{ openDifferences: number; openDays: number }>(
      this.db,
      sql`select count(*)::integer as "openDifferences", count(distinct day)::integer as "openDays" from payment_difference
          where state = ${differenceStates.open} and day >= ${first} and day < ${first} + interval '1 month'`,
    );
    const uncompared = await queryRows<{ day: string }>(
      this.db,
      sql`select to_char(d, 'YYYY-MM-DD') as day from generate_series(${first}, least(${first} + interval '1 month', current_date) - interval '1 day', interval '1 day') d
          where exists (select from payout p where p.is_deleted = 0 and p.create_time < d + interval '1 day')
            and not exists (select from payment_reconciliation r where r.day = d::date and r.compared_time >= (d + interval '34 hours')::timestamptz) order by d`,
    );
    return { openDifferences: 0, openDays: 0, ...open, uncomparedDays: uncompared.map(({ day }) => day) };
  }
}

const nameOf = (userId: string) => sql`(select real_name from user_account where id = ${userId})`;

function assertDue({ month, status, next }: MonthChecks): void {
  if (status === 'closed') throw new ApiError(closingProblems.alreadyClosed, { month });
  if (next === null) throw new ApiError(closingProblems.nothingToClose);
  if (status === 'running') throw new ApiError(closingProblems.notFinished, { month });
  if (status === 'later' || month !== next) throw new ApiError(closingProblems.notNext, { next });
}

/** Serves the months of the ledger, the trial balance and the journal for accounting. */
export function closingRoutes(db: ServerContext['db'], closing: Closing): PluginRoute[] {
  return [
    crudRoutes(ledgerMonth, closing.rows),
    crudRoutes(journal, repositoryOf(db, journal.entity, { noTotal: true, where: () => visiblePostings(db) })),
    route(trialBalance, ({ input }) => readTrialBalance(db, input)),
    route(ledgerMonth.checks, ({ input }) => closing.checks(input.month)),
    route(ledgerMonth.close, ({ input, principal }) => closing.close(principal, input)),
    route(ledgerMonth.reopen, ({ input, principal }) => closing.reopen(principal, input)),
    route(accountTitles.detail, async () => ({ titles: await readTitles(db) })),
    route(accountTitles.save, async ({ input: { titles } }) => {
      await db.sql.execute(
        sql`insert into ledger_account_title (account, code, name)
            select account, code, name from jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) as given (account integer, code text, name text)
            on conflict (tenant_id, account) do update set code = excluded.code, name = excluded.name`,
      );
    }),
  ];
}

/** Condition for the lines of postings that the user may see with their amounts, and whose advertisers the user may see, because lines name them. */
function visiblePostings(db: ServerContext['db']): SQL {
  if (!canSeeField(LedgerPosting.name, 'amount')) return sql`false`;
  if (hasFullAccess(LedgerPosting.name) && hasFullAccess(Advertiser.name)) return sql`true`;
  const { id, advertiserId } = tableOf(journal.entity);
  return sql`${id} in (select p.id from ledger_posting p where ${visibleRows(db, LedgerPosting.name, 'p')})
    and ${advertiserId} in (select a.id from advertiser a where ${visibleRows(db, Advertiser.name, 'a')})`;
}

const readTitles = (db: ServerContext['db']) =>
  queryRows<ReplyOf<typeof accountTitles.detail>['titles'][number]>(
    db,
    sql`select preset.account, coalesce(own.code, preset.code) as code, coalesce(own.name, preset.name) as name
        from preset_account_titles() preset left join ledger_account_title own on own.account = preset.account order by preset.account`,
  );
