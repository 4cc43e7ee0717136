import { and, eq, sql } from 'drizzle-orm';
import { ApiError, problems, queryRows, type ServerContext, tableOf } from '#server';
import { Payout } from '../contract.ts';
import type { Channels } from './channels.ts';
import type { PaymentGateway, TransferResult } from './gateway.ts';
import type { Settlement } from './settlement.ts';
import type { WechatGateway } from './wechat-gateway.ts';
import type { SignedMessage } from './wechat-signing.ts';

/** Retention of processed notifications; a signature is valid for five minutes before and after its time. */
const nonceRetention = '10 minutes';
const payouts = tableOf(Payout);

/** Handles notifications of WeChat Pay. A valid one makes the server query the provider, and only that response is booked. */
export class Notices {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly channels: Channels,
    private readonly settlement: Settlement,
  ) {}

  /** Resolves false for a notification not signed by the payout's channel, or repeated. Throws while the provider cannot be queried, so that it notifies again. */
  async receive(notice: SignedMessage): Promise<boolean> {
    for (const { tenantId, gateway } of await this.channels.enabledWithKey(notice.serial)) {
      const result = tryRead(gateway, notice);
      if (!result || !(await this.isSentThrough(tenantId, gateway, result.payNo))) continue;
      if (!(await this.recordNonce(tenantId, gateway, notice.nonce))) return false;
      if (await this.settlement.matchesOpenPayout(tenantId, result)) await this.queryAndSettle(tenantId, gateway, result.payNo);
      return true;
    }
    return false;
  }

  private async queryAndSettle(tenantId: string, gateway: PaymentGateway, payNo: string): Promise<void> {
    try {
      const result = await gateway.query(payNo);
      if (result) await this.settlement.settle(tenantId, result);
    } catch (error) {
      await this.settlement.recordFailure(tenantId, payNo, (error as Error).message);
      throw new ApiError(problems.unavailable);
    }
  }

  private async isSentThrough(tenantId: string, { name }: PaymentGateway, payNo: string): Promise<boolean> {
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

function tryRead(gateway: WechatGateway, notice: SignedMessage): TransferResult | undefined {
  try {
    return gateway.read(notice);
  } catch {
    return undefined;
  }
}
