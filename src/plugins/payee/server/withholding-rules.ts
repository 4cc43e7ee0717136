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
import { periodKinds, WithholdingRule, type WithholdingRuleRow, withholdingBases, withholdingProblems } from '../contract.ts';
import { bandsOf, type IncomeSoFar, taxOn } from './withholding.ts';

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
