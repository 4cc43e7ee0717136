import { and, eq, sql } from 'drizzle-orm';
import { ApiError, problems, queryRows, type ServerContext, tableOf } from '#server';
import { Payout, payoutStates } from '../contract.ts';
import { type PaymentGateway, type ProviderNotice, ProviderPayouts, type SignedNotice, type TenantGateway, type TransferResult } from '../server-extension.ts';
import { errorNote, type Settlement } from './settlement.ts';
import { payoutStateSql } from './states.ts';

/** Retention of processed notifications; longer than a provider's signature is valid. */
const nonceRetention = '10 minutes';
const payouts = tableOf(Payout);

/** Payouts as their providers see them. A valid notification makes the server query the provider, and only that response is booked. */
export class SentPayouts extends ProviderPayouts {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly settlement: Settlement,
  ) {
    super();
  }

  async sendWaiting(): Promise<void> {
    await this.db.sql.execute(sql`update payout set next_try = now() where state = ${payoutStates.processing} and gateway = ''`);
  }

  countOpen(gateway: string): Promise<number> {
    const isOpen = sql`(${payouts.state} in (${payoutStateSql.awaiting}, ${payoutStateSql.processing}) or ${payouts.paidTime} > now() - interval '31 days')`;
    return this.db.sql.$count(payouts, and(eq(payouts.gateway, gateway), isOpen));
  }

  async receive(gateways: readonly TenantGateway[], notice: ProviderNotice): Promise<boolean> {
    for (const { tenantId, gateway } of gateways) {
      const signed = tryRead(gateway, notice);
      if (!signed || !(await this.isSentThrough(tenantId, gateway.name, signed.result.payNo))) continue;
      if (!(await this.recordNonce(tenantId, gateway, signed.nonce))) return false;
      const { payNo } = signed.result;
      if (await this.settlement.matchesOpenPayout(tenantId, signed.result)) await this.queryAndSettle(tenantId, gateway, payNo, signed.nonce);
      return true;
    }
    return false;
  }

  async settle(tenantId: string, gateway: string, result: TransferResult): Promise<void> {
    if (await this.isSentThrough(tenantId, gateway, result.payNo)) await this.settlement.settle(tenantId, result);
  }

  private async queryAndSettle(tenantId: string, gateway: PaymentGateway, payNo: string, nonce: string): Promise<void> {
    try {
      const result = await gateway.query(payNo);
      if (result) await this.settlement.settle(tenantId, result);
    } catch (error) {
      await this.settlement.recordFailure(tenantId, payNo, errorNote(error));
      // The provider notifies again with the same number.
      await this.db.write({ tenantId }, () => this.db.sql.execute(sql`delete from payment_notice where gateway = ${gateway.name} and nonce = ${nonce}`));
      throw new ApiError(problems.unavailable);
    }
  }

  private async isSentThrough(tenantId: string, name: string, payNo: string): Promise<boolean> {
    const isSent = and(eq(payouts.payNo, payNo), eq(payouts.gateway, name));
    return (await this.db.read({ tenantId }, () => this.db.sql.select({ id: payouts.id }).from(payouts).where(isSent))).length > 0;
  }

  private async recordNonce(tenantId: string, { name }: PaymentGateway, nonce: string): Promise<boolean> {
    const added = await this.db.write({ tenantId }, async () => {
      await this.db.sql.execute(sql`delete from payment_notice where time < now() - ${nonceRetention}::interval`);
      return queryRows(this.db, sql`insert into payment_notice (gateway, nonce) values (${name}, ${nonce}) on conflict do nothing returning nonce`);
    });
    return added.length > 0;
  }
}

function tryRead(gateway: PaymentGateway, notice: ProviderNotice): SignedNotice | undefined {
  try {
    return gateway.readNotice?.(notice);
  } catch {
    return undefined;
  }
}
