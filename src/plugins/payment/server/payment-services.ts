import { eq, sql } from 'drizzle-orm';
import { PayoutListener } from '#plugins/task/server-extension';
import type { ServerContext } from '#server';
import { ApiError, type Principal, type Repository, recordChange, repositoryOf, tableOf } from '#server';
import { Difference, type DifferenceRow, differenceKinds, differenceStates, Payout, reconciliationProblems, unknownState } from '../contract.ts';
import type { PaymentGateway, TransferResult } from '../server-extension.ts';
import { Approvals } from './approvals.ts';
import { AutomaticPayments } from './automatic-payments.ts';
import { Closing } from './closing.ts';
import { compareStored, updateTotals } from './comparison.ts';
import { Dispatcher } from './dispatcher.ts';
import { AdvertiserFunds } from './funds.ts';
import { FundsNotices } from './funds-notices.ts';
import { Gateways } from './gateways.ts';
import { Ledger } from './ledger.ts';
import { LimitSettings, Limits } from './limits.ts';
import { Outcomes } from './outcomes.ts';
import { Payments } from './payments.ts';
import { Receipts } from './receipts.ts';
import { Reconciliations } from './reconciliations.ts';
import { PayRuns } from './runs.ts';
import { SentPayouts } from './sent-payouts.ts';
import { Settlement } from './settlement.ts';

const payouts = tableOf(Payout);

/** Resolves differences between payouts and statements. */
class Differences {
  readonly rows: Repository<typeof Difference>;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly settlement: Settlement,
    private readonly gateways: Gateways,
  ) {
    this.rows = repositoryOf(db, Difference);
  }

  /** Queries the provider of a payout and books the result. It opens its own transactions. */
  async query({ tenantId, userId }: Principal, id: string): Promise<DifferenceRow> {
    const scope = { tenantId };
    const { row, gateway } = await this.db.read(scope, async () => {
      const found = await this.openDifference(id);
      return { row: found, gateway: await this.gatewayOf(found.payNo) };
    });
    const result = await (await this.gateways.resolve(tenantId, gateway)).query(row.payNo);
    if (result) await this.settlement.settle(tenantId, result);
    return this.db.write(scope, async () => {
      await compareStored(this.db, tenantId, row.day);
      await this.recordAnswer(userId, row, result);
      await updateTotals(this.db, row.reconciliationId);
      return this.rows.detail(id);
    });
  }

  /** Closes a difference with a person's remark. */
  async close({ tenantId, userId }: Principal, id: string, remark: string): Promise<void> {
    await this.db.lock(`reconciliation of ${tenantId}`);
    const { reconciliationId } = await this.openDifference(id);
    await this.db.sql.execute(
      sql`update payment_difference set state = ${differenceStates.closed}, remark = ${remark}, handled_time = date_trunc('second', now()),
            handler_name = (select real_name from user_account where id = ${userId}) where id = ${id}`,
    );
    recordChange({ entity: Difference.name, id, before: { state: differenceStates.open }, after: { state: differenceStates.closed, remark } });
    await updateTotals(this.db, reconciliationId);
  }

  private async openDifference(id: string): Promise<DifferenceRow> {
    const row = await this.rows.detail(id);
    if (row.state !== differenceStates.open) throw new ApiError(reconciliationProblems.notOpen);
    return row;
  }

  private async gatewayOf(payNo: string): Promise<string> {
    const [payout] = await this.db.sql.select({ gateway: payouts.gateway }).from(payouts).where(eq(payouts.payNo, payNo));
    if (!payout) throw new ApiError(reconciliationProblems.unknownPayment);
    return payout.gateway;
  }

  /** A payout missing on the statement is settled when the provider itself confirms it. */
  private async recordAnswer(userId: string, { id, kind, ourAmount }: DifferenceRow, result: TransferResult | undefined): Promise<void> {
    const confirms = kind === differenceKinds.localOnly && result?.outcome === 'paid' && (result.amount ?? ourAmount) === ourAmount;
    const { open, settled } = differenceStates;
    await this.db.sql.execute(
      sql`update payment_difference set answer = ${(result?.state ?? unknownState).slice(0, 255)}, handled_time = date_trunc('second', now()),
            handler_name = (select real_name from user_account where id = ${userId}),
            state = case when state = ${open} and ${confirms} then ${settled}::integer else state end where id = ${id}`,
    );
  }
}

/** Overrides of the provider for tests. */
export interface TestOverrides {
  /** Provider for all tenants, regardless of their configurations. */
  readonly gateway?: PaymentGateway;
}

/** Builds the services of payment. */
export function paymentServices(context: ServerContext, { gateway }: TestOverrides) {
  const { db, get } = context;
  const ledger = new Ledger(db);
  const funds = new AdvertiserFunds(db);
  const limitSettings = new LimitSettings(db);
  const work = get(PayoutListener);
  const settlement = new Settlement(db, ledger, work, context.webhooks);
  const limits = new Limits(db, ledger, funds, limitSettings);
  const gateways = new Gateways(context, gateway);
  const payments = new Payments({ ...context, gateways }, { ledger, limits, listener: work });
  const approvals = new Approvals(db, ledger, work);
  return {
    ledger,
    closing: new Closing(db, ledger),
    funds,
    fundsNotices: new FundsNotices(context, funds),
    limitSettings,
    receipts: new Receipts(context, ledger, funds, limitSettings),
    gateways,
    payments,
    automatic: new AutomaticPayments(db, payments),
    approvals,
    outcomes: new Outcomes(context, { ledger, limits, settlement }),
    runs: new PayRuns(db, payments, approvals),
    sentPayouts: new SentPayouts(db, settlement),
    dispatcher: new Dispatcher(db, settlement, gateways),
    reconciliations: new Reconciliations(db, settlement, gateways),
    differences: new Differences(db, settlement, gateways),
  };
}
