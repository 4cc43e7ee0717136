import type { TSchema } from 'typebox';
import type { Widget } from '#shared/fields';
import type { ScreenField } from '../model/entity-fields.ts';
import type { Operator } from '../model/list-query.ts';

const texts: readonly Operator[] = ['like', 'notlike', 'equal', 'notequal', 'likeright', 'likeleft'];
const amounts: readonly Operator[] = ['equal', 'notequal', 'ge', 'le', 'gt', 'lt'];
const picked: readonly Operator[] = ['equal', 'notequal'];
const moments: readonly Operator[] = ['datege', 'datele', 'dategt', 'datelt'];

const lone: readonly Operator[] = ['null', 'notnull'];

const pickedKinds: ReadonlySet<Widget> = new Set(['choice', 'flag', 'dictionary', 'reference', 'parent']);

/** True when a value of this kind is picked by its title. */
export const isPicked = (widget: Widget) => pickedKinds.has(widget);

const fitting: { readonly [Kind in Widget]?: readonly Operator[] } = {
  number: amounts,
  money: amounts,
  date: amounts,
  time: amounts,
  choice: picked,
  flag: picked,
  dictionary: picked,
  reference: picked,
  parent: picked,
  'date-time': moments,
};

/** Returns the comparisons of a field, the most common first; nullable fields add tests for empty, multi-valued ones a test for several values. */
export function operatorsOf({ schema, traits }: ScreenField): readonly Operator[] {
  const operators = fitting[traits.widget] ?? texts;
  return [...operators, ...(mayBeEmpty(schema) ? lone : []), ...(traits.multiple ? (['several'] as const) : [])];
}

const mayBeEmpty = (schema: TSchema) => [(schema as { type?: string | string[] }).type].flat().includes('null');
