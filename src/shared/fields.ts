import { Optional as Omissible, type TOptional, type TSchema, Unsafe } from 'typebox';
import { type Field, type FieldTraits, field, type Option, type Traits } from './field-traits.ts';
import { whenAdding } from './rich-fields.ts';
import type { Words } from './text.ts';

export { type Field, type FieldTraits, type Option, type ReferenceSource, type Tone, traitsOf, type Widget } from './field-traits.ts';
export {
  Attachment,
  Code,
  Cron,
  Dictionary,
  Image,
  Json,
  Period,
  Reference,
  type ReferenceOptions,
  RichText,
  Secret,
  type SecretField,
} from './rich-fields.ts';

type Limits = { readonly maxLength?: number; readonly pattern?: string };
type Range = { readonly minimum?: number; readonly maximum?: number; readonly default?: number };

const preset = (value: unknown) => (value === undefined ? {} : { default: value });

/** A 64-bit id: decimal text on the wire, `bigint` in the database. */
export const Id = (given: Partial<Traits> = {}) =>
  field<string>('text', { title: ['编号', 'ID'], list: false, form: false, ...given }, { type: 'string', pattern: '^\\d{1,19}$', format: 'int64' });

/** One line of text, never empty, at most `maxLength` characters (255 unless said). */
export const Text = ({ maxLength = 255, pattern, ...given }: Traits & Pick<FieldTraits, 'known' | 'knownFrom' | 'names'> & Limits) =>
  field<string>('text', given, { type: 'string', minLength: 1, maxLength, ...(pattern ? { pattern } : {}) });

/** Text of several lines, never empty, at most `maxLength` characters (20,000 unless said). */
export const LongText = ({ maxLength = 20_000, ...given }: Traits & Omit<Limits, 'pattern'>) =>
  field<string>('textarea', given, { type: 'string', minLength: 1, maxLength });

/** A whole number, within 32 bits unless limits are given; `unit` says what it counts. */
export const Whole = ({ minimum = -2_147_483_648, maximum = 2_147_483_647, default: value, ...given }: Traits & Pick<FieldTraits, 'unit'> & Range) =>
  field<number>('number', given, { type: 'integer', minimum, maximum, ...preset(value) });

/** A number with at most `places` (2 unless said) digits after the point. */
export const Decimal = ({ minimum = -1e12, maximum = 1e12, places = 2, default: value, ...given }: Traits & Pick<FieldTraits, 'unit' | 'places'> & Range) =>
  field<number>('number', { places, ...given }, { type: 'number', minimum, maximum, ...preset(value) });

/** An amount in 分, a whole number on the wire and in the database; operators read and enter yuan. From nothing to ten thousand million yuan unless limits are given. */
export const Money = ({ minimum = 0, maximum = 1_000_000_000_000, default: value, ...given }: Traits & Pick<FieldTraits, 'productOf'> & Range) =>
  field<number>('money', given, { type: 'integer', minimum, maximum, description: 'In fen, hundredths of a yuan.', ...preset(value) });

/** One of a few fixed values; what a deployment may extend belongs in a dictionary. */
export const Choice = <const Value extends string | number>({
  default: value,
  ...given
}: Traits & { readonly options: readonly Option<Value>[]; readonly default?: NoInfer<Value> }) =>
  field<Value>('choice', given, {
    type: typeof given.options[0]?.[0] === 'number' ? 'integer' : 'string',
    enum: given.options.map(([one]) => one),
    ...preset(value),
  });

/** What an operator reads for no and yes. */
type NoYes = { readonly words?: readonly [no: Words, yes: Words] };
const noYes = [
  ['否', 'No'],
  ['是', 'Yes'],
] as const;

/** Yes or no, a boolean; no unless a default says otherwise. */
export const Flag = ({ words: [no, yes] = noYes, default: value = false, ...given }: Traits & NoYes & { readonly default?: boolean }) =>
  field<boolean>(
    'flag',
    {
      ...given,
      options: [
        ['false', no],
        ['true', yes],
      ],
    },
    { type: 'boolean', default: value },
  );

/** Yes or no as the family writes most of its flags, 1 or 0. */
export const ZeroOne = ({ words: [no, yes] = noYes, default: value = 0, ...given }: Traits & NoYes & { readonly default?: 0 | 1 }) =>
  field<0 | 1>(
    'flag',
    {
      ...given,
      options: [
        [0, no],
        [1, yes],
      ],
    },
    { type: 'integer', enum: [0, 1], default: value },
  );

/** A moment: `yyyy-MM-dd HH:mm:ss` in the deployment's zone on the wire, stored with its zone. */
export const DateTime = (given: Traits) =>
  field<string>('date-time', given, { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', format: 'wire-date-time' });

/** A day, `yyyy-MM-dd`, the same day in every zone. */
export const DateOnly = (given: Traits) => field<string>('date', given, { type: 'string', format: 'date' });

/** A time of day, `HH:mm:ss`. */
export const TimeOnly = (given: Traits) => field<string>('time', given, { type: 'string', format: 'wire-time' });

/** The id of the row above in the same tree; '0' is the root. */
export const Parent = (given: Traits) => field<string>('parent', given, { type: 'string', pattern: '^\\d{1,19}$', format: 'int64', default: '0' });

/** An e-mail address. */
export const Email = (given: Traits) => field<string>('email', given, { type: 'string', maxLength: 128, format: 'email' });

/** A mobile number of eleven digits, `product.md` §5. */
export const Phone = (given: Traits) => field<string>('phone', given, { type: 'string', maxLength: 11, format: 'phone' });

/** An absolute address, http or https. */
export const Url = (given: Traits) => field<string>('url', given, { type: 'string', maxLength: 1000, format: 'uri' });

/** The field may be left out of a form or cleared with `null`; a row without it carries `null`. */
export function Optional<Value>(of: Field<Value>): TOptional<Field<Value | null>> {
  const { minLength: _, minItems: __, field: given, ...schema } = of as Field<Value> & Schema;
  const { requiredWhen, ...traits } = given;
  const kept = requiredWhen && requiredWhen !== whenAdding ? { ...traits, requiredWhen } : traits;
  const values = schema.enum ? { enum: [...schema.enum, null] } : {};
  return Omissible(Unsafe<Value | null>({ ...schema, ...values, type: [schema.type, 'null'], field: kept }));
}

interface Schema {
  readonly type: string;
  readonly field: FieldTraits;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
}

interface SeveralLimits {
  readonly most?: number;
  /** The family's clients expect comma text: replies of the entity's rows carry that, and the console reads it as the list it is. */
  readonly comma?: boolean;
}

/** A list of such values, each once, in the order the operator gave them; comma text is read as well. Stored as `jsonb`. */
export function Several<Value>(of: Field<Value>, { most = 100, comma = false }: SeveralLimits = {}): Field<Value[]> {
  const { field: traits, title, default: _, ...items } = of as Field<Value> & { field: FieldTraits; title: string; default?: unknown };
  return Unsafe<Value[]>({
    type: 'array',
    items,
    minItems: 1,
    maxItems: most,
    uniqueItems: true,
    title,
    field: { ...traits, several: true, ...(comma ? { comma } : {}) },
  } as TSchema);
}
