import type { ServerContext } from '#server';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { openSheet } from './import-source.ts';
import { type FormColumn, type Mapping, type RowProblem, textsOf, withoutSecrets } from './sheet-forms.ts';
import { safeText } from './sheets/cells.ts';
import { xlsxOf } from './sheets/sheet-writer.ts';
import { retentionHours, type TransferRecord } from './transfer-rows.ts';

const problemSheetMessages = {
  row: ['行号', 'Row'],
  reason: ['错误原因', 'Error'],
  file: ['{title}-导入错误', '{title} - import errors'],
} as const satisfies Record<string, LocalizedText>;

/** Stores the rejected rows as a sheet that can be corrected and imported again; undefined if none was rejected. */
export async function saveProblemSheet(
  files: ServerContext['files'],
  {
    record,
    path,
    columns,
    mapping,
    problems,
  }: { record: TransferRecord; path: string; columns: readonly FormColumn[]; mapping: Mapping; problems: readonly RowProblem[] },
): Promise<string | undefined> {
  if (problems.length === 0) return undefined;
  const { tenantId, ownerId, language } = record;
  const { headings, rows } = await openSheet(path);
  const reasons = reasonsOf(problems, columns, language);
  const refused = async function* () {
    for await (const row of rows) {
      const reason = reasons.get(row.row);
      if (reason !== undefined) yield [[...withoutSecrets(textsOf(row, headings.length), columns, mapping).map(safeText), row.row, reason]];
    }
  };
  const titles = [...headings, localize(problemSheetMessages.row, language), localize(problemSheetMessages.reason, language)].map((title) => ({ title }));
  const name = `${localize(problemSheetMessages.file, language, { title: localize(record.title, language) })}.xlsx`;
  const file = await files.save(name, xlsxOf(titles, refused()), { tenantId, userId: ownerId, purpose: 'transfer', hours: retentionHours });
  return file.id;
}

/** Joins all problems of each row, in the order of its fields. */
function reasonsOf(problems: readonly RowProblem[], columns: readonly FormColumn[], language: Language): ReadonlyMap<number, string> {
  const order = new Map(columns.map(({ name }, index) => [name, index]));
  const reasons = new Map<number, string>();
  for (const { row, words: reason } of [...problems].sort((a, b) => (order.get(a.field) ?? 0) - (order.get(b.field) ?? 0))) {
    const before = reasons.get(row);
    reasons.set(row, before === undefined ? localize(reason, language) : `${before}${language === 'zh' ? ';' : '; '}${localize(reason, language)}`);
  }
  return reasons;
}
