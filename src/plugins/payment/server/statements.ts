import { sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { ApiError, canSeeField, problems, queryRows, type ServerContext, visibleRows } from '#server';
import type { InputOf } from '#shared/contract';
import { entryKinds, LedgerPosting, ledgerAccounts, maxStatementLines, paymentProblems, type Statement, type statements } from '../contract.ts';

type StatementAccount = Pick<Statement, 'advertiserId' | 'name' | 'opening'>;
type StoredLine = Omit<Statement['lines'][number], 'balance'>;
/** Line with its account; an account without business is a row without a line. */
type StoredRow = StatementAccount & (StoredLine | Record<keyof StoredLine, null>);

/** Reads the statements of a month. Payouts of a day for one task are one line; the postings behind it are in the ledger. */
export async function readStatements({ db }: Pick<ServerContext, 'db'>, { month, advertiserId }: InputOf<typeof statements>): Promise<Statement[]> {
  if (!canSeeField(LedgerPosting.name, 'amount') || !canSeeField(Advertiser.name, 'balance')) throw new ApiError(problems.forbidden);
  const first = sql`${`${month}-01`}::date`;
  const isInMonth = sql`p.account = ${ledgerAccounts.advertiser} and p.create_time >= ${first}::timestamptz and p.create_time < (${first} + interval '1 month')::timestamptz`;
  // A condition for one advertiser or all would make PostgreSQL keep a plan for all.
  const isWanted = sql`a.is_deleted <> 1 and ${visibleRows(db, Advertiser.name, 'a')}${advertiserId === undefined ? sql`` : sql` and a.id = ${advertiserId}`}`;
  const rows = await queryRows<StoredRow>(
    db,
    sql`with wanted as materialized (
          select a.id, a.name, coalesce((
            select b.balance_after from ledger_posting b where b.advertiser_id = a.id and b.account = ${ledgerAccounts.advertiser} and b.create_time < ${first}::timestamptz
            order by b.create_time desc, b.id desc limit 1), 0) as opening
          from advertiser a where ${isWanted}
        ), lines as (
          select p.advertiser_id, to_char(p.create_time, 'YYYY-MM-DD') as day, p.kind, w.task_title as task,
            case when p.pay_no is null then p.remark end as remark, count(*)::integer as count, sum(p.amount)::float8 as amount, max(p.id) as last
          from ledger_posting p join wanted a on a.id = p.advertiser_id left join payout w on w.pay_no = p.pay_no where ${isInMonth}
          group by 1, 2, 3, 4, 5, case when p.pay_no is null then p.id end
          order by p.advertiser_id, day, last limit ${maxStatementLines + 1}
        )
        select a.id::text as "advertiserId", a.name, a.opening::float8 as opening, l.day, l.kind, l.task, l.remark, l.count, l.amount
        from wanted a left join lines l on l.advertiser_id = a.id where l.day is not null or a.opening <> 0 or ${advertiserId !== undefined} order by a.name, a.id, l.day, l.last`,
  );
  if (rows.filter(hasLine).length > maxStatementLines) throw new ApiError(paymentProblems.statementTooLong, { limit: maxStatementLines });
  const accounts = new Map<string, { account: StatementAccount; lines: StoredLine[] }>();
  for (const row of rows) {
    const { advertiserId: id, name, opening } = row;
    const one = accounts.get(id) ?? { account: { advertiserId: id, name, opening }, lines: [] };
    if (hasLine(row)) one.lines.push(row);
    accounts.set(id, one);
  }
  return [...accounts.values()].map(({ account, lines }) => statementOf(account, lines));
}

const hasLine = (row: StoredRow): row is StatementAccount & StoredLine => row.day !== null;

/** Adds up the lines of one advertiser. Reversals count against what they reverse. */
function statementOf(account: StatementAccount, own: readonly StoredLine[]): Statement {
  const { received, opening, refunded, reversed, started, returned } = entryKinds;
  const sum = (isIncluded: (line: StoredLine) => boolean) => own.filter(isIncluded).reduce((total, { amount }) => total + amount, 0);
  let balance = account.opening;
  const lines = own.map(({ day, kind, task, remark, count, amount }) => {
    balance += amount;
    return { day, kind, task, remark, count, amount, balance };
  });
  return {
    ...account,
    received: sum(({ kind, amount }) => kind === received || kind === opening || (kind === reversed && amount < 0)),
    refunded: 0 - sum(({ kind, amount }) => kind === refunded || (kind === reversed && amount > 0)),
    paid: 0 - sum(({ kind }) => kind === started || kind === returned),
    closing: balance,
    lines,
  };
}
