import type { TSchema } from 'typebox';
import {
  actingAs,
  type DictionaryLabels,
  hasId,
  isHidden,
  isMasked,
  maskedRow,
  type Principal,
  type ReferenceReaders,
  recordPersonalAccess,
  type ServerContext,
} from '#server';
import type { Crud, Entity } from '#shared/contract';
import { nameField } from '#shared/entity';
import { ApiError, problems } from '#shared/errors';
import { type LocalizedText, localize } from '#shared/text';
import { ExportLabels, isLabelled, type ListRow, type ReadParents, valuesOf } from './export-labels.ts';
import { exportFileName } from './export-name.ts';
import { MoneyTotals } from './money-totals.ts';
import { transferProblems } from './problems.ts';
import type { TransferContext } from './runner.ts';
import type { TransferTarget } from './sheet-forms.ts';
import { type Cell, cellOf, columnsOf, type Heading, type SheetColumn } from './sheets/cells.ts';
import { csvOf, xlsxOf } from './sheets/sheet-writer.ts';
import { retentionHours, type StoredExport, type TransferOutcome, type TransferRecord } from './transfer-rows.ts';
import type { WorkThrottle } from './work-throttle.ts';

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

/** True if files of the list can be imported again, so that each label in them must lead back to its row. */
const isImportable = ({ crud }: TransferTarget): boolean => (crud.import as Crud['import'] | undefined) !== undefined;

/** Dependencies of a running transfer. */
export interface RunDeps extends Pick<ServerContext, 'db' | 'files'> {
  readonly dictionaries: Pick<DictionaryLabels, 'of'>;
  readonly references: Pick<ReferenceReaders, 'of'>;
  /** Shared by all exports of the process. */
  readonly throttle: WorkThrottle;
  /** User on whose behalf it runs. */
  readonly owner: Principal;
}

/** Rejects an export that could not run before it is queued; returns its number of rows. */
export async function checkExport(target: TransferTarget, { query = {}, ids, fields }: StoredExport): Promise<number> {
  if (Object.keys(selectedFields(target, fields)).length === 0) throw new ApiError(transferProblems.nothingToExport);
  const { total } = await target.repository.page({ ...query, current: 1, size: 1, exactTotal: true }, target.exportWhere?.());
  return ids ? ids.length : total;
}

/** Rows per query; the embedded database blocks the process while it answers one. */
const rowsPerQuery = 100;
/** Heading of the ids beside a reference. */
const idHeading: LocalizedText = ['{title}（编号）', '{title} (ID)'];
/** Rows whose labels are resolved at a time. */
const labelBatchSize = 25;

/** A list as a sheet, whose rows are read while the caller takes them. */
export interface ListSheet {
  readonly headings: readonly Heading[];
  rows(): AsyncGenerator<readonly (readonly Cell[])[]>;
  /** Number of rows read so far. */
  count(): number;
}

/** Writes the rows of a list to a file, with one batch in memory at a time. */
export async function runExport(deps: RunDeps, target: TransferTarget, record: TransferRecord, context: TransferContext): Promise<TransferOutcome> {
  const { db, files, dictionaries, references, owner } = deps;
  const { tenantId, ownerId, language } = record;
  const request = record.request as StoredExport;
  const { headings, rows, count } = await readSheet(deps, target, { tenantId, language, request }, context);
  const content = request.format === 'csv' ? csvOf(headings, rows()) : xlsxOf(headings, rows());
  const name = await exportFileName({ db, dictionaries, references: references.of(owner, language) }, target, record);
  const file = await files.save(name, content, { tenantId, userId: ownerId, purpose: 'transfer', hours: retentionHours });
  if (context.signal.aborted) await files.remove(tenantId, [file.id]);
  context.signal.throwIfAborted();
  if (showsPersonal(target, owner, request)) await recordExport(deps, target, record, count());
  return { state: 'done', total: count(), good: count(), resultFileId: file.id };
}

/** Tests whether an export contains personal data without a mask. The owner needs the permission while it runs. */
const showsPersonal = ({ entity }: TransferTarget, { codes }: Principal, { personal }: Pick<StoredExport, 'personal'>) =>
  personal === true && codes.has(entity.personal?.code ?? '');

