import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReferenceReader, ServerContext } from '#server';
import { ApiError } from '#shared/errors';
import type { Rule } from '#shared/rules';
import type { Language } from '#shared/text';
import { localize } from '#shared/text';
import type { ImportPreview } from '#shared/transfer-schemas';
import { isTotal } from './money-totals.ts';
import { transferProblems } from './problems.ts';
import { type ColumnMapping, type FormColumn, formOfRow, mappingOf, maskSecrets, textsOf } from './sheet-forms.ts';
import type { SheetRow } from './sheets/cells.ts';
import { sheetRows } from './sheets/sheet-reader.ts';
import { isExample } from './template.ts';

type SourceFiles = ServerContext['files'];
/** A stored file with its name, type and size. */
export type SourceFile = NonNullable<Awaited<ReturnType<SourceFiles['find']>>>;

const maxPreviewRows = 10;
/** Maximum number of characters of a cell in a preview. */
const maxCellLength = 200;
const truncate = (text: string) => (text.length > maxCellLength ? `${text.slice(0, maxCellLength)}…` : text);

/** Copies a stored file to a temporary folder of this machine until `work` has finished. */
export async function withLocalCopy<Result>(files: SourceFiles, file: SourceFile, work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-sheet-'));
  try {
    const path = join(folder, 'sheet');
    await pipeline(await files.open(file), createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the headings of a sheet, and its rows one by one except the example row of a template and the totals of an export. */
export async function openSheet(path: string): Promise<{ headings: readonly string[]; rows: AsyncGenerator<SheetRow> }> {
  const rows = sheetRows(path);
  const head = await rows.next();
  if (head.done) throw new ApiError(transferProblems.noRows);
  return { headings: textsOf(head.value, head.value.cells.length), rows: importedRows(rows) };
}

async function* importedRows(rows: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  for await (const row of rows) if (!isExample(row) && !isTotal(row)) yield row;
}

interface PreviewOptions {
  readonly columns: readonly FormColumn[];
  readonly rules: readonly Rule[];
  readonly mapping: ColumnMapping | undefined;
  readonly references: ReferenceReader;
  readonly language: Language;
  readonly fileId: string;
}

/** Previews the import of a sheet, with the given mapping or one derived from its headings. */
export async function previewSheet(path: string, { columns, rules, mapping, references, language, fileId }: PreviewOptions): Promise<ImportPreview> {
  const { headings, rows } = await openSheet(path);
  const usedMapping = mapping ?? mappingOf(headings, columns);
  const shown: ImportPreview['rows'] = [];
  let total = 0;
  for await (const row of rows) {
    total += 1;
    if (shown.length >= maxPreviewRows) continue;
    const { problems } = await formOfRow(columns, usedMapping, row, references, rules);
    shown.push({
      row: row.row,
      cells: maskSecrets(textsOf(row, headings.length), columns, usedMapping).map(truncate),
      problems: problems.map(({ field, message }) => ({ field, message: localize(message, language) })),
    });
  }
  if (total === 0) throw new ApiError(transferProblems.noRows);
  return {
    fileId,
    total,
    columns: [...headings],
    mapping: usedMapping.map((one) => ({ ...one })),
    fields: columns.map(({ name, title, required }) => ({ name, title, required })),
    rows: shown,
  };
}
