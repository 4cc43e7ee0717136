import { type Followed, type SavedView, type SharedView, viewsKey as viewsKeyOf } from '#shared/views';
import type { CrudCalls } from '../crud-screen.ts';
import { searchFields } from '../entity-fields.ts';
import type { FilterCondition, Filters, ListQuery, Sort } from '../list-query.ts';
import type { ColumnSetting } from '../table/table-settings.ts';
import { operatorsOf } from './operators.ts';

/** What a table shows: which rows, in what order, and which columns of them. */
export interface View {
  readonly filters: Filters;
  readonly conditions: readonly FilterCondition[];
  readonly sort?: Sort | undefined;
  readonly columns: readonly ColumnSetting[];
}

/** A view under the name its owner gave it. */
export interface NamedView extends View {
  readonly name: string;
}

/** The views of one table; one of them, or one that is shared, may be what its owner begins with. */
export interface Views extends Followed {
  readonly views: readonly NamedView[];
  readonly standard?: string | undefined;
}

/** The form in which views are kept and put into links, and how many of one table are kept. */
export const viewsVersion = 1;
export const mostViews = 30;

/** Where the views of a table are kept. */
export const viewsKey = ({ list }: CrudCalls) => viewsKeyOf(list.path);

/** A query as a view keeps it. */
export const viewOf = ({ filters, conditions = [], sort }: ListQuery, columns: readonly ColumnSetting[]): View => ({ filters, conditions, sort, columns });

/** A view as it is given to others. */
export const sharedForm = ({ filters, conditions, sort, columns }: View): SavedView => ({ version: viewsVersion, filters, conditions, sort, columns });

/** A view others share; nothing of one in a form nobody knows. */
export const ofShared = ({ view }: Pick<SharedView, 'view'>): View =>
  view.version === viewsVersion ? (view as View) : { filters: {}, conditions: [], columns: [] };

/** The address that shows this view to whoever may open the page. */
export function linkTo(crud: CrudCalls, view: View, here: Location = location): string {
  const text = JSON.stringify({ version: viewsVersion, of: crud.list.path, ...view });
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  const encoded = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${here.origin}${here.pathname}?view=${encoded}`;
}

/** The view an address asks for; nothing when it asks for none, for another table's, or in a form nobody knows. */
export function linkedView(crud: CrudCalls, search: string = location.search): View | undefined {
  const encoded = new URLSearchParams(search).get('view');
  if (!encoded) return undefined;
  try {
    const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const read = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))));
    return read.version === viewsVersion && read.of === crud.list.path ? knownView(crud, read) : undefined;
  } catch {
    return undefined;
  }
}

/** The view of an address that names fields of the search area: `status=1`. */
export function namedView(crud: CrudCalls, search: string = location.search): View | undefined {
  const parameters = new URLSearchParams(search);
  const filters = searchFields(crud).flatMap(({ name, traits }) => {
    const value = parameters.get(name);
    if (!value || traits.widget === 'date-time') return [];
    return [[name, traits.options?.find(([choice]) => String(choice) === value)?.[0] ?? value]];
  });
  return filters.length > 0 ? knownView(crud, { filters: Object.fromEntries(filters) }) : undefined;
}

/** What of a view still fits the table: fields that are gone, and comparisons nobody knows, are left out. */
export function knownView(crud: CrudCalls, { filters = {}, conditions = [], sort, columns = [] }: Partial<View>): View {
  const fields = searchFields(crud);
  const operators = new Map(fields.map((field) => [field.name, operatorsOf(field)]));
  const known = Object.entries(filters).filter(([name, value]) => operators.has(name) && isPlain(value));
  const sortable = sort && (crud.list.rows?.fields[sort.field] as { field?: { sort?: boolean } } | undefined)?.field?.sort === true;
  return {
    filters: Object.fromEntries(known),
    conditions: conditions.filter(({ field, operator, value }) => operators.get(field)?.includes(operator) && isPlain(value)),
    sort: sortable ? { field: sort.field, direction: sort.direction === 'desc' ? 'desc' : 'asc' } : undefined,
    columns: Array.isArray(columns) ? columns : [],
  };
}

const isPlain = (value: unknown): boolean =>
  value === undefined || ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.length <= 2 && value.every(isPlain));
