import type { TSchema } from 'typebox';
import { actingAs, type DictionaryLabels, isHidden, type Principal, type ReferenceReader, type ReferenceReaders, type ServerContext } from '#server';
import type { Crud, Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { localize } from '#shared/text';
import { transferProblems } from './problems.ts';
import type { Job } from './runner.ts';
import type { TransferTarget } from './sheet-forms.ts';
import { type Column, cellOf, columnsOf, itemSeparator } from './sheets/cells.ts';
import { csvOf, xlsxOf } from './sheets/sheet-writer.ts';
import { type ExportRequest, retentionHours, type TransferRecord, type TransferResult } from './transfer-rows.ts';
import type { WorkThrottle } from './work-throttle.ts';

/** Dependencies of a running transfer. */
export interface RunDeps extends Pick<ServerContext, 'db' | 'files'> {
  readonly dictionaries: Pick<DictionaryLabels, 'of'>;
  readonly references: Pick<ReferenceReaders, 'of'>;
  /** Shared by all exports of the process. */
  readonly throttle: WorkThrottle;
  /** User on whose behalf it runs. */
  readonly owner: Principal;
}

/** Selects the fields of an entity that may be exported: those in its list or form, except write-only ones. */
export function exportableFields(entity: Entity, form: TSchema = entity.form): Record<string, TSchema> {
  const formFieldNames = new Set(Object.keys((form as { properties?: object }).properties ?? {}));
  const columns = columnsOf(entity.fields, 'zh').filter(
    ({ name, traits, schema }) =>
      traits.widget !== 'secret' &&
      !isHidden(entity, name) &&
      !(schema as { writeOnly?: boolean }).writeOnly &&
      (traits.list !== false || (formFieldNames.has(name) && name !== 'id' && name !== 'version')),
  );
  return Object.fromEntries(columns.map(({ name, schema }) => [name, schema]));
}

/** Returns the requested columns in their order, or all by default. */
function selectedFields({ entity, crud }: TransferTarget, names: readonly string[] | undefined): Record<string, TSchema> {
  // A screen may show fields that no form contains.
  const all = exportableFields(entity, (crud.submit as Crud['submit'] | undefined)?.input ?? entity.form);
  if (!names) return all;
  const unknown = names.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw new ApiError(problems.wrongParameter, { name: unknown });
  return Object.fromEntries(names.map((name) => [name, all[name] as TSchema]));
}

/** Rejects an export that could not run before it is queued; returns its number of rows. */
export async function checkExport(target: TransferTarget, { query = {}, ids, fields }: ExportRequest): Promise<number> {
  if (Object.keys(selectedFields(target, fields)).length === 0) throw new ApiError(transferProblems.nothingToExport);
  const { total } = await target.repository.page({ ...query, current: 1, size: 1, exactTotal: true }, target.exportWhere?.());
  return ids ? ids.length : total;
}

/** Rows per query; the embedded database blocks the process while it answers one. */
const queryRowsLimit = 100;
/** Rows whose labels are resolved at a time. */
const labelBatchSize = 25;

/** Writes the rows of a list to a file, one step of rows at a time in memory. */
export async function runExport(
  { db, files, dictionaries, references, throttle, owner }: RunDeps,
  target: TransferTarget,
  record: TransferRecord,
  job: Job,
): Promise<TransferResult> {
  const { tenantId, ownerId, language } = record;
  const { format, query = {}, fields, ids } = record.request as ExportRequest;
  const exportedFields = actingAs(owner, () => selectedFields(target, fields));
  const columns = columnsOf(exportedFields, language, await dictionaries.of(tenantId, Object.values(exportedFields)));
  const reader = columns.some(({ traits }) => traits.reference) ? references.of(owner, language) : undefined;
  const nextRows = actingAs(owner, () => target.repository.walk(query, { where: target.exportWhere?.(), ids, size: queryRowsLimit }));
  let count = 0;
  const rows = async function* () {
    for (;;) {
      job.signal.throwIfAborted();
      const batch = await throttle.run(() => actingAs(owner, () => db.read({ tenantId }, nextRows)));
      if (batch.length === 0) return;
      for (let from = 0; from < batch.length; from += labelBatchSize) {
        const cells = await throttle.run(() => cellsOf(batch.slice(from, from + labelBatchSize)));
        job.signal.throwIfAborted();
        count += cells.length;
        yield cells;
        job.report(count);
      }
    }
  };
  const withValidLinks = (schema: TSchema, value: unknown) => db.links?.withValidLinks(schema, value) ?? value;
  const cellsOf = async (batch: readonly unknown[]) => {
    const labelled = reader ? await withLabels(columns, batch, reader) : batch;
    return labelled.map((row) => columns.map((column) => cellOf(column, withValidLinks(column.schema, (row as Row)[column.name]), language)));
  };
  const headings = columns.map(({ title, traits }: Column) => ({ title, widget: traits.widget }));
  const content = format === 'csv' ? csvOf(headings, rows()) : xlsxOf(headings, rows());
  const name = `${localize(record.title, language)}.${format}`;
  const file = await files.save(name, content, { tenantId, userId: ownerId, purpose: 'transfer', hours: retentionHours });
  if (job.signal.aborted) await files.remove(tenantId, [file.id]);
  job.signal.throwIfAborted();
  return { state: 'done', total: count, good: count, resultId: file.id };
}

type Row = Readonly<Record<string, unknown>>;

/** Replaces references in rows by the titles of the rows they refer to. */
async function withLabels(columns: readonly Column[], rows: readonly unknown[], reader: ReferenceReader): Promise<Row[]> {
  const referring = columns.filter(({ traits }) => traits.reference);
  const named: Row[] = [];
  for (const row of rows as Row[]) {
    const labels: Record<string, unknown> = {};
    for (const { name, traits } of referring) {
      const values = [row[name]].flat().filter((value) => value !== null && value !== undefined && value !== '');
      const texts: string[] = [];
      for (const value of values) {
        const text = await reader.labelOf(traits, String(value), row);
        // A title with a comma would be read back as two.
        texts.push(traits.multiple && itemSeparator.test(text) ? String(value) : text);
      }
      labels[name] = traits.multiple ? texts : texts[0];
    }
    named.push({ ...row, ...labels });
  }
  return named;
}