/** Records an export in the log of personal data. */
async function recordExport({ db, owner }: RunDeps, target: TransferTarget, { tenantId, ownerId, request }: TransferRecord, rows: number): Promise<void> {
  const { entity } = target;
  const fields = Object.keys(actingAs(owner, () => selectedFields(target, (request as StoredExport).fields))).filter((name) => isMasked(entity, name));
  if (fields.length === 0) return;
  await db.write({ tenantId }, () => recordPersonalAccess(db, { action: 'exported', entity: entity.name, fields, rows, userId: ownerId }));
}

/** Reads the rows of a list with the permissions of the owner. */
export async function readSheet(
  { db, dictionaries, references, throttle, owner }: Omit<RunDeps, 'files'>,
  target: TransferTarget,
  { tenantId, language, request }: Pick<TransferRecord, 'tenantId' | 'language'> & { readonly request: Omit<StoredExport, 'format'> },
  context: Pick<TransferContext, 'signal' | 'report'>,
): Promise<ListSheet> {
  const { query = {}, fields, ids, withIds = false } = request;
  const exportedFields = actingAs(owner, () => selectedFields(target, fields));
  const entries = await dictionaries.of(tenantId, Object.values(exportedFields));
  const columns = columnsOf(exportedFields, language, entries);
  const labels = new ExportLabels(references.of(owner, language), columns, isImportable(target), (ids) =>
    actingAs(owner, () => db.read({ tenantId }, () => parentNames(target, ids))),
  );
  const totals = new MoneyTotals(columns, isImportable(target), language);
  const nextRows = actingAs(owner, () => target.repository.walk(query, { where: target.exportWhere?.(), ids, size: rowsPerQuery }));
  // The rows include what was committed before the export began.
  const position = await db.position();
  let count = 0;
  const rows = async function* () {
    for (;;) {
      context.signal.throwIfAborted();
      const batch = await throttle.run(() => actingAs(owner, () => db.readReplica({ tenantId }, position, nextRows)));
      if (batch.length === 0) break;
      for (let from = 0; from < batch.length; from += labelBatchSize) {
        const cells = await throttle.run(() => cellsOf(batch.slice(from, from + labelBatchSize)));
        context.signal.throwIfAborted();
        count += cells.length;
        yield cells;
        context.report(count);
      }
    }
    const totalRow = totals.row();
    if (totalRow) yield [withIdColumns(totalRow, () => null)];
  };
  const withSignedLinks = (schema: TSchema, value: unknown) => db.links?.withSignedLinks(schema, value) ?? value;
  const withIdColumns = (cells: readonly Cell[], idOf: (column: SheetColumn) => Cell): Cell[] =>
    columns.flatMap((column, index) => (withIds && isLabelled(column) ? [cells[index] ?? null, idOf(column)] : [cells[index] ?? null]));
  const isShown = showsPersonal(target, owner, request);
  const cellsOf = async (batch: readonly unknown[]) => {
    const rows = (batch as readonly ListRow[]).map((row) => (isShown ? row : maskedRow(target.entity, row)));
    const labelled = await labels.replace(rows);
    return labelled.map((row, index) => {
      totals.add(row);
      const cells = columns.map((column) => cellOf(column, withSignedLinks(column.schema, row[column.name]), language));
      return withIdColumns(cells, ({ name }) => valuesOf(rows[index]?.[name]).join(',') || null);
    });
  };
  const headings = columns.flatMap((column): Heading[] => {
    const { title, traits } = column;
    const heading = { title, widget: traits.widget };
    return withIds && isLabelled(column) ? [heading, { title: localize(idHeading, language, { title }) }] : [heading];
  });
  return { headings, rows, count: () => count };
}

/** Reads the names of parents, which are rows of the same list. */
async function parentNames({ entity, repository }: TransferTarget, ids: Parameters<ReadParents>[0]): ReturnType<ReadParents> {
  const named = nameField(entity);
  if (named === undefined || isHidden(entity, named)) return new Map();
  const rows = (await repository.list(hasId(repository.table as never, ids))) as readonly ListRow[];
  return new Map(rows.map((row) => [String(row.id), String(row[named] ?? '')]));
}
