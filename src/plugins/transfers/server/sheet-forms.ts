import type { TObject, TSchema } from 'typebox';
import type { ReferenceReader, ServedScreen } from '#server';
import { type Entity, isSecret } from '#shared/entity';
import { type Option, traitsOf } from '#shared/fields';
import { findViolation, type Rule } from '#shared/rules';
import type { Language, LocalizedText } from '#shared/text';
import { fieldProblem, fieldStateOf, notAnOption } from '#shared/validation';
import { columnsOf, parseCell, type SheetColumn, type SheetRow, textOf } from './sheets/cells.ts';

/** A generic screen whose rows can be exported and imported. */
export interface TransferTarget extends Pick<ServedScreen, 'crud' | 'repository' | 'title' | 'exportWhere'> {
  readonly entity: Entity;
}

/** Field of each column of a sheet. */
export type ColumnMapping = readonly { readonly column: number; readonly field: string }[];

/** A problem with one field of one row. */
export interface LocalizedRowProblem {
  readonly row: number;
  readonly field: string;
  readonly message: LocalizedText;
}

/** A field that a sheet may fill. */
export interface FormColumn extends SheetColumn {
  readonly required: boolean;
}

const formOf = ({ crud }: TransferTarget) => crud.submit.input as TObject & { required?: string[] };

/** Lists the fields of a screen's form as columns of a sheet. */
export function formColumns(target: TransferTarget, language: Language, entries: ReadonlyMap<string, readonly Option[]>): FormColumn[] {
  const { properties, required = [] } = formOf(target);
  const fields = Object.fromEntries(
    Object.entries(properties as Record<string, TSchema>)
      .filter(([name]) => name !== 'id')
      .map(([name, schema]) => [name, withEntityTraits(target.entity, name, schema)]),
  );
  return columnsOf(fields, language, entries)
    .filter(({ traits }) => traits.form !== false)
    .map((column) => ({ ...column, required: isRequired(column, required) }));
}

/** Adds the traits of the entity's field to a parameter of the form that has none, so that what is exported can be imported. */
function withEntityTraits({ fields, form }: Entity, name: string, schema: TSchema): TSchema {
  const traits = Object.hasOwn(form.properties, name) ? traitsOf(fields[name] as TSchema) : undefined;
  return traits && !traitsOf(schema) ? ({ ...schema, field: traits } as TSchema) : schema;
}

/** Tests whether a field is required; fields with a default are not. */
function isRequired({ name, schema }: SheetColumn, required: readonly string[]): boolean {
  const preset = (schema as { default?: unknown }).default;
  return preset === undefined && fieldStateOf(schema, {}, required.includes(name)).required;
}

/** Matches columns whose heading is a field's name or its title in either language, ignoring marks of required fields. */
export function mappingOf(headings: readonly string[], columns: readonly FormColumn[]): ColumnMapping {
  const usedNames = new Set<string>();
  return headings.flatMap((heading, column) => {
    const plain = heading.replace(/[*＊\s]+/g, '').toLowerCase();
    const field = columns.find(
      ({ name, traits }) => !usedNames.has(name) && [name, ...traits.title].some((title) => title.replace(/\s+/g, '').toLowerCase() === plain),
    );
    if (!field) return [];
    usedNames.add(field.name);
    return [{ column, field: field.name }];
  });
}

/** Converts a row of a sheet to form values, and lists all its problems. */
export async function formOfRow(
  columns: readonly FormColumn[],
  mapping: ColumnMapping,
  { row, cells }: SheetRow,
  references: ReferenceReader | undefined,
  rules: readonly Rule[] = [],
): Promise<{ form: object; problems: LocalizedRowProblem[] }> {
  const values: Record<string, unknown> = {};
  for (const column of columns) {
    const columnIndex = mapping.find(({ field }) => field === column.name)?.column;
    const value = columnIndex === undefined ? undefined : parseCell(column, cells[columnIndex] ?? null);
    const preset = (column.schema as { default?: unknown }).default;
    if (value !== undefined) values[column.name] = value;
    else if (preset !== undefined) values[column.name] = preset;
  }
  const unresolved = references ? await resolveReferences(columns, values, references) : new Map<string, LocalizedText>();
  const problems = columns.flatMap(({ name, schema, options, traits, required }) => {
    const referenceProblem = unresolved.get(name);
    if (referenceProblem) return [{ row, field: name, message: referenceProblem }];
    const fieldState = fieldStateOf(schema, values, required);
    if (!fieldState.visible) return [];
    const message = fieldProblem(schema, values[name], fieldState.required) ?? unknownEntryMessage(traits.dictionary, options, values[name], traits.title);
    return message ? [{ row, field: name, message }] : [];
  });
  return { form: values, problems: problems.length > 0 ? problems : ruleProblems(columns, rules, row, values) };
}

/** Checks the rules between fields of a row whose fields are all valid. */
function ruleProblems(columns: readonly FormColumn[], rules: readonly Rule[], row: number, values: Record<string, unknown>): LocalizedRowProblem[] {
  const properties = Object.fromEntries(columns.map(({ name, schema }) => [name, schema]));
  const violation = findViolation(rules, properties, values);
  return violation ? [{ row, field: violation.name, message: violation.message }] : [];
}

/** Replaces titles of other rows by their values; returns an error for each unknown or ambiguous title. */
async function resolveReferences(
  columns: readonly FormColumn[],
  values: Record<string, unknown>,
  references: ReferenceReader,
): Promise<Map<string, LocalizedText>> {
  const messages = new Map<string, LocalizedText>();
  for (const { name, traits } of columns) {
    if (!traits.reference || values[name] === undefined) continue;
    const found: string[] = [];
    for (const text of [values[name]].flat()) {
      const resolved = await references.valueOf(traits, String(text), values);
      if ('value' in resolved) found.push(resolved.value);
      else messages.set(name, resolved.problem);
    }
    values[name] = traits.multiple ? found : found[0];
  }
  return messages;
}

/** Reports an entry that a dictionary lacks; without a plugin for dictionaries every entry is accepted. */
function unknownEntryMessage(dictionary: string | undefined, options: readonly Option[], value: unknown, title: LocalizedText): LocalizedText | undefined {
  if (!dictionary || options.length === 0 || value === undefined) return undefined;
  const optionKeys = new Set(options.map(([key]) => String(key)));
  return [value].flat().every((one) => optionKeys.has(String(one))) ? undefined : notAnOption(title);
}

/** Returns a row's cells as text. */
export const textsOf = ({ cells }: SheetRow, width: number): string[] => Array.from({ length: width }, (_, index) => textOf(cells[index] ?? null));

/** Masks texts in columns of secret fields. */
export function maskSecrets(texts: readonly string[], columns: readonly FormColumn[], mapping: ColumnMapping): string[] {
  const secrets = new Set(columns.filter(({ schema }) => isSecret(schema)).map(({ name }) => name));
  const maskedColumns = new Set(mapping.filter(({ field }) => secrets.has(field)).map(({ column }) => column));
  return texts.map((text, index) => (maskedColumns.has(index) && text !== '' ? '***' : text));
}
