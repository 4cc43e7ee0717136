import { type SQL, sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { ApiError, canSeeField, type Database, hasFullAccess, queryRows } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import {
  type AccountBalance,
  type AdvertiserBalance,
  closingProblems,
  type LedgerMismatch,
  LedgerPosting,
  maxAdvertiserBalances,
  type trialBalance,
} from '../contract.ts';

interface Period {
  /** First day as SQL. */
  readonly from: SQL;
  /** Day after the last one as SQL. */
  readonly until: SQL;
}

const periodUntil = (day: string): Period => ({ from: sql`date_trunc('month', ${day}::date)`, until: sql`(${day}::date + 1)::timestamptz` });

/** Throws for users who see only a part of the ledger, because its sums contain all of it. */
export function assertWholeLedger(): void {
  const isWhole = hasFullAccess(LedgerPosting.name) && hasFullAccess(Advertiser.name);
  if (!isWhole || !canSeeField(LedgerPosting.name, 'amount') || !canSeeField(Advertiser.name, 'balance')) throw new ApiError(closingProblems.partialView);
}

/** Reads the accounts from the first day of a month until a day. Balances at both ends are one indexed row of each account. */
export async function readTrialBalance(db: Database, { day, account }: InputOf<typeof trialBalance>): Promise<ReplyOf<typeof trialBalance>> {
  assertWholeLedger();
  const period = periodUntil(day);
  const accounts = await queryRows<AccountBalance>(
    db,
    sql`select k.account, coalesce(own.code, preset.code) as code, coalesce(own.name, preset.name) as name, ${sums}
        from preset_account_titles() preset left join ledger_account_title own on own.account = preset.account
        join (${movements(period)}) k on k.account = preset.account
        group by k.account, own.code, preset.code, own.name, preset.name order by k.account`,
  );
  const advertisers = await queryRows<AdvertiserBalance>(
    db,
    sql`select k.advertiser_id::text as "advertiserId", a.name, ${sums} from (${movements(period, account)}) k join advertiser a on a.id = k.advertiser_id
        where (k.opening, k.debit, k.credit, k.closing) <> (0, 0, 0, 0) group by k.advertiser_id, a.name order by a.name, k.advertiser_id limit ${maxAdvertiserBalances + 1}`,
  );
  const [first] = await queryRows<{ from: string }>(db, sql`select to_char(date_trunc('month', ${day}::date), 'YYYY-MM-DD') as from`);
  return {
    from: first?.from ?? '',
    accounts,
    advertisers: advertisers.slice(0, maxAdvertiserBalances),
    isCut: advertisers.length > maxAdvertiserBalances,
    mismatches: await checkBalances(db, day),
  };
}

/** Finds accounts whose balance after their last posting until the end of a day is not the sum of their postings until then; at most a hundred. */
export function checkBalances(db: Database, day: string): Promise<LedgerMismatch[]> {
  const { until } = periodUntil(day);
  return queryRows<LedgerMismatch>(
    db,
    sql`select 'running' as what, k.advertiser_id::text as id, last.balance::float8 as kept, k.total::float8 as added from (
          select p.tenant_id, p.account, p.advertiser_id, sum(p.amount) as total from ledger_posting p where p.create_time < ${until}
          group by p.tenant_id, p.account, p.advertiser_id
        ) k cross join lateral (${balanceBefore(until)}) last where last.balance <> k.total limit 100`,
  );
}

const sums = sql`sum(k.opening)::float8 as opening, sum(k.debit)::float8 as debit, sum(k.credit)::float8 as credit, sum(k.closing)::float8 as closing`;

/** Balance of the account `k` before a time. */
const balanceBefore = (time: SQL): SQL =>
  sql`select coalesce((select b.balance_after from ledger_posting b where b.tenant_id = k.tenant_id and b.account = k.account and b.advertiser_id = k.advertiser_id
        and b.create_time < ${time} order by b.create_time desc, b.id desc limit 1), 0) as balance`;

function movements({ from, until }: Period, account?: number): SQL {
  const isWanted = account === undefined ? sql`true` : sql`k.account = ${account}`;
  return sql`select k.account, k.advertiser_id, before.balance as opening, coalesce(moved.debit, 0) as debit, coalesce(moved.credit, 0) as credit, last.balance as closing
    from ledger_account k
    cross join lateral (${balanceBefore(sql`${from}::timestamptz`)}) before
    cross join lateral (${balanceBefore(until)}) last
    left join (
      select p.account, p.advertiser_id, -coalesce(sum(p.amount) filter (where p.amount < 0), 0) as debit, coalesce(sum(p.amount) filter (where p.amount > 0), 0) as credit
      from ledger_posting p where p.create_time >= ${from}::timestamptz and p.create_time < ${until} group by p.account, p.advertiser_id
    ) moved on moved.account = k.account and moved.advertiser_id = k.advertiser_id
    where ${isWanted}`;
}
