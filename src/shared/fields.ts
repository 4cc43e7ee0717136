import { Optional as Omissible, type TOptional, type TSchema, type TUnsafe, Unsafe } from 'typebox';
import type { Words } from './text.ts';

/** How an operator meets a field: the keyword `field` of its JSON Schema, read by columns, filters, forms and messages alike. */
export interface FieldTraits {
  readonly title: Words;
  readonly widget: 'text' | 'textarea' | 'number' | 'choice' | 'date-time' | 'parent';
  /** Offered in the search area and accepted as a filter, with the suffixes of the wire. */
  readonly search?: boolean;
  /** Accepted in `ascs` and `descs`; every sortable field has an index. */
  readonly sort?: boolean;
  /** False: not a column. */
  readonly list?: boolean;
  /** False: the server's own, never taken from a form. */
  readonly form?: boolean;
  readonly options?: readonly Option[];
  readonly placeholder?: Words;
}

/** A value and what an operator reads for it. */
export type Option<Value extends string | number = string | number> = readonly [value: Value, title: Words];

/** A JSON Schema whose values are `Value`, with the traits of a field. */
export type Field<Value = unknown> = TUnsafe<Value>;

type Traits = Omit<FieldTraits, 'widget' | 'options'>;
type Limits = { readonly maxLength?: number; readonly pattern?: string };
type Range = { readonly minimum?: number; readonly maximum?: number; readonly default?: number };

function field<Value>(widget: FieldTraits['widget'], given: Traits & Pick<FieldTraits, 'options'>, schema: object): Field<Value> {
  return Unsafe<Value>({ ...schema, title: given.title[0], field: { widget, ...given } satisfies FieldTraits } as TSchema);
}

/** A 64-bit id: decimal text on the wire, `bigint` in the database. */
export const Id = (given: Partial<Traits> = {}) =>
  field<string>('text', { title: ['编号', 'Id'], list: false, form: false, ...given }, { type: 'string', pattern: '^\\d{1,19}$', format: 'int64' });

/** One line of text, never empty, at most `maxLength` characters (255 unless said). */
export const Text = ({ maxLength = 255, pattern, ...given }: Traits & Limits) =>
  field<string>('text', given, { type: 'string', minLength: 1, maxLength, ...(pattern ? { pattern } : {}) });

/** Text of several lines, never empty, at most `maxLength` characters (20,000 unless said). */
export const LongText = ({ maxLength = 20_000, ...given }: Traits & Omit<Limits, 'pattern'>) =>
  field<string>('textarea', given, { type: 'string', minLength: 1, maxLength });

/** A whole number, within 32 bits unless limits are given. */
export const Whole = ({ minimum = -2_147_483_648, maximum = 2_147_483_647, default: preset, ...given }: Traits & Range) =>
  field<number>('number', given, { type: 'integer', minimum, maximum, ...(preset === undefined ? {} : { default: preset }) });

/** One of a few fixed values; what a deployment may extend belongs in a dictionary. */
export const Choice = <const Value extends string | number>({
  default: preset,
  ...given
}: Traits & { readonly options: readonly Option<Value>[]; readonly default?: NoInfer<Value> }) =>
  field<Value>('choice', given, {
    type: typeof given.options[0]?.[0] === 'number' ? 'integer' : 'string',
    enum: given.options.map(([value]) => value),
    ...(preset === undefined ? {} : { default: preset }),
  });

/** A moment: `yyyy-MM-dd HH:mm:ss` in the deployment's zone on the wire, stored with its zone. */
export const DateTime = (given: Traits) =>
  field<string>('date-time', given, { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', format: 'wire-date-time' });

/** The id of the row above in the same tree; '0' is the root. */
export const Parent = (given: Traits) => field<string>('parent', given, { type: 'string', pattern: '^\\d{1,19}$', format: 'int64', default: '0' });

/** The field may be left out of a form or cleared with `null`; a row without it carries `null`. */
export function Optional<Value>(of: Field<Value>): TOptional<Field<Value | null>> {
  const { minLength: _, ...schema } = of as Field<Value> & { type: string; minLength?: number; enum?: Value[] };
  return Omissible(Unsafe<Value | null>({ ...schema, type: [schema.type, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) }));
}

/** The traits a builder above gave a schema; schemas made by hand have none. */
export function traitsOf(schema: TSchema): FieldTraits | undefined {
  return (schema as { field?: FieldTraits }).field;
}
