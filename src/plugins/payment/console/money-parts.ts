import { task } from '#plugins/task/contract';
import { type FigureRows, rowsOf } from '#shared/figures';
import type { LocalizedText } from '#shared/text';
import { type Funds, ledger, ledgerAccounts, payable, payout, payoutStates } from '../contract.ts';

/** Names of the amounts that make up the money of an advertiser. */
export type MoneyPartName = Exclude<keyof Funds, 'advertiserId' | 'name' | 'isLow' | 'available'>;

interface MoneyPart {
  readonly title: LocalizedText;
  readonly hint: LocalizedText;
  /** Rows that add up to the amount. */
  readonly rows?: (advertiserId: string) => FigureRows;
}

/** The amounts, each with the rows behind it. */
export const moneyParts: Readonly<Record<MoneyPartName, MoneyPart>> = {
  balance: {
    title: ['余额', 'Balance'],
    hint: ['已收款减去退款与付款', 'Receipts less refunds and payouts'],
    rows: (advertiserId) => rowsOf(ledger, { advertiserId, account: ledgerAccounts.advertiser }),
  },
  credit: { title: ['授信', 'Credit'], hint: ['余额用完后还可使用', 'Can be used beyond the balance'] },
  reserved: {
    title: ['已冻结', 'Reserved'],
    hint: ['已发布任务的剩余名额，以及尚未审核的领取', 'Free places of published tasks, and claims that are not reviewed yet'],
    rows: (advertiserId) => rowsOf(task, { advertiserId }),
  },
  owed: {
    title: ['待付', 'Owed'],
    hint: ['已通过、尚未付款', 'Approved and not paid yet'],
    rows: (advertiserId) => rowsOf(payable, { advertiserId }),
  },
  inTransit: {
    title: ['付款中', 'In transit'],
    hint: ['待复核或处理中的付款', 'Payouts that wait for approval or are being sent'],
    rows: (advertiserId) => rowsOf(payout, { advertiserId }),
  },
  paid: {
    title: ['已付', 'Paid'],
    hint: ['已完成的付款', 'Completed payouts'],
    rows: (advertiserId) => rowsOf(payout, { advertiserId, state: payoutStates.paid }),
  },
};
