import { depthOf, type FilterGroup, filtersIn, groupLimits } from '#shared/filter-groups';
import type { ListLayout } from '#shared/list-address';
import { type DefaultView, type SavedView, type SharedView, viewsKey as viewsKeyOf } from '#shared/views';
import type { CrudCalls } from '../model/crud-screen.ts';
import { searchFields } from '../model/entity-fields.ts';
import { layoutsOf } from '../model/list-layouts.ts';
import type { ConditionGroup, FilterCondition, FilterValues, ListQuery, Sort } from '../model/list-query.ts';
import type { ColumnSetting } from '../model/table-settings.ts';
import { operatorsOf } from './operators.ts';

/** A saved state of a table: filters, sort order and columns. */
export interface View {
  readonly filters: FilterValues;
  readonly conditions: readonly FilterCondition[];
  readonly where?: ConditionGroup | undefined;
  readonly sort?: Sort | undefined;
  readonly layout?: ListLayout | undefined;
  readonly columns: readonly ColumnSetting[];
}

/** A view with the name its owner gave it. */
export interface NamedView extends View {
  readonly name: string;
}

/** The saved views of one table; its owner's default is one of them or a shared one. */
export interface Views extends DefaultView {
  readonly views: readonly NamedView[];
  readonly standard?: string | undefined;
}

/** Version of the stored format, and the limit of views for each table. */
export const viewsVersion = 1;
export const maxViews = 30;

/** Returns the preference key of a table's views. */
export const viewsKey = ({ list }: CrudCalls) => viewsKeyOf(list.path);

/** Builds a view from a query. */
export const viewOf = ({ filters, conditions = [], where, sort, layout }: ListQuery, columns: readonly ColumnSetting[]): View => ({
  filters,
  conditions,
  where,
  sort,
  layout,
  columns,
});

/** Converts a view to the format in which it is shared. */
export const toSavedView = ({ filters, conditions, where, sort, layout, columns }: View): SavedView => ({
  version: viewsVersion,
  filters,
  conditions,
  ...(where ? { where } : {}),
  sort,
  ...(layout ? { layout } : {}),
  columns,
});

/** Converts a shared view; one of an unknown version becomes an empty view. */
export const fromShared = ({ view }: Pick<SharedView, 'view'>): View =>
  view.version === viewsVersion ? (view as View) : { filters: {}, conditions: [], columns: [] };

/** Returns the current views with a deleted one at its index of `before`, and as the default again unless there is another by now. */
export function withRestoredView(current: Views, before: Views, view: NamedView): Views {
  const views = [...current.views];
  views.splice(before.views.indexOf(view), 0, view);
  const isDefault = before.standard === view.name && current.standard === undefined && current.follows === undefined;
  return { ...current, views, ...(isDefault ? { standard: view.name } : {}) };
}

/** Reads a view that a link of an earlier version carries in Base64; `undefined` for another table's. */
export function encodedView(crud: CrudCalls, search: string): View | undefined {
  const encoded = new URLSearchParams(search).get('view') ?? '';
  try {
    const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const read = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))));
    return read.version === viewsVersion && read.of === crud.list.path ? supportedView(crud, read) : undefined;
  } catch {
    return undefined;
  }
}

/** Reduces a view to the parts that fit the table: removed fields and unknown comparisons are dropped. */
export function supportedView(crud: CrudCalls, { filters = {}, conditions = [], where, sort, layout, columns = [] }: Partial<View>): View {
  const fields = searchFields(crud);
  const operators = new Map(fields.map((field) => [field.name, operatorsOf(field)]));
  const isSupported = ({ field, operator, value }: FilterCondition) => operators.get(field)?.includes(operator) === true && isPlain(value);
  const supportedFilters = Object.entries(filters).filter(([name, value]) => operators.has(name) && isPlain(value));
  const sortable = sort && (crud.list.filterable?.fields[sort.field] as { field?: { sort?: boolean } } | undefined)?.field?.sort === true;
  return {
    filters: Object.fromEntries(supportedFilters),
    conditions: conditions.filter(isSupported),
    where: isSupportedGroup(where, isSupported) ? where : undefined,
    sort: sortable ? { field: sort.field, direction: sort.direction === 'desc' ? 'desc' : 'asc' } : undefined,
    layout: layoutsOf(crud).find(({ kind, field }) => kind === layout?.kind && field === layout.field),
    columns: Array.isArray(columns) ? columns : [],
  };
}

/** A group applies as a whole or not at all, because a part of it would mean something else. */
function isSupportedGroup(group: unknown, isSupported: (condition: FilterCondition) => boolean): group is ConditionGroup {
  const isWellFormed = (part: unknown): boolean => {
    const { join, of } = (part ?? {}) as Partial<FilterGroup>;
    if (join === undefined) return typeof part === 'object' && part !== null;
    return (join === 'and' || join === 'or') && Array.isArray(of) && of.length > 0 && of.every(isWellFormed);
  };
  if (!(group as Partial<ConditionGroup> | undefined)?.join || !isWellFormed(group)) return false;
  const conditions = filtersIn(group as ConditionGroup);
  return conditions.length <= groupLimits.filters && depthOf(group as ConditionGroup) <= groupLimits.depth && conditions.every(isSupported);
}

const isPlain = (value: unknown): boolean =>
  value === undefined || ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.length <= 2 && value.every(isPlain));
