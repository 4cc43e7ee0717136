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
  async record(tenantId: string, { advertiserId, amount, remark, voucher }: InputOf<typeof ledger.submit>): Promise<LedgerRow> {
    if (amount === 0) throw new ApiError(paymentProblems.zeroAmount, {}, { field: 'amount' });
    await this.ledger.lock(tenantId);
    if (amount < 0) await this.db.lock(publishingLock(tenantId));
    if (!(await this.ledger.fundsOf(advertiserId))) throw new ApiError(paymentProblems.noAdvertiser, {}, { field: 'advertiserId' });
    if (amount < 0) await this.assertRefundable(advertiserId, -amount);
    const { advertiser, received } = ledgerAccounts;
    const files = await this.storedFiles(voucher ?? []);
    const entryId = await this.ledger.move(
      amount > 0
        ? { kind: entryKinds.received, from: received, to: advertiser, advertiserId, amount, remark, voucher: files }
        : { kind: entryKinds.refunded, from: advertiser, to: received, advertiserId, amount: -amount, remark, voucher: files },
    );
    return (await this.ledger.rows.find({ entryId, account: advertiser })) as LedgerRow;
  }

  /** Reverses a receipt or a refund, once. The reversal of a receipt leaves what is reserved and owed, as a refund does. */
  async reverse(tenantId: string, { id, remark }: InputOf<typeof ledger.reverse>): Promise<LedgerRow> {
    await this.ledger.lock(tenantId);
    await this.db.lock(publishingLock(tenantId));
    const { advertiser, received } = ledgerAccounts;
    const { entryId } = await this.ledger.rows.detail(id);
    const posting = await this.ledger.rows.find({ entryId, account: advertiser });
    if (!posting || (posting.kind !== entryKinds.received && posting.kind !== entryKinds.refunded)) throw new ApiError(paymentProblems.notReversible);
    if (await this.ledger.rows.find({ reverses: entryId, account: advertiser })) throw new ApiError(paymentProblems.alreadyReversed);
    const { advertiserId, amount } = posting;
    if (amount > 0) await this.assertRefundable(advertiserId, amount);
    const [from, to] = amount > 0 ? [advertiser, received] : [received, advertiser];
    const reversal = await this.ledger.move({ kind: entryKinds.reversed, from, to, advertiserId, amount: Math.abs(amount), remark, reverses: entryId });
    return (await this.ledger.rows.find({ entryId: reversal, account: advertiser })) as LedgerRow;
  }

  private storedFiles(links: readonly string[]): Promise<string[]> {
    return Promise.all(links.map(async (link) => (await this.db.links?.toStored(link, [])) ?? link));
  }

  private async assertRefundable(advertiserId: string, amount: number): Promise<void> {
    const [found] = await this.funds.of([advertiserId]);
    const { balance = 0, reserved = 0, owed = 0 } = found ?? {};
    const refundable = Math.max(0, balance - reserved - owed);
    if (amount > refundable) throw new ApiError(paymentProblems.refundTooLarge, { balance: yuan(refundable) }, { field: 'amount' });
  }
}
