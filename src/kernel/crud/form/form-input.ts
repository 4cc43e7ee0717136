import type { FieldValues } from '#shared/condition';
import type { Widget } from '#shared/fields';
import { isEmpty } from '#shared/text';
import { fieldStateOf } from '#shared/validation';
import type { RequestResult } from '../../platform/http/observe-request.ts';
import { defaultOf, type FormField, removedSecret } from '../model/entity-fields.ts';
import { isSameValue } from './field-changes.ts';

/** Widgets whose text is sent unchanged, including leading and trailing blanks. */
const verbatimWidgets: ReadonlySet<Widget> = new Set<Widget>(['textarea', 'rich-text', 'code', 'secret']);

const isVisible = ({ schema, required }: FormField, values: FieldValues, id: string | undefined) => fieldStateOf(schema, { ...values, id }, required).visible;

/** Returns the input of a call with the values of a form; hidden fields get their defaults. */
export function inputOf(fields: readonly FormField[], values: FieldValues, id: string | undefined): FieldValues {
  const entries = fields.flatMap((field) => {
    const { name, schema, traits, required } = field;
    const value = values[name];
    if (!isVisible(field, values, id)) return [[name, (traits.keepWhenHidden ? value : undefined) ?? defaultOf(schema) ?? null]];
    if (value === removedSecret) return [[name, null]];
    // An empty secret is not sent, so the stored one stays.
    if (traits.widget === 'secret' && isEmpty(value)) return [];
    const trimmed = typeof value === 'string' && !verbatimWidgets.has(traits.widget) ? value.trim() : value;
    return [[name, isEmpty(trimmed) && !required ? null : trimmed]];
  });
  return Object.fromEntries(entries);
}

interface EditedForm {
  readonly input: FieldValues;
  readonly values: FieldValues;
  /** Values of the form when the row was opened. */
  readonly opened: FieldValues;
  readonly id: string;
}

/** Returns the part of the input that differs from the opened row, or whose field was hidden then; of secrets those that are replaced or removed. */
export function changedInput(fields: readonly FormField[], { input, values, opened, id }: EditedForm): FieldValues {
  const before = inputOf(fields, opened, id);
  const appeared = new Set(fields.filter((field) => isVisible(field, values, id) && !isVisible(field, opened, id)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => appeared.has(name) || !Object.hasOwn(before, name) || !isSameValue(value, before[name])),
  );
}

/** A stored record that has the value of a unique field. */
export interface UniqueHolder {
  /** Name of the field. */
  readonly field: string;
  /** The refused value; once the field has another value, this record no longer applies. */
  readonly value: unknown;
  readonly id: string;
  /** Absent if the user may not see it. */
  readonly name?: string;
}

/** Reads the record that the server names in its refusal of a duplicate, if it names one. */
export function uniqueHolderOf(answer: RequestResult, field: string, value: unknown): UniqueHolder | undefined {
  const { id, name } = (('details' in answer && answer.details) || {}) as { readonly id?: unknown; readonly name?: unknown };
  if (typeof id !== 'string') return undefined;
  return { field, value, id, ...(typeof name === 'string' ? { name } : {}) };
}
