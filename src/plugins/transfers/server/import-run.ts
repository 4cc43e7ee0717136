import { sql } from 'drizzle-orm';
import { actingAs, collectPasswords, queryRows, type ReferenceReader } from '#server';
import { ApiError, problems as common } from '#shared/errors';
import { localize } from '#shared/text';
import type { RunDeps } from './export-run.ts';
import { openSheet, withLocalCopy } from './import-source.ts';
import { saveProblemSheet } from './problem-sheet.ts';
import { transferProblems } from './problems.ts';
import type { Job } from './runner.ts';
import { type FormColumn, formColumns, formOfRow, type RowProblem, type TransferTarget } from './sheet-forms.ts';
import type { SheetRow } from './sheets/cells.ts';
import type { ImportRequest, TransferRecord, TransferResult } from './transfer-rows.ts';

const chunkSize = 500;
/** Rows read at a time, so that a long sheet leaves time for requests. */
const rowsAtOnce = 50;
/** Maximum number of problems shown; the problem sheet contains all of them. */
const maxNotified = 200;

interface Import {
  readonly parts: RunDeps;
  readonly target: TransferTarget;
  readonly record: TransferRecord;
  readonly request: ImportRequest;
  readonly columns: readonly FormColumn[];
  readonly references: ReferenceReader | undefined;
  readonly path: string;
  readonly job: Job;
}

interface Chunk {
  readonly forms: readonly { readonly row: number; readonly form: object }[];
  readonly problems: readonly RowProblem[];
  /** Number of data rows up to the end of this chunk. */
  readonly read: number;
}

/** Imports the rows of a sheet: all rows or none in one transaction, or only the valid ones, chunk by chunk. */
export async function runImport(parts: RunDeps, target: TransferTarget, record: TransferRecord, job: Job): Promise<TransferResult> {
  const { tenantId, language } = record;
  const request = record.request as ImportRequest;
  const file = await parts.files.find(tenantId, request.fileId);
  if (!file) throw new ApiError(common.notFound);
  const columns = formColumns(target, language, await parts.dictionaries.of(tenantId, Object.values(target.crud.submit.input.properties)));
  return withLocalCopy(parts.files, file, async (path) => {
    const references = columns.some(({ traits }) => traits.reference) ? parts.references.of(parts.owner, language) : undefined;
    const work: Import = { parts, target, record, request, columns, references, path, job };
    const refused = await (request.mode === 'all' ? importAll(work) : importGood(work));
    await parts.db.write({ tenantId }, () => keepProblems(work, inOrder(refused.problems).slice(0, maxNotified)));
    const problemsId = await saveProblemSheet(parts.files, { record, path, columns, mapping: request.mapping, problems: refused.problems });
    const bad = new Set(refused.problems.map(({ row }) => row)).size;
    const outcome = { total: refused.read, bad, problemsId, good: refused.good };
    if (request.mode === 'good' || bad === 0) return { ...outcome, state: 'done' };
    const count = { count: bad };
    const { message: text } = transferProblems.rowsRefused;
    return { ...outcome, state: 'failed', message: [localize(text, 'zh', count), localize(text, 'en', count)] };
  });
}

interface Result {
  readonly problems: RowProblem[];
  readonly read: number;
  readonly good: number;
}

/** Error that rolls back a transaction whose result is known. */
class RollbackSignal extends Error {}

/** Imports all rows or none. Other rows are checked even if one is invalid, so that all problems are reported at once. */
async function importAll(work: Import): Promise<Result> {
  const problems: RowProblem[] = [];
  let read = 0;
  for await (const chunk of chunksOf(work)) {
    problems.push(...chunk.problems);
    read = chunk.read;
  }
  work.job.report(0, read);
  const { db } = work.parts;
  const write = async () => {
    for await (const chunk of chunksOf(work)) {
      problems.push(...(await add(work, chunk)));
      work.job.report(chunk.read);
    }
    if (problems.length > 0) throw new RollbackSignal();
  };
  try {
    await asOwner(work, () => db.write({ tenantId: work.record.tenantId }, () => keepingPasswords(work, write)));
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error;
    return { problems, read, good: 0 };
  }
  return { problems, read, good: read };
}

