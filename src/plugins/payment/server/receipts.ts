import { publishingLock } from '#plugins/task/server-extension';
import { ApiError, type ServerContext } from '#server';
import type { InputOf } from '#shared/contract';
import { entryKinds, type LedgerRow, type ledger, ledgerAccounts, paymentProblems } from '../contract.ts';
import type { AdvertiserFunds } from './funds.ts';
import type { Ledger } from './ledger.ts';
import { yuan } from './yuan.ts';

/** Records money received from advertisers and refunded to them. */
export class Receipts {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly ledger: Ledger,
    private readonly funds: AdvertiserFunds,
  ) {}

  /** Returns the posting on the advertiser's account. A refund leaves what is reserved and owed. */
  async record(tenantId: string, { advertiserId, amount, remark }: InputOf<typeof ledger.submit>): Promise<LedgerRow> {
    if (amount === 0) throw new ApiError(paymentProblems.zeroAmount, {}, { field: 'amount' });
    await this.ledger.lock(tenantId);
    if (amount < 0) await this.db.lock(publishingLock(tenantId));
    if (!(await this.ledger.fundsOf(advertiserId))) throw new ApiError(paymentProblems.noAdvertiser, {}, { field: 'advertiserId' });
    if (amount < 0) await this.assertRefundable(advertiserId, -amount);
    const { advertiser, received } = ledgerAccounts;
    const entryId = await this.ledger.move(
      amount > 0
        ? { kind: entryKinds.received, from: received, to: advertiser, advertiserId, amount, remark }
        : { kind: entryKinds.refunded, from: advertiser, to: received, advertiserId, amount: -amount, remark },
    );
    return (await this.ledger.rows.find({ entryId, account: advertiser })) as LedgerRow;
  }

  private async assertRefundable(advertiserId: string, amount: number): Promise<void> {
    const [found] = await this.funds.of([advertiserId]);
    const { balance = 0, reserved = 0, owed = 0 } = found ?? {};
    const refundable = Math.max(0, balance - reserved - owed);
    if (amount > refundable) throw new ApiError(paymentProblems.refundTooLarge, { balance: yuan(refundable) }, { field: 'amount' });
  }
}
