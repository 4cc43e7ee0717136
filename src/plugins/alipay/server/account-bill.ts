import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import yauzl from 'yauzl';
import type { StatementLine } from '#plugins/payment/server-extension';
import { accountBill } from './alipay-terms.ts';

const { columns, transfer, fee } = accountBill;
const payNoPattern = /^P\d{10,}$/;
const maxUnpackedBytes = 200 * 1024 * 1024;
const gbk = new TextDecoder('gbk');

/** Returns the transfers to people in the archive of an account bill; throws for any other file. The archive also contains sums, which have other columns. */
export async function readAccountBill(archive: Buffer): Promise<StatementLine[]> {
  const bills = (await unpack(archive)).map(parseBill).filter((bill) => bill !== undefined);
  if (bills.length === 0) throw new Error('the archive has no account bill');
  return bills.flat();
}

/** Returns the texts of the files, which are in GBK. */
async function unpack(archive: Buffer): Promise<string[]> {
  const texts: string[] = [];
  const zip = await yauzl.fromBufferPromise(archive, { decodeStrings: false });
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += entry.uncompressedSize;
    if (bytes > maxUnpackedBytes) throw new Error('the account bill is too large');
    texts.push(gbk.decode(await buffer(await zip.openReadStreamPromise(entry))));
  }
  return texts;
}

/** Returns undefined for a file with other columns. Lines with a number sign are comments around the table. */
function parseBill(text: string): StatementLine[] | undefined {
  const table = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n');
  const [header = [], ...rows] = parse(table, { relax_column_count: true, trim: true }) as string[][];
  const indexes = Object.fromEntries(Object.entries(columns).map(([name, title]) => [name, header.findIndex((one) => one.startsWith(title))])) as Record<
    keyof typeof columns,
    number
  >;
  if (Object.values(indexes).includes(-1)) return undefined;
  return rows.flatMap((row) => {
    const value = (name: keyof typeof columns) => row[indexes[name]]?.trim() ?? '';
    const isTransfer = payNoPattern.test(value('payNo')) || value('kind').includes(transfer);
    if (!isTransfer || value('kind').includes(fee)) return [];
    const fen = (name: 'income' | 'expense') => Math.round(Math.abs(Number(value(name) || 0)) * 100);
    const amount = fen('expense') - fen('income');
    if (!Number.isSafeInteger(amount)) throw new Error(`invalid amount in the account bill: ${value('expense').slice(0, 20)}`);
    return [{ payNo: value('payNo') || value('providerNo'), providerNo: value('providerNo') || undefined, amount }];
  });
}
