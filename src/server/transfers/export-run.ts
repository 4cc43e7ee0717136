import type { TSchema } from 'typebox';
import type { Crud, Entity } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { say } from '#shared/text';
import { transferProblems } from '#shared/transfers';
import { type Actor, actingAs } from '../audit/actor.ts';
import type { Database } from '../db/database.ts';
import { isHidden } from '../db/row-scope.ts';
import type { Files } from '../files/files.ts';
import type { RecordLinks } from '../files/record-links.ts';
import { between, type Column, cellOf, columnsOf } from './cells.ts';
import type { DictionaryWords } from './dictionary-words.ts';
import type { ReferenceReader, ReferenceWords } from './reference-words.ts';
import type { Job } from './runner.ts';
import { csvOf, xlsxOf } from './sheet-writer.ts';
import type { TransferTarget } from './targets.ts';
import { type ExportRequest, hoursKept, type Outcome, type TransferRecord } from './transfer-rows.ts';

/** What running a transfer takes. */
export interface RunParts {
  readonly db: Database;
  readonly files: Files;
  readonly links: RecordLinks;
  readonly words: DictionaryWords;
  readonly references: ReferenceWords;
}

/** The same in the name of whoever asked. */
export interface OwnedRun extends RunParts {
  readonly owner: Actor;
}

/** The fields of an entity that may leave in a file: what its list or its form shows, and nothing that is only written. */
export function exportableFields(entity: Entity, form: TSchema = entity.form): Record<string, TSchema> {
  const entered = new Set(Object.keys((form as { properties?: object }).properties ?? {}));
  const columns = columnsOf(entity.fields, 'zh').filter(
    ({ name, traits, schema }) =>
      traits.widget !== 'secret' &&
      !isHidden(entity, name) &&
      !(schema as { writeOnly?: boolean }).writeOnly &&
      (traits.list !== false || (entered.has(name) && name !== 'id')),
  );
  return Object.fromEntries(columns.map(({ name, schema }) => [name, schema]));
}

/** The columns asked for, in the order asked; all there are when none is named. */
function chosenFields({ entity, crud }: TransferTarget, wanted: readonly string[] | undefined): Record<string, TSchema> {
  // A screen may show what nobody enters.
  const all = exportableFields(entity, (crud.submit as Crud['submit'] | undefined)?.input ?? entity.form);
  if (!wanted) return all;
  const unknown = wanted.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw new Refusal(problems.wrongParameter, { name: unknown });
  return Object.fromEntries(wanted.map((name) => [name, all[name] as TSchema]));
}

/** Refuses an export that could not run, before it is taken on; how many rows it will have. */
export async function checkExport(target: TransferTarget, { query = {}, ids, fields }: ExportRequest): Promise<number> {
  if (Object.keys(chosenFields(target, fields)).length === 0) throw new Refusal(transferProblems.nothingToExport);
  const { total } = await target.repository.page({ ...query, current: 1, size: 1, exactTotal: true }, target.exported?.());
  return ids ? ids.length : total;
}

/** Writes the rows of a list into a file, a step of rows in memory at a time. */
export async function runExport(
  { db, files, links, words, references, owner }: OwnedRun,
  target: TransferTarget,
  record: TransferRecord,
  job: Job,
): Promise<Outcome> {
  const { tenantId, ownerId, language } = record;
  const { format, query = {}, fields, ids } = record.request as ExportRequest;
  const asked = actingAs(owner, () => chosenFields(target, fields));
  const columns = columnsOf(asked, language, await words.of(tenantId, Object.values(asked)));
  const reader = columns.some(({ traits }) => traits.reference) ? await references.ofUser(tenantId, ownerId, language) : undefined;
  const step = actingAs(owner, () => target.repository.walk(query, { where: target.exported?.(), ids }));
  let count = 0;
  const rows = async function* () {
    for (;;) {
      job.signal.throwIfAborted();
      const some = await actingAs(owner, () => db.read({ tenantId }, step));
      if (some.length === 0) return;
      count += some.length;
      const named = reader ? await inWords(columns, some, reader) : some;
      yield named.map((row) => columns.map((column) => cellOf(column, links.fresh(column.schema, (row as Row)[column.name]), language)));
      job.report(count);
    }
  };
  const headings = columns.map(({ title, traits }: Column) => ({ title, widget: traits.widget }));
  const content = format === 'csv' ? csvOf(headings, rows()) : xlsxOf(headings, rows());
  const name = `${say(record.title, language)}.${format}`;
  const file = await files.save(name, content, { tenantId, userId: ownerId, purpose: 'transfer', hours: hoursKept });
  if (job.signal.aborted) await files.remove(tenantId, [file.id]);
  job.signal.throwIfAborted();
  return { state: 'done', total: count, good: count, resultId: file.id };
}

type Row = Readonly<Record<string, unknown>>;

/** Rows whose references are called by name. */
async function inWords(columns: readonly Column[], rows: readonly unknown[], reader: ReferenceReader): Promise<Row[]> {
  const referring = columns.filter(({ traits }) => traits.reference);
  const named: Row[] = [];
  for (const row of rows as Row[]) {
    const words: Record<string, unknown> = {};
    for (const { name, traits } of referring) {
      const values = [row[name]].flat().filter((value) => value !== null && value !== undefined && value !== '');
      const texts: string[] = [];
      for (const value of values) {
        const text = await reader.wordsOf(traits, String(value), row);
        // A name with a comma would be read back as two.
        texts.push(traits.several && between.test(text) ? String(value) : text);
      }
      words[name] = traits.several ? texts : texts[0];
    }
    named.push({ ...row, ...words });
  }
  return named;
}
