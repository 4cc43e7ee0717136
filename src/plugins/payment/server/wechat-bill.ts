import type { StatementLine } from './gateway.ts';
import { fundBill } from './wechat-terms.ts';

const { columns, summary, expense, transfer, fee } = fundBill;
const ownNumber = /^P\d{10,}$/;

/**
 * Parses the transfers to people in a fund bill of WeChat Pay, whose amounts are in yuan; throws for any other text. Each value starts with a backtick, which separates values
 * because commas within them are not escaped.
 */
export function parseFundBill(text: string): StatementLine[] {
  const [first = '', ...others] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = first.split(',').map((title) => title.trim());
  const end = others.findIndex((line) => line.startsWith(summary));
  const rows = others.slice(0, end < 0 ? others.length : end).filter((line) => line.startsWith('`'));
  const columnIndex = (title: string) => header.findIndex((name) => name.startsWith(title));
  const columnIndexes = Object.fromEntries(Object.entries(columns).map(([name, title]) => [name, columnIndex(title)])) as Record<keyof typeof columns, number>;
  if (Object.values(columnIndexes).includes(-1)) throw new Error(`not a fund bill: ${text.slice(0, 60)}`);
  return rows.flatMap((line) => {
    const row = line.slice(1).split(',`');
    const value = (name: keyof typeof columns) => (row[columnIndexes[name]] ?? '').trim();
    const isTransfer = ownNumber.test(value('voucher')) || `${value('business')}${value('kind')}`.includes(transfer);
    const isFee = value('kind').includes(fee);
    if (!isTransfer || isFee) return [];
    const fen = Math.round(Number(value('amount')) * 100);
    if (!Number.isSafeInteger(fen)) throw new Error(`invalid amount in the fund bill: ${value('amount').slice(0, 20)}`);
    return [
      { payNo: value('voucher') || value('providerNo'), providerNo: value('providerNo') || undefined, amount: value('direction') === expense ? fen : -fen },
    ];
  });
}
