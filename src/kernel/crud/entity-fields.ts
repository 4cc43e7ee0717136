import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { type FieldTraits, traitsOf } from '#shared/fields';
import { isEmpty, type Words } from '#shared/text';
import { moneyText } from './cells/cell-text.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';

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

type Wanted = CrudPageProps['fields'];

/** Those fields a screen names, in its order; all where it names none. */
function chosen<F extends ScreenField>(fields: readonly F[], wanted: Wanted): F[] {
  return wanted ? wanted.flatMap((name) => fields.find((field) => field.name === name) ?? []) : [...fields];
}

/** The columns of a table, in the order the screen or else the entity declares them. */
export const columnFields = ({ fields }: Entity, wanted?: Wanted): ScreenField[] =>
  chosen(
    fieldsIn(fields).filter(({ traits }) => traits.list !== false),
    wanted,
  );

/** The filters of a list; a list that takes none has none. */
export const searchFields = ({ list: { rows } }: CrudPageProps['crud'], wanted?: Wanted): ScreenField[] =>
  rows
    ? chosen(
        fieldsIn(rows.fields).filter(({ traits }) => traits.search),
        wanted,
      )
    : [];

/** A field an operator fills in. */
export interface FormField extends ScreenField {
  readonly required: boolean;
  /** True: the root ('0') is no answer. */
  readonly isRootless: boolean;
}

/** The fields an operator fills in, required or not as the entity says; a parent without a root always is. */
export function formFields(entity: Entity, wanted?: Wanted, parents: CrudPageProps['parents'] = {}): FormField[] {
  const required = new Set(entity.form.required as string[] | undefined);
  const entered = fieldsIn(entity.form.properties)
    .filter(({ traits }) => traits.form !== false)
    .map((field) => {
      const isRootless = parents[field.name]?.root === false;
      return { ...field, isRootless, required: isRootless || required.has(field.name) };
    });
  return chosen(entered, wanted);
}

/** What a form draws: the fields an operator fills in, and what the server makes of them. */
export function drawnFields(entity: Entity, wanted?: Wanted, parents: CrudPageProps['parents'] = {}): FormField[] {
  const made = fieldsIn(entity.fields).filter(({ traits }) => traits.productOf);
  return chosen([...formFields(entity, undefined, parents), ...made.map((field) => ({ ...field, required: false, isRootless: false }))], wanted);
}

/** What a read-only view shows: everything the screen shows or fills in, and when. */
export function viewFields(entity: Entity, wanted?: Wanted): ScreenField[] {
  const entered = new Set(formFields(entity).map(({ name }) => name));
  const shown = fieldsIn(entity.fields).filter(({ name, traits }) => entered.has(name) || traits.list !== false || name === 'updateTime');
  return chosen(shown, wanted && [...new Set([...wanted, 'createTime', 'updateTime'])]);
}

/** What an operator reads for a value; a choice reads as its title, nothing as nothing. */
export function readable({ traits }: ScreenField, value: unknown, say: (words: Words) => string): string {
  if (isEmpty(value)) return '';
  if (traits.widget === 'money') return moneyText(value);
  const option = traits.options?.find(([choice]) => String(choice) === String(value));
  return option ? say(option[1]) : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The default a schema declares, if any. */
export const presetOf = (schema: TSchema): unknown => (schema as { default?: unknown }).default;

/** A tree of rows as one list, parents before their children. */
export const flatten = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);

/** Fields in runs of one heading each. */
export function groupsOf<F extends ScreenField>(fields: readonly F[]): F[][] {
  const groups: F[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last[0]?.traits.group?.[0] === field.traits.group?.[0]) last.push(field);
    else groups.push([field]);
  }
  return groups;
}
