import { isEmpty } from './text.ts';

type Plain = string | number | boolean;

/** When something holds, as plain data that both halves judge alike: a field has one of some values, has none of them, is filled in or not, and all or any of these. */
export type Condition =
  | { readonly field: string; readonly is: Plain | readonly Plain[] }
  | { readonly field: string; readonly isNot: Plain | readonly Plain[] }
  | { readonly field: string; readonly filled: boolean }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

type Values = Readonly<Record<string, unknown>>;

/** Whether a condition holds for these values. Numbers and their text are the same; a field of several values has each of them. */
export function holds(condition: Condition, values: Values): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, values));
  if ('any' in condition) return condition.any.some((part) => holds(part, values));
  const value = values[condition.field];
  if ('filled' in condition) return isEmpty(value) !== condition.filled;
  if ('is' in condition) return hasOne(value, condition.is);
  return !hasOne(value, condition.isNot);
}

/** The fields a condition asks about. */
export function fieldsAskedBy(condition: Condition): string[] {
  if ('all' in condition) return condition.all.flatMap(fieldsAskedBy);
  if ('any' in condition) return condition.any.flatMap(fieldsAskedBy);
  return [condition.field];
}

function hasOne(value: unknown, wanted: Plain | readonly Plain[]): boolean {
  const held = [value].flat().flatMap((one: unknown) => (one === null || one === undefined ? [] : [String(one)]));
  return [wanted].flat().some((one) => held.includes(String(one)));
}
