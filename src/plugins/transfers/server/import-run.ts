import { sql } from 'drizzle-orm';
import { actingAs, changingThrough, collectPasswords, flushChanges, queryRows, type ReferenceReader } from '#server';
import { ApiError, problems as common } from '#shared/errors';
import { escapeFormula } from '#shared/formats';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { ImportInput } from '#shared/transfer-schemas';
import type { RunDeps } from './export-run.ts';
import { openSheet, withLocalCopy } from './import-source.ts';
import { transferProblems } from './problems.ts';
import type { TransferContext } from './runner.ts';
import { type FormColumn, formColumns, formOfRow, type LocalizedRowProblem, maskSecrets, type TransferTarget, textsOf } from './sheet-forms.ts';
import type { SheetRow } from './sheets/cells.ts';
import { xlsxOf } from './sheets/sheet-writer.ts';
import { isClaimed, retentionHours, type TransferOutcome, type TransferRecord } from './transfer-rows.ts';

const chunkSize = 500;
/** Rows read at a time, so that a long sheet leaves time for requests. */
const rowsPerTurn = 50;
/** Maximum number of problems shown; the problem sheet contains all of them. */
const maxProblemsStored = 200;

interface ImportRun {
  readonly deps: RunDeps;
  readonly target: TransferTarget;
  readonly record: TransferRecord;
  readonly request: ImportInput;
  readonly columns: readonly FormColumn[];
  readonly references: ReferenceReader | undefined;
  readonly path: string;
  readonly context: TransferContext;
}

interface SheetChunk {
  readonly forms: readonly { readonly row: number; readonly form: object }[];
  readonly problems: readonly LocalizedRowProblem[];
  /** Number of data rows up to the end of this chunk. */
  readonly read: number;
}

/** Imports the rows of a sheet: all rows or none in one transaction, or only the valid ones, chunk by chunk. */
export async function runImport(deps: RunDeps, target: TransferTarget, record: TransferRecord, context: TransferContext): Promise<TransferOutcome> {
  const { tenantId, language } = record;
  const request = record.request as ImportInput;
  const file = await deps.files.find(tenantId, request.fileId);
  if (!file) throw new ApiError(common.notFound);
  const columns = formColumns(target, language, await deps.dictionaries.of(tenantId, Object.values(target.crud.submit.input.properties)));
  return withLocalCopy(deps.files, file, async (path) => {
    const references = columns.some(({ traits }) => traits.reference) ? deps.references.of(deps.owner, language) : undefined;
    const run: ImportRun = { deps, target, record, request, columns, references, path, context };
    const [callPath = ''] = record.target.split('?');
    const importRows = () => (request.mode === 'all' ? importAll(run) : importValid(run));
    const outcome = await changingThrough({ method: 'POST', path: callPath, isImport: true }, importRows);
    await deps.db.write({ tenantId }, () => storeProblems(run, sortedByRow(outcome.problems).slice(0, maxProblemsStored)));
    const problemsFileId = await saveProblemSheet(run, outcome.problems);
    const bad = new Set(outcome.problems.map(({ row }) => row)).size;
    const counts = { total: outcome.read, bad, problemsFileId, good: outcome.good };
    if (request.mode === 'good' || bad === 0) return { ...counts, state: 'done' };
    const count = { count: bad };
    const { message: text } = transferProblems.rowsRefused;
    return { ...counts, state: 'failed', message: [localize(text, 'zh', count), localize(text, 'en', count)] };
  });
}

interface ImportOutcome {
  readonly problems: LocalizedRowProblem[];
  readonly read: number;
  readonly good: number;
}

/** Error that rolls back a transaction whose result is known. */
class RollbackSignal extends Error {}

