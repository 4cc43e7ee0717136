import { sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { ApiError, canSeeField, problems, queryRows, type ServerContext, visibleRows } from '#server';
import type { InputOf } from '#shared/contract';
import { entryKinds, LedgerPosting, ledgerAccounts, maxStatementLines, paymentProblems, type Statement, type statements } from '../contract.ts';

interface MonthSums extends Omit<Statement, 'paid' | 'lines' | 'closing'> {
  readonly sent: number;
  readonly returned: number;
}

type StoredLine = Omit<Statement['lines'][number], 'balance'> & { readonly advertiserId: string };

/** Reads the statements of a month. Payouts of a day for one task are one line; the postings behind it are in the ledger. */
export async function readStatements({ db }: Pick<ServerContext, 'db'>, { month, advertiserId }: InputOf<typeof statements>): Promise<Statement[]> {
  if (!canSeeField(LedgerPosting.name, 'amount') || !canSeeField(Advertiser.name, 'balance')) throw new ApiError(problems.forbidden);
  const first = sql`${`${month}-01`}::date`;
  const isInMonth = sql`p.account = ${ledgerAccounts.advertiser} and p.create_time >= ${first}::timestamptz and p.create_time < (${first} + interval '1 month')::timestamptz`;
  const isWanted = sql`a.is_deleted <> 1 and (${advertiserId ?? null}::bigint is null or a.id = ${advertiserId ?? null}::bigint) and ${visibleRows(db, Advertiser.name, 'a')}`;
  const sums = await queryRows<MonthSums>(
    db,
    sql`select a.id::text as "advertiserId", a.name, before.balance::float8 as opening, coalesce(sum(p.amount) filter (where p.kind in (${entryKinds.received}, ${entryKinds.opening}) or p.kind = ${entryKinds.reversed} and p.amount < 0), 0)::float8 as received,
          coalesce(-sum(p.amount) filter (where p.kind = ${entryKinds.refunded} or p.kind = ${entryKinds.reversed} and p.amount > 0), 0)::float8 as refunded,
          coalesce(-sum(p.amount) filter (where p.kind = ${entryKinds.started}), 0)::float8 as sent,
          coalesce(sum(p.amount) filter (where p.kind = ${entryKinds.returned}), 0)::float8 as returned
        from advertiser a
        cross join lateral (select coalesce((
          select b.balance_after from ledger_posting b where b.advertiser_id = a.id and b.account = ${ledgerAccounts.advertiser} and b.create_time < ${first}::timestamptz
          order by b.create_time desc, b.id desc limit 1), 0) as balance) before
        left join ledger_posting p on p.advertiser_id = a.id and ${isInMonth}
        where ${isWanted} group by a.id, a.name, before.balance
        having before.balance <> 0 or count(p.id) > 0 or ${advertiserId !== undefined} order by a.name, a.id`,
  );
  const lines = await queryRows<StoredLine>(
    db,
    sql`select p.advertiser_id::text as "advertiserId", to_char(p.create_time, 'YYYY-MM-DD') as day, p.kind, w.task_title as task,
          case when p.pay_no is null then p.remark end as remark, count(*)::integer as count, sum(p.amount)::float8 as amount
        from ledger_posting p join advertiser a on a.id = p.advertiser_id left join payout w on w.pay_no = p.pay_no
        where ${isInMonth} and ${isWanted}
        group by p.advertiser_id, to_char(p.create_time, 'YYYY-MM-DD'), p.kind, w.task_title, case when p.pay_no is null then p.remark end, case when p.pay_no is null then p.id end
        order by p.advertiser_id, day, max(p.id) limit ${maxStatementLines + 1}`,
  );
  if (lines.length > maxStatementLines) throw new ApiError(paymentProblems.statementTooLong, { limit: maxStatementLines });
  return sums.map(({ sent, returned, ...sum }) => {
    let balance = sum.opening;
    const own = lines
      .filter((line) => line.advertiserId === sum.advertiserId)
      .map(({ advertiserId: _, ...line }) => {
        balance += line.amount;
        return { ...line, balance };
      });
    return { ...sum, paid: sent - returned, closing: balance, lines: own };
  });
}
