import type { Widget } from '#shared/fields';
import { writeList } from '#shared/list-address';
import { isEmpty, snakeCase } from '#shared/text';
import type { CrudCalls } from './crud-screen.ts';
import { type ScreenField, searchFields } from './entity-fields.ts';

/** Available page sizes; the first is the default. */
export const pageSizes = [10, 30, 50, 100, 200] as const;

/** Sort order by one field. */
export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Input of the search area by field; a range is a pair of times as `yyyy-MM-dd HH:mm:ss`, of which either may be missing. */
export type Filters = Readonly<Record<string, unknown>>;

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

/** Query of the current table. */
export interface ListQuery {
  readonly current: number;
  readonly size: number;
  readonly filters: Filters;
  /** Conditions that must all be met. */
  readonly conditions?: readonly FilterCondition[];
  readonly sort?: Sort | undefined;
}

/** Converts the query to parameters of the list call: text is matched by substring, options exactly, times between; an unpaged list gets no page. */
export function listInput(crud: CrudCalls, { current, size, filters, conditions = [], sort }: ListQuery): Record<string, unknown> {
  const paged = (crud.list.reply as { type?: string }).type !== 'array';
  return {
    ...(paged ? { current, size } : {}),
    ...(sort ? { [sort.direction === 'asc' ? 'ascs' : 'descs']: snakeCase(sort.field) } : {}),
    ...Object.assign({}, ...searchFields(crud).map((field) => filterInput(field, filters[field.name])), ...conditions.map(conditionInput)),
  };
}

/** True when the query filters the list. */
export const hasFilters = ({ filters, conditions = [] }: ListQuery): boolean =>
  conditions.length > 0 || Object.values(filters).some((value) => !isEmpty(value));

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

const conditionInput = ({ field, operator, value }: FilterCondition) => ({
  [`${field}_${operator}`]: takesNoValue(operator) ? 'true' : value,
});

/** True when the comparison takes no value. */
export const takesNoValue = (operator: Operator): boolean => operator === 'null' || operator === 'notnull' || operator === 'several';

/** Widgets whose values are picked or counted, and therefore matched exactly. */
const exactWidgets: ReadonlySet<Widget> = new Set(['number', 'money', 'choice', 'flag', 'dictionary', 'reference', 'parent', 'date', 'time']);

function filterInput({ name, traits }: ScreenField, value: unknown): Record<string, unknown> {
  if (traits.widget === 'date-time') return rangeInput(name, value, ['dategt', 'datelt']);
  if (traits.compare === 'between') return rangeInput(name, value, ['ge', 'le']);
  const trimmed = typeof value === 'string' ? value.trim() : value;
  if (isEmpty(trimmed)) return {};
  if (traits.compare) return { [`${name}_${traits.compare}`]: trimmed };
  const matchedWithin = !exactWidgets.has(traits.widget);
  return { [matchedWithin ? name : `${name}_equal`]: trimmed };
}

/** Builds the parameters of a range; either end may be open. */
function rangeInput(name: string, value: unknown, [lower, upper]: readonly [Operator, Operator]): Record<string, unknown> {
  const [from, to] = Array.isArray(value) ? value : [];
  return { ...(isEmpty(from) ? {} : { [`${name}_${lower}`]: from }), ...(isEmpty(to) ? {} : { [`${name}_${upper}`]: to }) };
}
