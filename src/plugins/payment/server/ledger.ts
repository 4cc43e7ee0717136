import { and, eq, type SQL, sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { ApiError, currentActor, idArray, isNotDeleted, type Processor, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import { closingProblems, type LedgerMismatch, LedgerPosting } from '../contract.ts';

const advertisers = tableOf(Advertiser);
const maxLogged = 20;
/** Error code of the trigger that refuses postings into a closed month. */
const closedMonthCode = 'MQ010';
const codeOf = (error: { readonly cause?: unknown }) => ((error.cause ?? error) as { readonly code?: unknown }).code;

/** Movement of an advertiser's money, for a payout if there is one. Amounts in 分, greater than 0. */
export interface Movement {
  readonly kind: number;
  readonly from: number;
  readonly to: number;
  readonly advertiserId: string;
  readonly amount: number | string;
  readonly payNo?: string;
  readonly remark?: string | null | undefined;
  /** Stored links of files. */
  readonly voucher?: readonly string[] | undefined;
  /** Entry that this movement reverses. */
  readonly reverses?: string;
}

/** Double-entry ledger of each tenant's advertisers, with stored sums that must match the postings. */
export class Ledger {
  readonly rows: Repository<typeof LedgerPosting>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf(db, LedgerPosting);
  }

  /** Locks the ledger of a tenant until the transaction ends. Call before locking any row. */
  async lock(tenantId: string): Promise<void> {
    await this.db.lock(`ledger of ${tenantId}`);
  }

  /** Writes an entry and returns its id. Throws if its time is in a closed month, as that of a transaction may be that began before the month ended. */
  async move({ kind, from, to, advertiserId, amount, payNo, remark, voucher, reverses }: Movement): Promise<string> {
    const statement = sql`select move_money(${kind}, ${from}, ${to}, ${advertiserId}, ${amount}, ${payNo ?? null}, ${remark ?? null}, ${currentActor()?.userId || null},
          ${voucher?.length ? JSON.stringify(voucher) : null}::jsonb, ${reverses ?? null})::text as entry`;
    return (await this.book(statement)) ?? '';
  }

  /** Writes an entry for each of these payouts, with its amount; that of a payment tells the tax that was withheld from what the payee has received. */
  async movePayouts({ kind, from, to }: Pick<Movement, 'kind' | 'from' | 'to'>, payoutIds: readonly string[]): Promise<void> {
    await this.book(sql`select move_money_of_payouts(${kind}, ${from}, ${to}, ${idArray(payoutIds)}, ${currentActor()?.userId || null})`);
  }

  /** Returns what a paid payout has moved to the advertiser, by an entry that reverses the one of its payment. */
  async reverseSettlement(payNo: string, remark: string | null): Promise<void> {
    await this.book(sql`select reverse_settlement(${payNo}, ${remark}, ${currentActor()?.userId || null})`);
  }

  private async book(statement: SQL): Promise<string | undefined> {
    const [booked] = await queryRows<{ entry?: string }>(this.db, statement).catch((error: Error) => {
      throw codeOf(error) === closedMonthCode ? new ApiError(closingProblems.monthClosed, {}, { cause: error }) : error;
    });
    return booked?.entry;
  }

  /** Returns the balance and credit limit of an advertiser in 分; undefined when there is no such advertiser. */
  async fundsOf(advertiserId: string) {
    const { id, name, balance, credit_limit: credit } = advertisers;
    const where = and(eq(id, advertiserId), isNotDeleted(advertisers));
    const [found] = await this.db.sql.select({ name, balance, credit }).from(advertisers).where(where);
    return found;
  }

  /** Finds entries, accounts and balances that do not match their postings, and accounts that do not match the payouts; at most a hundred. */
  check(): Promise<LedgerMismatch[]> {
    return queryRows<LedgerMismatch>(
      this.db,
      sql`select 'entry' as what, entry_id::text as id, 0 as kept, sum(amount)::float8 as added from ledger_posting group by entry_id having sum(amount) <> 0
          union all
          select 'account', coalesce(k.account, p.account)::text, coalesce(k.balance, 0)::float8, coalesce(p.total, 0)::float8
          from ledger_account k full join (
            select account, advertiser_id, sum(amount) as total from ledger_posting group by account, advertiser_id
          ) p on p.account = k.account and p.advertiser_id = k.advertiser_id where coalesce(k.balance, 0) <> coalesce(p.total, 0)
          union all
          select 'balance', a.id::text, a.balance::float8, coalesce(k.balance, 0)::float8
          from advertiser a left join ledger_account k on k.account = 1 and k.advertiser_id = a.id where a.balance <> coalesce(k.balance, 0)
          union all
          select 'payouts', k.account::text, k.balance::float8, owed.total::float8 from (
            select account, sum(balance) as balance from ledger_account where account in (3, 4, 5) group by account
          ) k cross join lateral (
            select coalesce(sum(case k.account when 3 then amount when 4 then net_amount else withheld end), 0) as total
            from payout where state = any(case k.account when 3 then '{0,1}' else '{2}' end::integer[])
          ) owed where k.balance <> owed.total
          limit 100`,
    );
  }
}

/** Job that fails when stored sums do not match the postings. */
export const ledgerCheck = (ledger: Ledger): Processor => ({
  title: ['付款对账', 'Ledger check'],
  help: ['重新汇总资金流水与付款单，不一致则失败；无参数', 'Recalculates the ledger and payouts, and fails if they differ. No parameters'],
  async run({ write, log }) {
    const mismatches = await write(() => ledger.check());
    for (const { what, id, kept, added } of mismatches.slice(0, maxLogged)) log('error', `${what} ${id}: stored ${kept}, calculated ${added}`);
    if (mismatches.length > 0) throw new Error(`${mismatches.length} differences`);
    return 'sound';
  },
});
