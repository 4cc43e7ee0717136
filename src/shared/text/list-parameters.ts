import { isEmpty } from './text.ts';

/** One condition of a list, as far as its parameter depends on it. */
interface ListCondition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** Returns the parameter of a condition of the filter builder. */
export const conditionParameter = ({ field, operator, value }: ListCondition): Record<string, unknown> => ({
  [`${field}_${operator}`]: takesNoValue(operator) ? 'true' : value,
});

/** True when the comparison takes no value. */
export const takesNoValue = (operator: string): boolean => operator === 'null' || operator === 'notnull' || operator === 'several';

/** Widgets whose values are picked or counted, and therefore matched exactly. */
const exactWidgets: ReadonlySet<string> = new Set(['number', 'money', 'choice', 'flag', 'dictionary', 'reference', 'parent', 'date', 'time']);

/** A field of a list, as far as its filter depends on it. */
interface FilterField {
  readonly name: string;
  readonly traits: { readonly widget: string; readonly compare?: string | undefined };
}

/** Returns the parameters of a filter: text is matched by substring, options exactly, times between. An empty filter has none. */
export function filterParameters({ name, traits }: FilterField, value: unknown): Record<string, unknown> {
  if (traits.widget === 'date-time') return rangeParameters(name, value, ['dategt', 'datelt']);
  if (traits.compare === 'between') return rangeParameters(name, value, ['ge', 'le']);
  const trimmed = typeof value === 'string' ? value.trim() : value;
  if (isEmpty(trimmed)) return {};
  if (traits.compare) return { [`${name}_${traits.compare}`]: trimmed };
  return { [exactWidgets.has(traits.widget) ? `${name}_equal` : name]: trimmed };
}

/** Builds the parameters of a range; either end may be open. */
function rangeParameters(name: string, value: unknown, [lower, upper]: readonly [string, string]): Record<string, unknown> {
  const [from, to] = Array.isArray(value) ? value : [];
  return { ...(isEmpty(from) ? {} : { [`${name}_${lower}`]: from }), ...(isEmpty(to) ? {} : { [`${name}_${upper}`]: to }) };
}
