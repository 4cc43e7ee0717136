import type { Widget } from '#shared/fields';
import { isEmpty, snakeCase } from '#shared/text';
import type { CrudCalls } from './crud-screen.ts';
import { type ScreenField, searchFields } from './entity-fields.ts';

/** The page sizes on offer, `product.md` §9; the first is the default. */
export const pageSizes = [10, 30, 50, 100, 200] as const;

/** One field orders the list. */
export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** What an operator typed or picked, by field; a range is a pair of which either may be missing, of moments as `yyyy-MM-dd HH:mm:ss`. */
export type Filters = Readonly<Record<string, unknown>>;

/** How a value is compared, by the suffixes of `wire.md` §1.5. */
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

/** One condition an operator has put together; `null`, `notnull` and `several` have no value. */
export interface FilterCondition {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: string | number | boolean | undefined;
}

/** What the table on screen asks for. */
export interface ListQuery {
  readonly current: number;
  readonly size: number;
  readonly filters: Filters;
  /** All of them must be met. */
  readonly conditions?: readonly FilterCondition[];
  readonly sort?: Sort | undefined;
}

/** The query as the wire speaks it, `wire.md` §1.3 and §1.5: text is matched within, choices exactly, times between; a list that is not paged gets no page. */
export function listInput(crud: CrudCalls, { current, size, filters, conditions = [], sort }: ListQuery): Record<string, unknown> {
  const paged = (crud.list.reply as { type?: string }).type !== 'array';
  return {
    ...(paged ? { current, size } : {}),
    ...(sort ? { [sort.direction === 'asc' ? 'ascs' : 'descs']: snakeCase(sort.field) } : {}),
    ...Object.assign({}, ...searchFields(crud).map((field) => filterInput(field, filters[field.name])), ...conditions.map(conditionInput)),
  };
}

/** True when not every row is asked for. */
export const isNarrowed = ({ filters, conditions = [] }: ListQuery): boolean =>
  conditions.length > 0 || Object.values(filters).some((value) => !isEmpty(value));

const conditionInput = ({ field, operator, value }: FilterCondition) => ({
  [`${field}_${operator}`]: isLone(operator) ? 'true' : value,
});

/** True: the comparison has no value. */
export const isLone = (operator: Operator): boolean => operator === 'null' || operator === 'notnull' || operator === 'several';

/** Kinds whose values are picked or counted, and so are asked for exactly. */
const exact: ReadonlySet<Widget> = new Set(['number', 'money', 'choice', 'flag', 'dictionary', 'reference', 'parent', 'date', 'time']);

function filterInput({ name, traits }: ScreenField, value: unknown): Record<string, unknown> {
  if (traits.widget === 'date-time') return rangeInput(name, value, ['dategt', 'datelt']);
  if (traits.compare === 'between') return rangeInput(name, value, ['ge', 'le']);
  const asked = typeof value === 'string' ? value.trim() : value;
  if (isEmpty(asked)) return {};
  if (traits.compare) return { [`${name}_${traits.compare}`]: asked };
  const matchedWithin = !exact.has(traits.widget);
  return { [matchedWithin ? name : `${name}_equal`]: asked };
}

/** Either end may be open. */
function rangeInput(name: string, value: unknown, [least, most]: readonly [Operator, Operator]): Record<string, unknown> {
  const [from, to] = Array.isArray(value) ? value : [];
  return { ...(isEmpty(from) ? {} : { [`${name}_${least}`]: from }), ...(isEmpty(to) ? {} : { [`${name}_${most}`]: to }) };
}
