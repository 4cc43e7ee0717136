import { ApiError } from '#server';
import { traitsOf } from '#shared/fields';
import { Payee, reportProblems } from '../contract.ts';

/** Row of a report without the document number, which is stored encrypted. Amounts in 分. */
export interface SnapshotRow {
  readonly no: number;
  readonly userId: string;
  readonly name: string | null;
  readonly documentKind: number | null;
  readonly quarter: string;
  readonly from: string;
  readonly to: string;
  readonly payouts: number;
  readonly gross: number;
  readonly withheld: number;
}

/** Row of a report with the values that a column can have. */
export interface FileRow extends SnapshotRow {
  readonly documentNo: string | null;
}

interface ReportColumn {
  readonly title: string;
  readonly cellOf: (row: FileRow) => string;
}

/** Columns of tenants that have entered no format: identity and income as 国务院令第 810 号 names them. */
export const standardColumns = [
  '序号 = no',
  '姓名 = name',
  '证件类型 = documentKind',
  '证件号码 = documentNo',
  '所属期起 = from',
  '所属期止 = to',
  '收入总额（元） = gross',
  '代扣税款（元） = withheld',
  '实付金额（元） = net',
  '交易笔数 = payouts',
].join('\n');

const kinds = new Map((traitsOf(Payee.fields.documentKind)?.options ?? []).map(([kind, [title]]) => [kind, title]));
const yuan = (fen: number): string => `${fen < 0 ? '-' : ''}${Math.floor(Math.abs(fen) / 100)}.${String(Math.abs(fen) % 100).padStart(2, '0')}`;
const amounts = {
  gross: (row: FileRow) => row.gross,
  withheld: (row: FileRow) => row.withheld,
  net: (row: FileRow) => row.gross - row.withheld,
};
const values: Readonly<Record<string, (row: FileRow) => string>> = {
  no: ({ no }) => String(no),
  userId: ({ userId }) => userId,
  name: ({ name }) => name ?? '',
  documentKind: ({ documentKind }) => kinds.get(documentKind ?? 0) ?? '',
  documentCode: ({ documentKind }) => String(documentKind ?? ''),
  documentNo: ({ documentNo }) => documentNo ?? '',
  quarter: ({ quarter }) => quarter,
  from: ({ from }) => from,
  to: ({ to }) => to,
  payouts: ({ payouts }) => String(payouts),
  ...Object.fromEntries(
    Object.entries(amounts).flatMap(([name, of]) => [
      [name, (row: FileRow) => yuan(of(row))],
      [`${name}:fen`, (row: FileRow) => String(of(row))],
    ]),
  ),
};

/** Reads the columns of a format; throws for a line that is none. */
export function columnsOf(text: string): ReportColumn[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const [, title, constant, field] = /^\s*([^=]+?)\s*=\s*(?:"([^"]*)"|([\w:]+))\s*$/.exec(line) ?? [];
    const cellOf = constant === undefined ? (Object.hasOwn(values, field ?? '') ? values[field ?? ''] : undefined) : () => constant;
    if (!title || !cellOf) throw new ApiError(reportProblems.wrongColumn, { line: index + 1 }, { field: 'columns' });
    return { title, cellOf };
  });
}

/** Writes lines of CSV; a text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvLines(columns: readonly ReportColumn[], rows: readonly FileRow[], withTitles: boolean): string {
  const cell = (text: string) => `"${(/^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;
  const titles = withTitles ? `\uFEFF${line(columns.map(({ title }) => title))}` : '';
  return titles + rows.map((row) => line(columns.map(({ cellOf }) => cellOf(row)))).join('');
}
