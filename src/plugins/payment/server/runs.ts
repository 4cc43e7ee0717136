import { sql } from 'drizzle-orm';
import {
  ApiError,
  canSeeField,
  hasFullAccess,
  type Principal,
  problems,
  queryRows,
  type Repository,
  recordChange,
  repositoryOf,
  type ServerContext,
  visibleRows,
} from '#server';
import type { BatchResult, InputOf, ReplyOf } from '#shared/contract';
import type { Language } from '#shared/text';
import {
  type PayeeSum,
  PaymentRun,
  type PaymentRunRow,
  type PaymentSum,
  Payout,
  paymentProblems,
  type paymentRun,
  type RunShare,
  runStates,
} from '../contract.ts';
import type { Approvals } from './approvals.ts';
import type { Payments } from './payments.ts';
import { payoutStateSql } from './states.ts';

const maxShares = 100;

/** The runs that a user may see. The sums of a run are for users who may see all of its payouts. */
export function visibleRuns(db: ServerContext['db']): Repository<typeof PaymentRun> {
  return repositoryOf(db, PaymentRun, {
    where: () =>
      hasFullAccess(Payout.name)
        ? undefined
        : sql`not exists (select from payout p where p.tenant_id = payment_run.tenant_id and p.batch_no = payment_run.run_no and not (${visibleRows(db, Payout.name, 'p')}))`,
  });
}

/** Payment runs: the payouts of one request, decided and retried as a whole. */
export class PayRuns {
  readonly rows: Repository<typeof PaymentRun>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly payments: Payments,
    private readonly approvals: Approvals,
  ) {
    this.rows = visibleRuns(db);
  }

  async shares(id: string): Promise<RunShare[]> {
    const { runNo } = await this.rows.detail(id);
    // The order would reveal amounts that are hidden.
    const isShown = canSeeField(Payout.name, 'amount');
    const shares = await queryRows<RunShare>(
      this.db,
      sql`select p.advertiser_id::text as "advertiserId", a.name, count(*)::integer as payouts, count(distinct p.user_id)::integer as people, sum(p.amount)::float8 as amount
          from payout p join advertiser a on a.id = p.advertiser_id where p.batch_no = ${runNo} group by p.advertiser_id, a.name
          order by case when ${isShown}::boolean then sum(p.amount) end desc, a.name limit ${maxShares}`,
    );
    return isShown ? shares : shares.map((share) => ({ ...share, amount: null }));
  }

  /** Adds up the payouts of each payee, of one run alone, which an index finds. */
  async payees({ id, name = '', current = 1, size = 10 }: InputOf<typeof paymentRun.payees>): Promise<ReplyOf<typeof paymentRun.payees>> {
    const { runNo } = await this.rows.detail(id);
    const shown = (field: keyof typeof Payout.fields) => canSeeField(Payout.name, field);
    if (name && !shown('nickName')) throw new ApiError(problems.unknownFilter, { name: 'name' });
    const found = name ? sql`having position(lower(${name}) in lower(max(of_state.name))) > 0` : sql``;
    const rows = await queryRows<PayeeSum & { total: number }>(
      this.db,
      sql`select of_state.user_id::text as "userId", max(of_state.name) as name, sum(of_state.count)::integer as payouts, sum(of_state.amount)::float8 as amount,
            sum(of_state.withheld)::float8 as withheld, sum(of_state.net)::float8 as net,
            jsonb_agg(jsonb_build_object('state', of_state.state, 'count', of_state.count) order by of_state.state) as states, count(*) over ()::integer as total
          from (select user_id, state, max(nick_name) as name, count(*) as count, sum(amount) as amount, sum(withheld) as withheld, sum(net_amount) as net
                from payout where batch_no = ${runNo} group by user_id, state) of_state
          group by of_state.user_id ${found}
          order by case when ${shown('amount')}::boolean then sum(of_state.amount) end desc, case when ${shown('nickName')}::boolean then max(of_state.name) end, of_state.user_id
          limit ${size} offset ${(current - 1) * size}`,
    );
    const records = rows.map(
      ({ total: _, ...row }): PayeeSum => ({
        ...row,
        userId: shown('userId') ? row.userId : null,
        name: shown('nickName') ? row.name : null,
        amount: shown('amount') ? row.amount : null,
        withheld: shown('withheld') ? row.withheld : null,
        net: shown('netAmount') ? row.net : null,
        states: shown('state') ? row.states : [],
      }),
    );
    return { records, total: rows[0]?.total ?? 0 };
  }

  /** Judges what an approval of the run would send; changes nothing. */
  async total(principal: Principal, id: string, language: Language): Promise<PaymentSum> {
    return this.approvals.preview(principal, await this.awaiting(id), language);
  }

  async approve(principal: Principal, { id, expected }: InputOf<typeof paymentRun.approve>, language: Language): Promise<{ count: number }> {
    const ids = await this.awaiting(id);
    await this.approvals.approve(principal, { ids, ...(expected ? { expected } : {}) }, language);
    return { count: ids.length };
  }

  async reject(principal: Principal, id: string, reason: string | null): Promise<{ count: number }> {
    const ids = await this.awaiting(id);
    await this.approvals.reject(principal, ids, reason);
    await this.db.sql.execute(sql`update payment_run set reason = ${reason} where id = ${id}`);
    return { count: ids.length };
  }

  /** Takes a run with failed payouts as settled. */
  async close(id: string): Promise<void> {
    await this.settle(await this.failedRun(id));
  }

  /** Pays the submissions of failed payouts that were not paid again since. The run is settled once none is left out. */
  async retry(principal: Principal, id: string, language: Language): Promise<BatchResult> {
    const run = await this.failedRun(id);
    const failed = await queryRows<{ id: string }>(
      this.db,
      sql`select distinct p.submission_id::text as id from payout p where p.batch_no = ${run.runNo} and p.state = ${payoutStateSql.failed}
            and not exists (select from payout o where o.submission_id = p.submission_id and o.state in (${payoutStateSql.awaiting}, ${payoutStateSql.processing}, ${payoutStateSql.paid}))`,
    );
    const ids = failed.map((one) => one.id);
    const { rows = [] } = ids.length > 0 ? await this.payments.pay(principal, { ids, partial: true }, language) : {};
    if (rows.length === 0) await this.settle(run);
    return { done: ids.length - rows.length, total: ids.length, rows };
  }

  private async awaiting(id: string): Promise<string[]> {
    const { runNo } = await this.rows.detail(id);
    const found = await queryRows<{ id: string }>(
      this.db,
      sql`select id::text as id from payout where batch_no = ${runNo} and state = ${payoutStateSql.awaiting} and is_deleted = 0 order by id`,
    );
    if (found.length === 0) throw new ApiError(paymentProblems.runNotAwaiting, { runNo });
    return found.map((one) => one.id);
  }

  private async failedRun(id: string): Promise<PaymentRunRow> {
    const run = await this.rows.detail(id);
    if (run.state !== runStates.failed) throw new ApiError(paymentProblems.runNotFailed, { runNo: run.runNo });
    return run;
  }

  private async settle({ id }: PaymentRunRow): Promise<void> {
    await this.db.sql.execute(sql`update payment_run set resolved = true where id = ${id}`);
    recordChange({ entity: PaymentRun.name, id, before: { state: runStates.failed }, after: { state: runStates.done } });
  }
}
