import { isEmpty } from '../text/text.ts';

/** Values of a record, a form or a request by the names of their fields. */
export type FieldValues = Readonly<Record<string, unknown>>;

type Scalar = string | number | boolean;

/**
 * Condition on the values of a form, as plain data that console and server evaluate alike: a field has one of some values, has none of them, is filled in or not, or
 * all or any of several conditions hold.
 */
export type Condition =
  | { readonly field: string; readonly is: Scalar | readonly Scalar[] }
  | { readonly field: string; readonly isNot: Scalar | readonly Scalar[] }
  | { readonly field: string; readonly filled: boolean }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

/** Evaluates a condition for these values. A number equals its text; a field with several values matches each of them. */
export function holds(condition: Condition, values: FieldValues): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, values));
  if ('any' in condition) return condition.any.some((part) => holds(part, values));
  const value = values[condition.field];
  if ('filled' in condition) return isEmpty(value) !== condition.filled;
  if ('is' in condition) return hasOne(value, condition.is);
  return !hasOne(value, condition.isNot);
}

/** Returns the names of the fields that a condition reads. */
export function conditionFields(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(conditionFields);
  if ('any' in condition) return condition.any.flatMap(conditionFields);
  return [condition.field];
}

function hasOne(value: unknown, expected: Scalar | readonly Scalar[]): boolean {
  const actual = [value].flat().flatMap((one: unknown) => (one === null || one === undefined ? [] : [String(one)]));
  return [expected].flat().some((one) => actual.includes(String(one)));
}
