import type { Widget } from '#shared/fields';
import { isNullable, type ScreenField } from '../model/entity-fields.ts';
import type { Operator } from '../model/list-query.ts';

const textOperators: readonly Operator[] = ['like', 'notlike', 'equal', 'notequal', 'likeright', 'likeleft'];
const numberOperators: readonly Operator[] = ['equal', 'notequal', 'ge', 'le', 'gt', 'lt'];
const optionOperators: readonly Operator[] = ['equal', 'notequal'];
const timeOperators: readonly Operator[] = ['datege', 'datele', 'dategt', 'datelt'];

const emptyOperators: readonly Operator[] = ['null', 'notnull'];

const optionWidgets: ReadonlySet<Widget> = new Set(['choice', 'flag', 'dictionary', 'reference', 'parent']);

/** True when a value of this kind is picked by its title. */
export const hasOptions = (widget: Widget) => optionWidgets.has(widget);

const operatorsByWidget: { readonly [Kind in Widget]?: readonly Operator[] } = {
  number: numberOperators,
  money: numberOperators,
  date: numberOperators,
  time: numberOperators,
  choice: optionOperators,
  flag: optionOperators,
  dictionary: optionOperators,
  reference: optionOperators,
  parent: optionOperators,
  'date-time': timeOperators,
};

/** Returns the comparisons of a field, the most common first; nullable fields add tests for empty, multi-valued ones a test for several values. */
export function operatorsOf({ schema, traits }: ScreenField): readonly Operator[] {
  const operators = operatorsByWidget[traits.widget] ?? textOperators;
  return [...operators, ...(isNullable(schema) ? emptyOperators : []), ...(traits.multiple ? (['several'] as const) : [])];
}
