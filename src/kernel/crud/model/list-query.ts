import { type FilterGroup, filtersIn } from '#shared/filter-groups';
import { type ListLayout, writeConditions, writeList } from '#shared/list-address';
import { conditionParameter, filterParameters } from '#shared/list-parameters';
import { isEmpty, snakeCase } from '#shared/text';
import type { CrudCalls } from './crud-screen.ts';
import { searchFields } from './entity-fields.ts';

/** Available page sizes; the first is the default. */
export const pageSizes = [10, 30, 50, 100, 200] as const;

/** Sort order by one field. */
export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Input of the search area by field; a range is a pair of times as `yyyy-MM-dd HH:mm:ss`, of which either may be missing. */
export type FilterValues = Readonly<Record<string, unknown>>;

/** Comparison of a condition; the names are the suffixes of query parameters in the wire format. */
export type Operator =
  | 'like'
  | 'notlike'
  | 'equal'
  | 'notequal'
  | 'likeright'
  | 'likeleft'
  | 'ge'
  | 'le'
  | 'gt'
  | 'lt'
  | 'datege'
  | 'datele'
  | 'dategt'
  | 'datelt'
  | 'null'
  | 'notnull'
  | 'several';

/** One condition of the filter builder; `null`, `notnull` and `several` take no value. */
export interface FilterCondition {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: string | number | boolean | undefined;
}

/** Group of conditions, of which rows meet all or any. */
export type ConditionGroup = FilterGroup<FilterCondition>;

/** Query of the current table. */
export interface ListQuery {
  readonly current: number;
  readonly size: number;
  readonly filters: FilterValues;
  /** Conditions that must all be met. */
  readonly conditions?: readonly FilterCondition[];
  /** Group that rows must meet in addition, for conditions that are not simply all met. */
  readonly where?: ConditionGroup | undefined;
  readonly sort?: Sort | undefined;
  /** View other than a plain table. */
  readonly layout?: ListLayout | undefined;
}

/** Converts the query to parameters of the list call: text is matched by substring, options exactly, times between; an unpaged list gets no page. */
export function listInput(crud: CrudCalls, { current, size, filters, conditions = [], where, sort }: ListQuery): Record<string, unknown> {
  const paged = (crud.list.reply as { type?: string }).type !== 'array';
  return {
    ...(paged ? { current, size } : {}),
    ...(sort ? { [sort.direction === 'asc' ? 'ascs' : 'descs']: snakeCase(sort.field) } : {}),
    ...Object.assign({}, ...searchFields(crud).map((field) => filterParameters(field, filters[field.name])), ...conditions.map(conditionParameter)),
    ...(where ? { where: writeConditions(where) } : {}),
  };
}

/** True when the query filters the list. */
export const hasFilters = (query: ListQuery): boolean => countFilters(query) > 0;

/** Returns the number of filters and conditions; each part of a group counts. */
export const countFilters = ({ filters, conditions = [], where }: ListQuery): number =>
  Object.values(filters).filter((value) => !isEmpty(value)).length + conditions.length + (where ? filtersIn(where).length : 0);

/** True when neither the filters nor the conditions have changed between two states of a query. */
export const hasSameFilters = (one: ListQuery, other: ListQuery): boolean =>
  one.filters === other.filters && one.conditions === other.conditions && one.where === other.where;

/** True when two queries state the same list. */
export function isSameQuery(one: ListQuery, other: ListQuery): boolean {
  const textOf = (query: ListQuery) => {
    const parameters = new URLSearchParams();
    writeList(parameters, query);
    parameters.sort();
    return String(parameters);
  };
  return textOf(one) === textOf(other);
}
