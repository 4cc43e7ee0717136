import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { ApiError } from '#shared/errors';
import { escapeFormula } from '#shared/formats';
import { bankFileProblems, lineOutcomes } from '../contract.ts';
import { bankTerms } from './bank-terms.ts';

/** Line of a payment file; the amount is in 分. */
export interface PaymentLine {
  readonly payNo: string;
  readonly name: string;
  readonly account: string;
  readonly bank: string | null;
  readonly amount: number;
  readonly remark: string;
}

/** Result of a payment as a bank reports it. */
export interface LineResult {
  readonly payNo: string;
  readonly outcome: typeof lineOutcomes.paid | typeof lineOutcomes.failed;
  readonly serialNo?: string | undefined;
  readonly reason?: string | undefined;
  /** Amount in 分, if the file has one. */
  readonly amount?: number | undefined;
}

/** Quotes a value, and prefixes a text that spreadsheets would run as a formula. */
const cell = (text: string) =>
  `"${escapeFormula(text)
    .replaceAll('"', '""')
    .replaceAll(/[\r\n]+/g, ' ')}"`;

/** Writes a payment file: UTF-8 with a byte order mark, one line per payment. */
export function writePaymentFile(lines: readonly PaymentLine[]): string {
  const { columns } = bankTerms;
  const row = ({ payNo, name, account, bank, amount, remark }: PaymentLine) => [payNo, name, account, bank ?? '', (amount / 100).toFixed(2), remark];
  return `\uFEFF${[Object.values(columns), ...lines.map(row)].map((values) => `${values.map(cell).join(',')}\r\n`).join('')}`;
}

/** Number of characters that are parsed in one turn of the event loop. */
const chunkLength = 16_384;
/** Matches a line that is too long for the result of a payment. */
const overlong = /[^\n]{2001}/;

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += chunkLength) {
    yield text.slice(start, start + chunkLength);
    await setImmediate();
  }
}

/** A line of a result file, with the error for a line that cannot be used. */
export type ReadResult = { readonly payNo: string } & ({ readonly result: LineResult } | { readonly error: ApiError });

/** Reads a result file; throws unless it has the columns of the number and the result. Further columns are ignored. */
export async function readResultFile(text: string): Promise<ReadResult[]> {
  const { results } = bankTerms;
  if (overlong.test(text)) throw new ApiError(bankFileProblems.noResults, { payNo: results.payNo, result: results.result });
  const [header = [], ...rows] = await parseLines(text);
  const column = (name: keyof typeof results) => header.indexOf(results[name]);
  if (column('payNo') < 0 || column('result') < 0) throw new ApiError(bankFileProblems.noResults, { payNo: results.payNo, result: results.result });
  return rows
    .map((row) => (name: keyof typeof results) => row[column(name)] || undefined)
    .flatMap((value) => {
      const payNo = value('payNo');
      return payNo ? [{ payNo, ...readLine(payNo, value) }] : [];
    });
}

async function parseLines(text: string): Promise<string[][]> {
  const parser = parse({ bom: true, trim: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  try {
    return await Readable.from(chunksOf(text)).pipe(parser).toArray();
  } catch (cause) {
    throw new ApiError(bankFileProblems.unreadable, {}, { cause });
  }
}

function readLine(payNo: string, value: (name: keyof typeof bankTerms.results) => string | undefined): { result: LineResult } | { error: ApiError } {
  const { paid, failed } = bankTerms;
  const result = value('result') ?? '';
  if (result !== paid && result !== failed) return { error: new ApiError(bankFileProblems.unknownResult, { result, paid, failed }) };
  const yuan = value('amount');
  const amount = yuan === undefined ? undefined : Math.round(Number(yuan.replaceAll(',', '')) * 100);
  if (amount !== undefined && !Number.isSafeInteger(amount)) return { error: new ApiError(bankFileProblems.wrongAmount, { amount: yuan ?? '' }) };
  const outcome = result === paid ? lineOutcomes.paid : lineOutcomes.failed;
  return { result: { payNo, outcome, amount, serialNo: value('serialNo')?.slice(0, 64), reason: value('reason')?.slice(0, 200) } };
}
