import type { TObject, TSchema } from 'typebox';
import { holds } from '#shared/condition';
import type { Entity } from '#shared/contract';
import { type FieldTraits, traitsOf } from '#shared/fields';
import { isEmpty, type LocalizedText } from '#shared/text';
import type { Translate } from '../../platform/i18n/use-translation.ts';
import { moneyText } from './cell-text.ts';
import type { CrudPageProps, PendingRowAction, Row } from './crud-screen.ts';

/** A field of an entity for a screen. */
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

type FieldSelection = CrudPageProps['fields'];

/** Selects the fields a screen names, in its order; all where it names none. */
function pickFields<F extends ScreenField>(fields: readonly F[], selection: FieldSelection): F[] {
  return selection ? selection.flatMap((name) => fields.find((field) => field.name === name) ?? []) : [...fields];
}

/** Returns the columns of a table, in the order of the screen or else of the entity. */
export const columnFields = ({ fields }: Entity, selection?: FieldSelection): ScreenField[] =>
  pickFields(
    fieldsIn(fields).filter(({ traits }) => traits.list !== false),
    selection,
  );

/** Returns the filters of a list, empty for a list that takes none. The creation time is always a filter, the last one unless the screen places it. */
export const searchFields = ({ list: { filterable: rows } }: CrudPageProps['crud'], selection?: FieldSelection): ScreenField[] =>
  rows
    ? pickFields(
        fieldsIn(rows.fields).filter(({ traits }) => traits.search),
        selection && [...new Set([...selection, 'createTime'])],
      )
    : [];

/** Form value of a secret field that asks for the stored secret to be removed; an empty value keeps the stored secret. */
export const removedSecret = Symbol('removed secret');

/** A field of a form. */
export interface FormField extends ScreenField {
  readonly required: boolean;
  /** True when the root ('0') is not a valid value. */
  readonly excludesRoot: boolean;
}

/** Returns the fields of a form, required as the entity declares; a parent field that does not allow the root is always required. */
export function formFields(entity: Entity, selection?: FieldSelection, parents: CrudPageProps['parents'] = {}): FormField[] {
  const required = new Set(entity.form.required as string[] | undefined);
  const editableFields = fieldsIn(entity.form.properties)
    .filter(({ traits }) => traits.form !== false)
    .map((field) => {
      const excludesRoot = parents[field.name]?.root === false;
      return { ...field, excludesRoot, required: excludesRoot || required.has(field.name) };
    });
  return pickFields(editableFields, selection);
}

/** Returns the fields of a form for an action, required as its call requires them. The call may also take fields of the row that no other form contains. */
export function actionFields(entity: Entity, { fields, call }: Pick<PendingRowAction, 'fields' | 'call'>): FormField[] {
  const { properties = {}, required } = call.input as Partial<TObject>;
  const isRequired = (name: string) => required?.some((one) => one === name) ?? false;
  const known = formFields(entity);
  return fields.flatMap((name): FormField[] => {
    const inForm = known.find((one) => one.name === name);
    if (inForm) return [{ ...inForm, required: inForm.required || isRequired(name) }];
    const schema = properties[name];
    return schema ? fieldsIn({ [name]: schema }).map((field) => ({ ...field, required: isRequired(name), excludesRoot: false })) : [];
  });
}

/** Tests whether forms can edit a row, by the condition of its entity and that of the screen. */
export const isEditable = ({ editableWhen }: Entity, actions: CrudPageProps['actions'], row: Row): boolean =>
  (editableWhen === undefined || holds(editableWhen, row)) && actions?.edit?.(row) !== false;

/** Returns the fields a form renders: its inputs and the fields the server computes from them. */
export function renderedFields(entity: Entity, selection?: FieldSelection, parents: CrudPageProps['parents'] = {}): FormField[] {
  const computedFields = fieldsIn(entity.fields).filter(({ traits }) => traits.computedFrom);
  return pickFields(
    [...formFields(entity, undefined, parents), ...computedFields.map((field) => ({ ...field, required: false, excludesRoot: false }))],
    selection,
  );
}

/** Returns the fields of a read-only view: all columns, all form fields and the time of the last change. */
export function viewFields(entity: Entity, selection?: FieldSelection): ScreenField[] {
  const formFieldNames = new Set(formFields(entity).map(({ name }) => name));
  const shown = fieldsIn(entity.fields).filter(({ name, traits }) => formFieldNames.has(name) || traits.list !== false || name === 'updateTime');
  return pickFields(shown, selection && [...new Set([...selection, 'createTime', 'updateTime'])]);
}

/** Formats a value as text; an option as its title, an empty value as ''. */
export function formatValue({ traits }: ScreenField, value: unknown, t: (text: LocalizedText) => string): string {
  if (isEmpty(value)) return '';
  if (traits.widget === 'money') return moneyText(value);
  const option = traits.options?.find(([choice]) => String(choice) === String(value));
  return option ? t(option[1]) : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** True for a column whose text names its row. */
export const isTitleField = ({ traits, schema }: ScreenField): boolean => traits.widget === 'text' && (schema as { format?: string }).format !== 'int64';

/** Returns the column that opens the record of its row: the first text or, where that can be empty, a required reference before it. */
export function titleColumn<Column extends { readonly field: ScreenField }>(columns: readonly Column[]): Column | undefined {
  const place = columns.findIndex(({ field }) => isTitleField(field));
  const text = columns[place];
  if (text && !isNullable(text.field.schema)) return text;
  const isNamed = ({ field: { traits, schema } }: Column) => traits.widget === 'reference' && !traits.multiple && !isNullable(schema);
  return columns.slice(0, text ? place : undefined).find(isNamed) ?? text;
}

/** True for a field that can be empty. */
export const isNullable = (schema: TSchema): boolean => [(schema as { type?: string | string[] }).type].flat().includes('null');

/** Returns the heading of a column, with the unit of its values, so that the cells do not repeat it. */
export function headingOf({ traits }: ScreenField, t: Translate, title: LocalizedText = traits.progress?.title ?? traits.title): string {
  return traits.unit ? t('table.titleWithUnit', { title: t(title), unit: t(traits.unit) }) : t(title);
}

/** Returns the text of a field that has texts in both languages; undefined for other fields and without an English text. */
export function translatedText({ name, traits: { englishIn } }: ScreenField, row: Row, t: Translate): string | undefined {
  const english = englishIn && row[englishIn];
  return typeof english === 'string' && !isEmpty(english) ? t([String(row[name]), english]) : undefined;
}

/** Returns the field that names the rows of a screen: a text, or a reference where they have none that is never empty. */
export const namingField = (entity: Entity, selection?: FieldSelection): ScreenField | undefined =>
  titleColumn(columnFields(entity, selection).map((field) => ({ field })))?.field;

/** Returns the name of a row in titles and questions: the text that names it, if any. */
export function rowName(entity: Entity, row: Row, t: Translate, selection?: FieldSelection): string | undefined {
  const titleField = namingField(entity, selection);
  const value = titleField && isTitleField(titleField) && (translatedText(titleField, row, t) ?? row[titleField.name]);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the default of a schema, if any. */
export const defaultOf = (schema: TSchema): unknown => (schema as { default?: unknown }).default;

/** Flattens a tree of rows, parents before their children. */
export const flatten = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flatten(row.children ?? [])]);

/** Splits fields into runs that share a group heading. */
export function groupsOf<F extends ScreenField>(fields: readonly F[]): F[][] {
  const groups: F[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last && last[0]?.traits.group?.[0] === field.traits.group?.[0]) last.push(field);
    else groups.push([field]);
  }
  return groups;
}