/** Imports all rows or none. Other rows are checked even if one is invalid, so that all problems are reported at once. */
async function importAll(run: ImportRun): Promise<ImportOutcome> {
  const { good } = run.record;
  // The rows were saved, and the process has stopped before it stored the result.
  if (good > 0) return { problems: [], read: good, good };
  const problems: LocalizedRowProblem[] = [];
  let read = 0;
  for await (const chunk of chunksOf(run)) {
    problems.push(...chunk.problems);
    read = chunk.read;
  }
  run.context.report(0, read);
  const { db, owner } = run.deps;
  const write = async () => {
    for await (const chunk of chunksOf(run)) {
      problems.push(...(await saveRows(run, chunk)));
      await flushChanges(db);
      run.context.report(chunk.read);
    }
    if (problems.length > 0) throw new RollbackSignal();
    await storeProgress(run, read, read);
  };
  try {
    await actingAs(owner, () => db.write({ tenantId: run.record.tenantId }, () => storingPasswords(run, write)));
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error;
    return { problems, read, good: 0 };
  }
  return { problems, read, good: read };
}

/** Imports the valid rows. Written rows, problems and progress share one transaction, so that an interrupted import resumes where it stopped. */
async function importValid(run: ImportRun): Promise<ImportOutcome> {
  const { deps, record, context } = run;
  const problems: LocalizedRowProblem[] = [];
  let { good } = record;
  let read = 0;
  for await (const chunk of chunksOf(run)) {
    read = chunk.read;
    problems.push(...chunk.problems);
    if (read <= record.progress) continue;
    await actingAs(deps.owner, () =>
      deps.db.write({ tenantId: record.tenantId }, async () => {
        const refused = await storingPasswords(run, () => saveRows(run, chunk));
        good += chunk.forms.length - refused.length;
        await storeProblems(run, refused);
        await storeProgress(run, read, good);
      }),
    );
    context.report(read);
  }
  const problemKeys = new Set(problems.map(problemKey));
  const earlierProblems = (await storedProblems(run)).filter((problem) => !problemKeys.has(problemKey(problem)));
  return { problems: [...problems, ...earlierProblems], read, good };
}

const problemKey = ({ row, field }: LocalizedRowProblem) => `${row} ${field}`;
const sortedByRow = (problems: readonly LocalizedRowProblem[]) => problems.toSorted((one, other) => one.row - other.row);

async function* chunksOf({ columns, references, request, path, context, target }: ImportRun): AsyncGenerator<SheetChunk> {
  const { rows } = await openSheet(path);
  let batch: SheetRow[] = [];
  let read = 0;
  const chunk = async (): Promise<SheetChunk> => {
    const parsedRows: ({ row: number } & Awaited<ReturnType<typeof formOfRow>>)[] = [];
    for (const row of batch) {
      parsedRows.push({ row: row.row, ...(await formOfRow(columns, request.mapping, row, references, target.entity.rules)) });
      if (parsedRows.length % rowsPerTurn === 0) await new Promise(setImmediate);
    }
    batch = [];
    return { read, forms: parsedRows.filter(({ problems }) => problems.length === 0), problems: parsedRows.flatMap(({ problems }) => problems) };
  };
  for await (const row of rows) {
    batch.push(row);
    read += 1;
    if (batch.length < chunkSize) continue;
    context.signal.throwIfAborted();
    yield await chunk();
  }
  context.signal.throwIfAborted();
  if (batch.length > 0) yield await chunk();
}

/** Saves the rows of a chunk, and returns the problems of those that were refused. */
async function saveRows({ target, columns }: ImportRun, { forms }: SheetChunk): Promise<LocalizedRowProblem[]> {
  if (forms.length === 0) return [];
  const outcomes = await target.repository.addAll(forms.map(({ form }) => form));
  return outcomes.flatMap((outcome, index) => {
    if (!(outcome instanceof ApiError)) return [];
    const field = outcome.field ?? columns[0]?.name ?? '';
    return [{ row: forms[index]?.row ?? 0, field, message: [outcome.text('zh'), outcome.text('en')] as const }];
  });
}

