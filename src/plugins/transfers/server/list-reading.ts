import { text } from 'node:stream/consumers';
import { actingAs } from '#server';
import { traitsOf } from '#shared/fields';
import { writeConditions } from '#shared/list-address';
import { conditionParameter, filterParameters } from '#shared/list-parameters';
import { snakeCase } from '#shared/text';
import type { SavedView } from '#shared/views';
import type { ListExcerpt, ListReadRequest } from '../server-extension.ts';
import { exportableFields, type RunDeps, readSheet } from './export-run.ts';
import type { TransferTarget } from './sheet-forms.ts';
import { type Cell, displayText } from './sheets/cells.ts';
import { csvOf } from './sheets/sheet-writer.ts';

/** Maximum number of columns of the excerpt; the CSV has all of the view. */
const maxColumns = 8;

/** Reads the first rows of a view as texts, and as CSV if the owner may export the list. */
export async function readList(deps: Omit<RunDeps, 'files'>, target: TransferTarget, request: ListReadRequest): Promise<ListExcerpt> {
  const { tenantId, language, view, rows: maxRows, csvRows, signal } = request;
  const { db, owner } = deps;
  const query = queryOf(target, view);
  const { total } = await actingAs(owner, () =>
    db.read({ tenantId }, () => target.repository.page({ ...query, current: 1, size: 1, exactTotal: true }, target.exportWhere?.())),
  );
  const fields = actingAs(owner, () => columnsOfView(target, view));
  const read = (names: readonly string[]) =>
    readSheet(
      deps,
      target,
      { tenantId, language, request: { query: query as Record<string, string>, fields: [...names] } },
      { signal, report: () => undefined },
    );
  const sheet = await read(fields.slice(0, maxColumns));
  const rows: string[][] = [];
  for await (const row of limited(sheet.rows(), maxRows)) rows.push(row.map((cell, index) => displayText(cell, sheet.headings[index]?.widget)));
  const mayExport = owner.codes.has(`${target.crud.menu}_export`) && total <= csvRows;
  const csvSheet = mayExport ? await read(fields) : undefined;
  return {
    title: target.title,
    menu: target.crud.menu,
    total,
    headings: sheet.headings.map(({ title }) => title),
    rows,
    ...(csvSheet ? { csv: await text(csvOf(csvSheet.headings, csvSheet.rows())) } : {}),
  };
}

/** Returns the parameters of the list for a view, without fields that the list no longer has. */
function queryOf({ crud }: TransferTarget, { filters, conditions, where, sort }: SavedView): Record<string, unknown> {
  const listed = crud.list.filterable?.fields ?? {};
  const fields = Object.entries(listed).flatMap(([name, schema]) => {
    const traits = traitsOf(schema);
    return traits ? [{ name, traits }] : [];
  });
  const isSortable = sort && fields.some(({ name, traits }) => name === sort.field && traits.sort === true);
  return {
    ...(isSortable ? { [sort.direction === 'asc' ? 'ascs' : 'descs']: snakeCase(sort.field) } : {}),
    ...Object.assign({}, ...fields.map((field) => filterParameters(field, filters[field.name]))),
    ...Object.assign({}, ...conditions.filter(({ field }) => Object.hasOwn(listed, field)).map(conditionParameter)),
    ...(where ? { where: writeConditions(where as Parameters<typeof writeConditions>[0]) } : {}),
  };
}

/** Returns the shown columns of a view in its order, then the columns that it does not mention. */
function columnsOfView(target: TransferTarget, { columns }: SavedView): string[] {
  const available = Object.entries(exportableFields(target.entity))
    .filter(([, schema]) => traitsOf(schema)?.list !== false)
    .map(([name]) => name);
  const mentioned = new Set(columns.map(({ name }) => name));
  return [
    ...columns.filter(({ name, hidden }) => !hidden && available.includes(name)).map(({ name }) => name),
    ...available.filter((name) => !mentioned.has(name)),
  ];
}

async function* limited(batches: AsyncGenerator<readonly (readonly Cell[])[]>, max: number): AsyncGenerator<readonly Cell[]> {
  let count = 0;
  for await (const batch of batches)
    for (const row of batch) {
      if (count >= max) return;
      count += 1;
      yield row;
    }
}
