import type { TObject, TSchema } from 'typebox';
import { isSecret } from '#shared/entity';
import type { Option } from '#shared/fields';
import type { Language, Words } from '#shared/text';
import { fieldProblem, notAnOption, standingOf } from '#shared/validation';
import { type Column, columnsOf, meantBy, type SheetRow, textOf } from './cells.ts';
import type { ReferenceReader } from './reference-words.ts';
import type { TransferTarget } from './targets.ts';

/** Which column of the sheet is which field. */
export type Mapping = readonly { readonly column: number; readonly field: string }[];

/** What is wrong with one field of one row. */
export interface RowProblem {
  readonly row: number;
  readonly field: string;
  readonly words: Words;
}

/** A field a sheet may fill. */
export interface FormColumn extends Column {
  readonly required: boolean;
}

const formOf = ({ crud }: TransferTarget) => crud.submit.input as TObject & { required?: string[] };

/** The fields of a screen's form as columns of a sheet. */
export function formColumns(target: TransferTarget, language: Language, entries: ReadonlyMap<string, readonly Option[]>): FormColumn[] {
  const { properties, required = [] } = formOf(target);
  const own = Object.fromEntries(Object.entries(properties as Record<string, TSchema>).filter(([name]) => name !== 'id'));
  return columnsOf(own, language, entries)
    .filter(({ traits }) => traits.form !== false)
    .map((column) => ({ ...column, required: isAsked(column, required) }));
}

/** A field with a default may be left out although a row must have it. */
function isAsked({ name, schema }: Column, required: readonly string[]): boolean {
  const preset = (schema as { default?: unknown }).default;
  return preset === undefined && standingOf(schema, {}, required.includes(name)).required;
}

/** The columns whose heading is a field's title in either language, or its name; marks of what is required do not count. */
export function mappingOf(headings: readonly string[], columns: readonly FormColumn[]): Mapping {
  const taken = new Set<string>();
  return headings.flatMap((heading, column) => {
    const plain = heading.replace(/[*＊\s]+/g, '').toLowerCase();
    const field = columns.find(
      ({ name, traits }) => !taken.has(name) && [name, ...traits.title].some((title) => title.replace(/\s+/g, '').toLowerCase() === plain),
    );
    if (!field) return [];
    taken.add(field.name);
    return [{ column, field: field.name }];
  });
}

/** A row of a sheet as the form it fills, and everything that is wrong with it. */
export async function formOfRow(
  columns: readonly FormColumn[],
  mapping: Mapping,
  { row, cells }: SheetRow,
  references: ReferenceReader | undefined,
): Promise<{ form: object; problems: RowProblem[] }> {
  const values: Record<string, unknown> = {};
  for (const column of columns) {
    const place = mapping.find(({ field }) => field === column.name)?.column;
    const value = place === undefined ? undefined : meantBy(column, cells[place] ?? null);
    const preset = (column.schema as { default?: unknown }).default;
    if (value !== undefined) values[column.name] = value;
    else if (preset !== undefined) values[column.name] = preset;
  }
  const strangers = references ? await resolve(columns, values, references) : new Map<string, Words>();
  const problems = columns.flatMap(({ name, schema, options, traits, required }) => {
    const stranger = strangers.get(name);
    if (stranger) return [{ row, field: name, words: stranger }];
    const standing = standingOf(schema, values, required);
    if (!standing.visible) return [];
    const words = fieldProblem(schema, values[name], standing.required) ?? unknownEntry(traits.dictionary, options, values[name], traits.title);
    return words ? [{ row, field: name, words }] : [];
  });
  return { form: values, problems };
}

/** Puts values in the place of names of other rows; what is wrong with those that name none, or several. */
async function resolve(columns: readonly FormColumn[], values: Record<string, unknown>, references: ReferenceReader): Promise<Map<string, Words>> {
  const wrong = new Map<string, Words>();
  for (const { name, traits } of columns) {
    if (!traits.reference || values[name] === undefined) continue;
    const found: string[] = [];
    for (const text of [values[name]].flat()) {
      const one = await references.valueOf(traits, String(text), values);
      if ('value' in one) found.push(one.value);
      else wrong.set(name, one.words);
    }
    values[name] = traits.several ? found : found[0];
  }
  return wrong;
}

/** An entry a dictionary does not have; where nobody keeps dictionaries everything is taken. */
function unknownEntry(dictionary: string | undefined, options: readonly Option[], value: unknown, title: Words): Words | undefined {
  if (!dictionary || options.length === 0 || value === undefined) return undefined;
  const known = new Set(options.map(([key]) => String(key)));
  return [value].flat().every((one) => known.has(String(one))) ? undefined : notAnOption(title);
}

/** A row as it stands. */
export const textsOf = ({ cells }: SheetRow, width: number): string[] => Array.from({ length: width }, (_, place) => textOf(cells[place] ?? null));

/** The same without what was typed into columns of secrets. */
export function withoutSecrets(texts: readonly string[], columns: readonly FormColumn[], mapping: Mapping): string[] {
  const secrets = new Set(columns.filter(({ schema }) => isSecret(schema)).map(({ name }) => name));
  const struck = new Set(mapping.filter(({ field }) => secrets.has(field)).map(({ column }) => column));
  return texts.map((text, place) => (struck.has(place) && text !== '' ? '***' : text));
}