/** Stores the position of an import in the transaction of its rows, so that they are saved once; throws if another process has taken over. */
async function storeProgress({ deps: { db }, record }: ImportRun, read: number, good: number): Promise<void> {
  const stored = await queryRows(db, sql`update transfer set progress = ${read}, good = ${good}, bad = ${read - good} where ${isClaimed(record)} returning id`);
  if (stored.length === 0) throw new Error('Another process has taken over this import.');
}

/** Stores the passwords of accounts that `work` creates in the same transaction, for the user who began the import. */
async function storingPasswords<Result>({ deps: { db }, record }: ImportRun, work: () => Promise<Result>): Promise<Result> {
  const { result, passwords } = await collectPasswords(work);
  if (passwords.length > 0)
    await queryRows(db, sql`insert into transfer_password (transfer_id, sealed) values (${record.id}, ${db.encryption.encrypt(JSON.stringify(passwords))})`);
  return result;
}

async function storeProblems({ deps, record }: ImportRun, problems: readonly LocalizedRowProblem[]): Promise<void> {
  if (problems.length === 0) return;
  const rows = problems.map(
    ({ row, field, message }) => sql`(${record.id}::bigint, ${row}::integer, ${field}::text, ${message[0]}::text, ${message[1]}::text)`,
  );
  await queryRows(
    deps.db,
    sql`insert into transfer_problem (transfer_id, row_number, field, message_zh, message_en) values ${sql.join(rows, sql`, `)} on conflict do nothing`,
  );
}

async function storedProblems({ deps, record }: ImportRun): Promise<LocalizedRowProblem[]> {
  const rows = await deps.db.read({ tenantId: record.tenantId }, () =>
    queryRows<{ row: number; field: string; zh: string; en: string }>(
      deps.db,
      sql`select row_number as row, field, message_zh as zh, message_en as en from transfer_problem where transfer_id = ${record.id} order by row_number`,
    ),
  );
  return rows.map(({ row, field, zh, en }) => ({ row, field, message: [zh, en] }));
}

const problemSheetMessages = {
  row: ['行号', 'Row'],
  reason: ['错误原因', 'Error'],
  file: ['{title}-导入错误', '{title} - import errors'],
} as const satisfies Record<string, LocalizedText>;

/** Stores the rejected rows as a sheet that can be corrected and imported again; undefined if none was rejected. */
async function saveProblemSheet(
  { deps: { files }, record, request: { mapping }, path, columns }: ImportRun,
  problems: readonly LocalizedRowProblem[],
): Promise<string | undefined> {
  if (problems.length === 0) return undefined;
  const { tenantId, ownerId, language } = record;
  const { headings, rows } = await openSheet(path);
  const reasons = reasonsOf(problems, columns, language);
  const refused = async function* () {
    for await (const row of rows) {
      const reason = reasons.get(row.row);
      if (reason !== undefined) yield [[...maskSecrets(textsOf(row, headings.length), columns, mapping).map(escapeFormula), row.row, reason]];
    }
  };
  const titles = [...headings, localize(problemSheetMessages.row, language), localize(problemSheetMessages.reason, language)].map((title) => ({ title }));
  const name = `${localize(problemSheetMessages.file, language, { title: localize(record.title, language) })}.xlsx`;
  const file = await files.save(name, xlsxOf(titles, refused()), { tenantId, userId: ownerId, purpose: 'transfer', hours: retentionHours });
  return file.id;
}

/** Joins all problems of each row, in the order of its fields. */
function reasonsOf(problems: readonly LocalizedRowProblem[], columns: readonly FormColumn[], language: Language): ReadonlyMap<number, string> {
  const order = new Map(columns.map(({ name }, index) => [name, index]));
  const reasons = new Map<number, string>();
  for (const { row, message } of [...problems].sort((a, b) => (order.get(a.field) ?? 0) - (order.get(b.field) ?? 0))) {
    const before = reasons.get(row);
    reasons.set(row, before === undefined ? localize(message, language) : `${before}${language === 'zh' ? ';' : '; '}${localize(message, language)}`);
  }
  return reasons;
}