/** Imports the valid rows. Written rows, problems and progress share one transaction, so that an interrupted import resumes where it stopped. */
async function importGood(work: Import): Promise<Result> {
  const { parts, record, job } = work;
  const problems: RowProblem[] = [];
  let { good } = record;
  let read = 0;
  for await (const chunk of chunksOf(work)) {
    read = chunk.read;
    problems.push(...chunk.problems);
    if (read <= record.progress) continue;
    await asOwner(work, () =>
      parts.db.write({ tenantId: record.tenantId }, async () => {
        const refused = await keepingPasswords(work, () => add(work, chunk));
        good += chunk.forms.length - refused.length;
        await keepProblems(work, refused);
        await queryRows(parts.db, sql`update transfer set progress = ${read}, good = ${good}, bad = ${read - good} where id = ${record.id}`);
      }),
    );
    job.report(read);
  }
  const problemKeys = new Set(problems.map(placeOf));
  const earlierProblems = (await storedProblems(work)).filter((problem) => !problemKeys.has(placeOf(problem)));
  return { problems: [...problems, ...earlierProblems], read, good };
}

const placeOf = ({ row, field }: RowProblem) => `${row} ${field}`;
const inOrder = (problems: readonly RowProblem[]) => problems.toSorted((one, other) => one.row - other.row);

async function* chunksOf({ columns, references, request, path, job }: Import): AsyncGenerator<Chunk> {
  const { rows } = await openSheet(path);
  let some: SheetRow[] = [];
  let read = 0;
  const chunk = async (): Promise<Chunk> => {
    const parsedRows: ({ row: number } & Awaited<ReturnType<typeof formOfRow>>)[] = [];
    for (const row of some) {
      parsedRows.push({ row: row.row, ...(await formOfRow(columns, request.mapping, row, references)) });
      if (parsedRows.length % rowsAtOnce === 0) await new Promise(setImmediate);
    }
    some = [];
    return { read, forms: parsedRows.filter(({ problems }) => problems.length === 0), problems: parsedRows.flatMap(({ problems }) => problems) };
  };
  for await (const row of rows) {
    some.push(row);
    read += 1;
    if (some.length < chunkSize) continue;
    job.signal.throwIfAborted();
    yield await chunk();
  }
  job.signal.throwIfAborted();
  if (some.length > 0) yield await chunk();
}

async function add({ target, columns }: Import, { forms }: Chunk): Promise<RowProblem[]> {
  if (forms.length === 0) return [];
  const outcomes = await target.repository.addAll(forms.map(({ form }) => form));
  return outcomes.flatMap((outcome, index) => {
    if (!(outcome instanceof ApiError)) return [];
    const field = outcome.field ?? columns[0]?.name ?? '';
    return [{ row: forms[index]?.row ?? 0, field, words: [outcome.text('zh'), outcome.text('en')] as const }];
  });
}

const asOwner = <Result>({ parts: { owner } }: Import, work: () => Promise<Result>) => actingAs(owner, work);

/** Stores the passwords of accounts created meanwhile in the same transaction, for the user who began the import. */
async function keepingPasswords<Result>({ parts: { db }, record }: Import, work: () => Promise<Result>): Promise<Result> {
  const { result, passwords } = await collectPasswords(work);
  if (passwords.length > 0)
    await queryRows(db, sql`insert into transfer_password (transfer_id, sealed) values (${record.id}, ${db.seals.encrypt(JSON.stringify(passwords))})`);
  return result;
}

async function keepProblems({ parts, record }: Import, problems: readonly RowProblem[]): Promise<void> {
  if (problems.length === 0) return;
  const rows = problems.map(({ row, field, words }) => sql`(${record.id}::bigint, ${row}::integer, ${field}::text, ${words[0]}::text, ${words[1]}::text)`);
  await queryRows(
    parts.db,
    sql`insert into transfer_problem (transfer_id, row_number, field, message_zh, message_en) values ${sql.join(rows, sql`, `)} on conflict do nothing`,
  );
}

async function storedProblems({ parts, record }: Import): Promise<RowProblem[]> {
  const rows = await parts.db.read({ tenantId: record.tenantId }, () =>
    queryRows<{ row: number; field: string; zh: string; en: string }>(
      parts.db,
      sql`select row_number as row, field, message_zh as zh, message_en as en from transfer_problem where transfer_id = ${record.id} order by row_number`,
    ),
  );
  return rows.map(({ row, field, zh, en }) => ({ row, field, words: [zh, en] }));
}
