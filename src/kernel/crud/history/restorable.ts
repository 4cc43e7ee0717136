import type { TObject, TSchema } from 'typebox';
import { traitsOf } from '#shared/fields';
import type { HistoryEntry } from '#shared/history-schemas';
import { isEmpty } from '#shared/text';
import { isSameValue } from '../form/field-changes.ts';
import type { CrudCalls, Row } from '../model/crud-screen.ts';
import { formFields, type ScreenField } from '../model/entity-fields.ts';

/** Earlier values of some fields of a record, and the time at which it had them. */
export interface EarlierValues {
  readonly time: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Returns the fields that an edit of the record can set, by name. */
export function restorableFields({ entity, submit }: CrudCalls): ReadonlyMap<string, ScreenField & { readonly required: boolean }> {
  const { properties = {} } = (submit?.input ?? {}) as Partial<TObject>;
  const fields = formFields(entity).filter(({ name, schema, traits }) => {
    const { immutable, computedFrom, form } = { ...traits, ...traitsOf((properties[name] as TSchema | undefined) ?? schema) };
    return (name in properties || isAddedField(name)) && form !== false && !immutable && !computedFrom && traits.widget !== 'secret';
  });
  return new Map(fields.map((field) => [field.name, field]));
}

/** Tests whether a plugin has added the field: its name then begins with the id of the plugin. */
const isAddedField = (name: string) => name.includes(':');

/** Returns the values after the entry at `index` of the fields that later entries changed. `entries` are newest first. */
export function valuesAfter(entries: readonly HistoryEntry[], index: number): EarlierValues {
  const values: Record<string, unknown> = {};
  for (const { fields } of entries.slice(0, index)) for (const [name, [from]] of Object.entries(fields)) values[name] = from;
  return { time: entries[index]?.time ?? '', values };
}

/** Keeps the values that differ from the current ones and that an edit can set. */
export function restorableValues(crud: CrudCalls, row: Row, { time, values }: EarlierValues): EarlierValues {
  const fields = restorableFields(crud);
  const different = Object.entries(values).filter(([name, value]) => {
    const field = fields.get(name);
    return field !== undefined && !(field.required && isEmpty(value)) && !isSameValue(row[name], value);
  });
  return { time, values: Object.fromEntries(different) };
}
