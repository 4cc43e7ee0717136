import { sql } from 'drizzle-orm';
import { type PayoutToWithhold, PayoutWithholding, payoutStates } from '#plugins/payment/contract';
import {
  ApiError,
  type DeclaredFilter,
  filterHandler,
  idArray,
  PluginSwitches,
  queryRows,
  type Repository,
  repositoryOf,
  type ServerContext,
  withFullAccess,
} from '#server';
import { allowanceMethods, periodKinds, WithholdingRule, type WithholdingRuleRow, withholdingBases, withholdingProblems } from '../contract.ts';

/** Step of a table of rates: it applies to taxable income above `above`. Amounts in 分, the rate in hundredths of a percent. */
interface Band {
  readonly above: bigint;
  readonly rate: bigint;
  readonly deduction: bigint;
}

/** The parts of a rule that decide an amount. */
export type WithholdingTerms = Pick<WithholdingRuleRow, 'basis' | 'allowanceRate' | 'allowanceFixed' | 'allowanceMethod' | 'bands'>;

/** Income of a payee in the period of a rule before a payment, in 分; `months` counts the months with income, the current one included. */
export interface IncomeSoFar {
  readonly gross: number;
  readonly withheld: number;
  readonly months: number;
}

const hundred = 100n;
/** Rates are hundredths of a percent. */
const rateUnit = 10_000n;

/** Reads the bands of a rule, one a line; throws for a line that is none. */
function bandsOf(text: string): Band[] {
  const bands = text.split('\n').flatMap((line, index): Band | [] => {
    if (line.trim() === '') return [];
    const [, above, rate, deduction] = /^\s*(\d{1,10}(?:\.\d\d?)?)[\s,，]+(\d{1,3}(?:\.\d\d?)?)%?[\s,，]+(\d{1,10}(?:\.\d\d?)?)\s*$/.exec(line) ?? [];
    const band = above && rate && deduction ? { above: hundredthsOf(above), rate: hundredthsOf(rate), deduction: hundredthsOf(deduction) } : undefined;
    if (!band || band.rate > rateUnit) throw new ApiError(withholdingProblems.wrongBand, { line: index + 1 }, { field: 'bands' });
    return band;
  });
  const isRising = bands[0]?.above === 0n && bands.every(({ above }, index) => index === 0 || above > (bands[index - 1]?.above ?? 0n));
  if (!isRising) throw new ApiError(withholdingProblems.unsortedBands, {}, { field: 'bands' });
  return bands;
}

/**
 * Computes the tax to withhold from a payment, in 分. All steps are exact; the tax that is due on the income so far is rounded once, half a 分 up, and what has been
 * withheld is subtracted. At least one 分 remains for the payee: the rest is withheld from the next payment of the period, as income and tax accumulate.
 */
export function taxOn(terms: WithholdingTerms, amount: number, before: IncomeSoFar): number {
  const isAlone = terms.basis === withholdingBases.payment;
  const income = BigInt(amount) + (isAlone ? 0n : BigInt(before.gross));
  const months = terms.basis === withholdingBases.year ? BigInt(before.months) : 1n;
  const proportional = income * BigInt(Math.round(terms.allowanceRate * 100));
  const fixed = BigInt(terms.allowanceFixed) * months * rateUnit;
  const allowance = terms.allowanceMethod === allowanceMethods.greater ? larger(proportional, fixed) : proportional + fixed;
  const taxable = larger(0n, income * rateUnit - allowance);
  const band = bandsOf(terms.bands).findLast(({ above }) => above * rateUnit < taxable);
  if (!band) return 0;
  const scale = rateUnit * rateUnit;
  const due = (larger(0n, taxable * band.rate - band.deduction * scale) + scale / 2n) / scale;
  const open = Number(due) - (isAlone ? 0 : before.withheld);
  return Math.max(0, Math.min(open, amount - 1));
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function hundredthsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * hundred + BigInt(decimals.padEnd(2, '0'));
}

