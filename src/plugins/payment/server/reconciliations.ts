import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type Repository, repositoryOf, type ServerContext } from '#server';
import { dayStates, Reconciliation, type ReconciliationRow, reconciliationProblems } from '../contract.ts';
import type { PaymentGateway, StatementLine } from '../server-extension.ts';
import { compareDay } from './comparison.ts';
import type { Gateways } from './gateways.ts';
import { errorNote, type Settlement } from './settlement.ts';
import { payoutStateSql } from './states.ts';

/** Time of the next day from which providers' statements are available. */
const statementsFrom = '10:00';
const maxDaysBack = 7;
const batchSize = 5;
const maxSettled = 200;
/** Days after its own for which an empty statement is not believed, although payouts of the day are paid. */
const emptyStatementDays = 3;

/** Compares days with the providers' statements, once automatically and again on request. */
export class Reconciliations {
  readonly rows: Repository<typeof Reconciliation>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly settlement: Settlement,
    private readonly gateways: Gateways,
  ) {
    this.rows = repositoryOf(db, Reconciliation);
  }

  /** Compares the due days of all tenants; a day whose statement is not available waits for another try. */
  async runOnce(signal?: AbortSignal): Promise<void> {
    for (const { tenantId, day } of await this.due()) {
      if (signal?.aborted) return;
      await this.compare(tenantId, day);
    }
  }

  /** Opens its own transactions, so that no lock is held while waiting for a provider. */
  async compare(tenantId: string, day: string): Promise<ReconciliationRow> {
    const scope = { tenantId };
    try {
      const lines = await this.statementLines(tenantId, day);
      await this.settleProcessing(tenantId, lines);
      await this.db.write(scope, () => compareDay(this.db, tenantId, day, lines));
    } catch (error) {
      await this.db.write(scope, () => this.awaitStatement(day, errorNote(error)));
    }
    return this.db.read(scope, async () => (await this.rows.find({ day })) as ReconciliationRow);
  }

  /** Takes due days; after a crash they become due again. */
  private due(): Promise<{ tenantId: string; day: string }[]> {
    return this.db.asPlatform('reconciles days of all tenants', async () => {
      await this.db.sql.execute(
        sql`insert into payment_reconciliation (tenant_id, day, next_try)
            select t.tenant_id, d::date, now() from tenant t
            cross join generate_series(current_date - ${maxDaysBack}::integer, current_date - case when localtime >= ${statementsFrom}::time then 1 else 2 end, interval '1 day') d
            where not exists (select from payment_reconciliation r where r.tenant_id = t.tenant_id and r.day = d::date)
              and exists (select from payout p where p.tenant_id = t.tenant_id and p.is_deleted = 0 and p.create_time < d + interval '1 day')
            order by d on conflict do nothing`,
      );
      return queryRows<{ tenantId: string; day: string }>(
        this.db,
        sql`update payment_reconciliation set tries = tries + 1, next_try = now() + make_interval(mins => least(360, 10 * 2 ^ least(tries, 8))::integer)
            where id in (select id from payment_reconciliation where next_try <= now()
                or next_try is null and compared_time < day + interval '34 hours' and localtimestamp >= day + interval '34 hours' order by next_try limit ${batchSize} for update skip locked)
            returning tenant_id as "tenantId", day::text as day`,
      );
    });
  }

  /** Returns the statement lines of all providers that may have paid for the tenant; lines of other tenants of a shared merchant are left out. */
  private async statementLines(tenantId: string, day: string): Promise<StatementLine[]> {
    const gateways = await this.gateways.ofDay(tenantId, day);
    const statements = await Promise.all(gateways.map((gateway) => gateway.statement(day)));
    const lines = statements.flat();
    const empty = gateways.filter((_, index) => statements[index]?.length === 0);
    await this.assertReady(tenantId, day, empty, lines);
    const others = await this.db.asPlatform('excludes bills of other tenants with the same merchant', () =>
      queryRows<{ payNo: string }>(
        this.db,
        sql`select p.pay_no as "payNo" from jsonb_array_elements_text(${JSON.stringify(lines.map(({ payNo }) => payNo))}::jsonb) as told (no)
            join payout p on p.pay_no = told.no where p.tenant_id <> ${tenantId}`,
      ),
    );
    const otherNumbers = new Set(others.map(({ payNo }) => payNo));
    return lines.filter(({ payNo }) => !otherNumbers.has(payNo));
  }

  /** Throws while a statement is empty although the books have paid payouts of its provider that are on no statement: it is probably late. */
  private async assertReady(tenantId: string, day: string, empty: readonly PaymentGateway[], lines: readonly StatementLine[]): Promise<void> {
    const providers = JSON.stringify(empty.map(({ name }) => name.split(':')[0]));
    const numbers = JSON.stringify(lines.map(({ payNo }) => payNo));
    const paid = await this.db.read({ tenantId }, () =>
      queryRows(
        this.db,
        sql`select 1 from payout p where p.is_deleted = 0 and p.state = ${payoutStateSql.paid} and p.paid_time >= ${day}::date and p.paid_time < ${day}::date + 1
              and split_part(p.gateway, ':', 1) in (select jsonb_array_elements_text(${providers}::jsonb))
              and p.pay_no not in (select jsonb_array_elements_text(${numbers}::jsonb)) and current_date <= ${day}::date + ${emptyStatementDays}::integer limit 1`,
      ),
    );
    if (paid.length > 0) throw new ApiError(reconciliationProblems.emptyStatement);
  }

  /** Queries payouts first that are on the statement but still in progress here. */
  private async settleProcessing(tenantId: string, lines: readonly StatementLine[]): Promise<void> {
    const open = await this.db.read({ tenantId }, () =>
      queryRows<{ payNo: string; gateway: string }>(
        this.db,
        sql`select p.pay_no as "payNo", p.gateway from jsonb_array_elements_text(${JSON.stringify(lines.map(({ payNo }) => payNo))}::jsonb) as told (no)
            join payout p on p.pay_no = told.no where p.state = ${payoutStateSql.processing} limit ${maxSettled}`,
      ),
    );
    for (const { payNo, gateway } of open) {
      const result = await (await this.gateways.resolve(tenantId, gateway)).query(payNo);
      if (result) await this.settlement.settle(tenantId, result);
    }
  }

  private async awaitStatement(day: string, reason: string): Promise<void> {
    await this.db.sql.execute(
      sql`insert into payment_reconciliation as kept (day, state, note, next_try) values (${day}, ${dayStates.awaitingStatement}, ${reason.slice(0, 255)}, now() + interval '10 minutes')
          on conflict (tenant_id, day) do update set note = excluded.note, next_try = case when kept.state = ${dayStates.awaitingStatement} then coalesce(kept.next_try, excluded.next_try) end`,
    );
  }
}
