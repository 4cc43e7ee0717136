import type { Widget } from '#shared/fields';
import { isEmpty } from '#shared/text';
import { fieldStateOf } from '#shared/validation';
import { type FormField, presetOf, removedSecret } from '../model/entity-fields.ts';
import { isSameValue } from './field-changes.ts';

type Values = Readonly<Record<string, unknown>>;

/** Widgets whose text is sent unchanged, including leading and trailing blanks. */
const verbatimWidgets: ReadonlySet<Widget> = new Set<Widget>(['textarea', 'rich-text', 'code', 'secret']);

const isVisible = ({ schema, required }: FormField, values: Values, id: string | undefined) => fieldStateOf(schema, { ...values, id }, required).visible;

/** Returns the input of a call with the values of a form; hidden fields get their defaults. */
export function inputOf(fields: readonly FormField[], values: Values, id: string | undefined): Values {
  const entries = fields.flatMap((field) => {
    const { name, schema, traits, required } = field;
    const value = values[name];
    if (!isVisible(field, values, id)) return [[name, (traits.keepWhenHidden ? value : undefined) ?? presetOf(schema) ?? null]];
    if (value === removedSecret) return [[name, null]];
    // An empty secret is not sent, so the stored one stays.
    if (traits.widget === 'secret' && isEmpty(value)) return [];
    const trimmed = typeof value === 'string' && !verbatimWidgets.has(traits.widget) ? value.trim() : value;
    return [[name, isEmpty(trimmed) && !required ? null : trimmed]];
  });
  return Object.fromEntries(entries);
}

interface EditedForm {
  readonly input: Values;
  readonly values: Values;
  /** Values of the form when the row was opened. */
  readonly opened: Values;
  readonly id: string;
}

/** Returns the part of the input that differs from the opened row, or whose field was hidden then; of secrets those that are replaced or removed. */
export function changedInput(fields: readonly FormField[], { input, values, opened, id }: EditedForm): Values {
  const before = inputOf(fields, opened, id);
  const appeared = new Set(fields.filter((field) => isVisible(field, values, id) && !isVisible(field, opened, id)).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => appeared.has(name) || !Object.hasOwn(before, name) || !isSameValue(value, before[name])),
  );
}