const { awaiting, processing } = payoutStates;

/** Rules of withholding of a tenant. A rule by which payments have been judged stays as it is. */
export class WithholdingRules {
  readonly rows: Repository<typeof WithholdingRule>;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'get'>) {
    this.rows = repositoryOf(context.db, WithholdingRule, {
      unique: [{ fields: ['validFrom'] }],
      beforeSave: async ({ bands }, before) => {
        if (bands !== undefined) bandsOf(bands);
        if (before) await this.assertUnused([before]);
      },
      beforeRemove: (rows) => this.assertUnused(rows),
    });
  }

  /** Withholds from the payouts of a request by the rule that is valid today. Payouts of one payee accumulate in their order. */
  readonly filter: DeclaredFilter = filterHandler(PayoutWithholding, async (asked) => {
    const { db, get } = this.context;
    if (get(PluginSwitches).isOff('payee', db.tenantId ?? '')) return undefined;
    const rule = await this.current();
    if (!rule) return undefined;
    const incomes = await this.incomesOf(rule, [...new Set(asked.map(({ userId }) => userId))]);
    return asked.map((payout): PayoutToWithhold => {
      const before = incomes.get(payout.userId) ?? { gross: 0, withheld: 0, months: 1 };
      const withheld = taxOn(rule, payout.amount, before);
      incomes.set(payout.userId, { ...before, gross: before.gross + payout.amount, withheld: before.withheld + withheld });
      return { ...payout, withheld };
    });
  });

  private async current(): Promise<WithholdingRuleRow | undefined> {
    const { validFrom } = this.rows.table;
    const [newest] = await withFullAccess(() =>
      this.rows.list(sql`${validFrom} = (select max(r.valid_from) from withholding_rule r where r.valid_from <= current_date and r.is_deleted = 0)`),
    );
    return newest;
  }

  /** Reads the income of payees in the current period: what was paid in it, and payouts that are open, which are taken as paid in it. */
  private async incomesOf({ basis }: WithholdingRuleRow, userIds: readonly string[]): Promise<Map<string, IncomeSoFar>> {
    if (basis === withholdingBases.payment) return new Map();
    const kind = basis === withholdingBases.month ? periodKinds.month : periodKinds.year;
    const period = basis === withholdingBases.month ? sql`to_char(current_date, 'YYYY-MM')` : sql`to_char(current_date, 'YYYY')`;
    const found = await queryRows<IncomeSoFar & { userId: string }>(
      this.context.db,
      sql`select u.id::text as "userId", (coalesce(paid.gross, 0) + open.gross)::float8 as gross, (coalesce(paid.withheld, 0) + open.withheld)::float8 as withheld,
            (1 + (select count(*) from payee_income m where m.user_id = u.id and m.kind = ${periodKinds.month} and m.payouts > 0
              and m.period like to_char(current_date, 'YYYY-') || '%' and m.period <> to_char(current_date, 'YYYY-MM')))::integer as months
          from unnest(${idArray(userIds)}) u (id)
          left join payee_income paid on paid.user_id = u.id and paid.kind = ${kind} and paid.period = ${period}
          cross join lateral (
            select coalesce(sum(p.amount), 0) as gross, coalesce(sum(p.withheld), 0) as withheld from payout p
            where p.user_id = u.id and p.state in (${awaiting}, ${processing})) open`,
    );
    return new Map(found.map(({ userId, ...income }) => [userId, income]));
  }

  private async assertUnused(rows: readonly WithholdingRuleRow[]): Promise<void> {
    for (const { validFrom, createTime } of rows) {
      const [found] = await queryRows<{ isUsed: boolean }>(
        this.context.db,
        sql`select exists (select from payout where create_time >= greatest(${validFrom}::date::timestamptz, ${createTime}::timestamptz)) as "isUsed"`,
      );
      if (found?.isUsed) throw new ApiError(withholdingProblems.ruleInUse);
    }
  }
}
