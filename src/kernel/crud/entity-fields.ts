import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { type FieldTraits, traitsOf } from '#shared/fields';
import { isEmpty, type Words } from '#shared/text';
import type { CrudCalls, Row } from './crud-screen.ts';

/** A field of an entity as a screen meets it. */
export interface ScreenField {
  readonly name: string;
  readonly schema: TSchema;
  readonly traits: FieldTraits;
}

function fieldsIn(properties: Readonly<Record<string, TSchema>>): ScreenField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const traits = traitsOf(schema);
    return traits ? [{ name, schema, traits }] : [];
  });
}

/** The columns of a table, in the order the entity declares them. */
export const columnFields = (entity: Entity): ScreenField[] => fieldsIn(entity.fields).filter(({ traits }) => traits.list !== false);

/** The filters of a list; a list that takes none has none. */
export const searchFields = ({ list }: CrudCalls): ScreenField[] => (list.rows ? fieldsIn(list.rows.fields).filter(({ traits }) => traits.search) : []);

/** A field an operator fills in. */
export interface FormField extends ScreenField {
  readonly required: boolean;
}

/** The fields an operator fills in, required or not as the entity says. */
export function formFields(entity: Entity): FormField[] {
  const required = new Set(entity.form.required as string[] | undefined);
  return fieldsIn(entity.form.properties)
    .filter(({ traits }) => traits.form !== false)
    .map((field) => ({ ...field, required: required.has(field.name) }));
}

/** What a read-only view shows: everything filled in, and when. */
export function viewFields(entity: Entity): ScreenField[] {
  const entered = new Set(formFields(entity).map(({ name }) => name));
  return fieldsIn(entity.fields).filter(({ name, traits }) => entered.has(name) || traits.list !== false || name === 'updateTime');
}

/** What an operator reads for a value; a choice reads as its title, nothing as nothing. */
export function readable({ traits }: ScreenField, value: unknown, say: (words: Words) => string): string {
  if (isEmpty(value)) return '';
  const option = traits.options?.find(([choice]) => String(choice) === String(value));
  return option ? say(option[1]) : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The default a schema declares, if any. */
export const presetOf = (schema: TSchema): unknown => (schema as { default?: unknown }).default;

/** A tree of rows as one list, parents before their children. */
export const flatten = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);
