import type { Static } from 'typebox';
import { actingAs, type Explanations, isHidden, type Principal } from '#server';
import { changeActionTitles } from '#shared/change-actions';
import { escapeFormula } from '#shared/formats';
import { type HistoryEntry, type HistoryExportInput, isTracked } from '#shared/history-schemas';
import { isEmpty, type Language, type LocalizedText, localize } from '#shared/text';
import { valuesOf } from './export-labels.ts';
import { fileName } from './export-name.ts';
import type { RunDeps } from './export-run.ts';
import type { TransferContext } from './runner.ts';
import type { TransferTarget } from './sheet-forms.ts';
import { type Cell, cellOf, columnsOf, displayText, type SheetColumn } from './sheets/cells.ts';
import { csvOf, xlsxOf } from './sheets/sheet-writer.ts';
import { retentionHours, type TransferOutcome, type TransferRecord } from './transfer-rows.ts';

/** Stored input of an export of a record's history. */
export type HistoryRequest = Static<typeof HistoryExportInput>;

type StoredEntry = Omit<HistoryEntry, 'title'>;

const pageSize = 100;

const messages = {
  name: ['{title}-变更历史', '{title} - history'],
  time: ['时间', 'Time'],
  user: ['操作人', 'User'],
  action: ['操作', 'Action'],
  call: ['接口', 'Call'],
  field: ['字段', 'Field'],
  from: ['原值', 'From'],
  to: ['新值', 'To'],
  system: ['系统', 'System'],
} as const satisfies Record<string, LocalizedText>;

/** Names the export of a history after the list of its record. */
export const historyTitle = ({ title: [zh, en] }: TransferTarget): LocalizedText => [
  localize(messages.name, 'zh', { title: zh }),
  localize(messages.name, 'en', { title: en }),
];

/** Writes the changes of a record to a file, a line for each field, with the labels that the console shows. */
export async function runHistoryExport(
  deps: RunDeps & { readonly explanations: Pick<Explanations, 'titleOf'> },
  target: TransferTarget,
  record: TransferRecord,
  context: TransferContext,
): Promise<TransferOutcome> {
  const { db, files, owner } = deps;
  const { tenantId, ownerId, language } = record;
  const { id, format } = record.request as HistoryRequest;
  const columns = await historyColumns(deps, target, record);
  const formatValue = createValueFormat(deps, owner, language);
  let count = 0;
  const rows = async function* () {
    let cursor: string | undefined;
    do {
      context.signal.throwIfAborted();
      const page = { id, size: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      const { records, next } = await actingAs(owner, () => db.read({ tenantId }, () => target.repository.history(page)));
      for (const entry of records) {
        const lines = await linesOf(entry, columns, formatValue);
        const common = entryCells(deps, entry, language);
        count += lines.length;
        yield lines.map((line) => [...common, ...line]);
      }
      context.report(count);
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  };
  const { time, user, action, call, field, from, to } = messages;
  const headings = [time, user, action, call, field, from, to].map((heading) => ({ title: localize(heading, language) }));
  const content = format === 'csv' ? csvOf(headings, rows()) : xlsxOf(headings, rows());
  const name = fileName([localize(record.title, language)], `_${id}.${format}`);
  const file = await files.save(name, content, { tenantId, userId: ownerId, purpose: 'transfer', hours: retentionHours });
  if (context.signal.aborted) await files.remove(tenantId, [file.id]);
  context.signal.throwIfAborted();
  return { state: 'done', total: count, good: count, resultFileId: file.id };
}

async function historyColumns({ dictionaries, owner }: RunDeps, { entity }: TransferTarget, { tenantId, language }: TransferRecord) {
  const fields = actingAs(owner, () =>
    Object.entries({ ...entity.fields, ...entity.related }).filter(([name, schema]) => isTracked(name, schema) && !isHidden(entity, name)),
  );
  const entries = await dictionaries.of(
    tenantId,
    fields.map(([, schema]) => schema),
  );
  return new Map(columnsOf(Object.fromEntries(fields), language, entries).map((column) => [column.name, column]));
}

type FormatValue = (column: SheetColumn, value: unknown) => Promise<string>;

/** Returns a function that formats values as the console does: labels of references, dictionaries and options, and amounts in yuan. */
function createValueFormat({ references }: RunDeps, owner: Principal, language: Language): FormatValue {
  const reader = references.of(owner, language);
  return async (column, value) => {
    if (isEmpty(value)) return '';
    if (column.traits.reference) {
      const labels: string[] = [];
      for (const one of valuesOf(value)) labels.push((await reader.labelOf(column.traits, one, {})) ?? one);
      return escapeFormula(labels.join(language === 'zh' ? '、' : ', '));
    }
    return displayText(cellOf(column, value, language), column.traits.widget);
  };
}

function entryCells({ explanations }: { readonly explanations: Pick<Explanations, 'titleOf'> }, entry: StoredEntry, language: Language): Cell[] {
  const { time, userName, action, method, path } = entry;
  const call = method && path ? explanations.titleOf(method, path) : undefined;
  const user = userName ?? localize(messages.system, language);
  return [time.slice(0, 19), escapeFormula(user), localize(changeActionTitles[action], language), call ? localize(call, language) : path];
}

/** Returns the cells of each changed field; a change without fields is one line. */
async function linesOf({ fields }: StoredEntry, columns: ReadonlyMap<string, SheetColumn>, formatValue: FormatValue): Promise<Cell[][]> {
  const lines: Cell[][] = [];
  for (const [name, [from, to]] of Object.entries(fields)) {
    const column = columns.get(name);
    if (column) lines.push([column.title, await formatValue(column, from), await formatValue(column, to)]);
  }
  return lines.length > 0 ? lines : [['', '', '']];
}
