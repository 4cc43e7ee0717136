import type { TOptional, TSchema } from 'typebox';
import * as Type from 'typebox';
import type { LocalizedText } from '../text/text.ts';
import { type Field, type FieldTraits, field, type Option, type Traits } from './field-traits.ts';
import { whenAdding } from './rich-fields.ts';

export {
  type Field,
  type FieldTraits,
  lookupInput,
  maskedKindOf,
  type Option,
  personalKindOf,
  type ReferenceSource,
  type Tone,
  traitsOf,
  type Widget,
} from './field-traits.ts';
export {
  Attachment,
  Code,
  Cron,
  type DeclaredDictionary,
  Dictionary,
  dictionary,
  Image,
  Json,
  Period,
  Reference,
  type ReferenceCall,
  type ReferenceOptions,
  RichText,
  Secret,
  type SecretField,
} from './rich-fields.ts';
export { State, type StateField, type StateOption, type Transition } from './states.ts';

type TextLimits = { readonly maxLength?: number; readonly pattern?: string };
type Range = { readonly minimum?: number; readonly maximum?: number; readonly default?: number };

const preset = (value: unknown) => (value === undefined ? {} : { default: value });

/** A 64-bit id: decimal text on the wire, `bigint` in the database. */
export const Id = (traits: Partial<Traits> = {}) =>
  field<string>('text', { title: ['编号', 'ID'], list: false, form: false, ...traits }, { type: 'string', pattern: '^\\d{1,19}$', format: 'int64' });

/** A single line of text, never empty, of at most `maxLength` characters (default 255). */
export const Text = ({ maxLength = 255, pattern, ...traits }: Traits & Pick<FieldTraits, 'suggestions' | 'suggestFrom' | 'titleInto'> & TextLimits) =>
  field<string>('text', traits, { type: 'string', minLength: 1, maxLength, ...(pattern ? { pattern } : {}) });

/** Text of several lines, never empty, of at most `maxLength` characters (default 20,000). */
export const LongText = ({ maxLength = 20_000, ...traits }: Traits & Omit<TextLimits, 'pattern'>) =>
  field<string>('textarea', traits, { type: 'string', minLength: 1, maxLength });

/** An integer, by default within 32 bits; `unit` names what it counts. */
export const Integer = ({
  minimum = -2_147_483_648,
  maximum = 2_147_483_647,
  default: value,
  ...traits
}: Traits & Pick<FieldTraits, 'unit' | 'progress'> & Range) => field<number>('number', traits, { type: 'integer', minimum, maximum, ...preset(value) });

/** A number with at most `decimals` decimals (default 2). */
export const Decimal = ({
  minimum = -1e12,
  maximum = 1e12,
  decimals = 2,
  default: value,
  ...traits
}: Traits & Pick<FieldTraits, 'unit' | 'decimals'> & Range) =>
  field<number>('number', { decimals, ...traits }, { type: 'number', minimum, maximum, ...preset(value) });

/** An amount in 分 (cents), an integer on the wire and in the database; users read and enter yuan. From 0 to 10 billion yuan by default. */
export const Money = ({ minimum = 0, maximum = 1_000_000_000_000, default: value, ...traits }: Traits & Pick<FieldTraits, 'computedFrom'> & Range) =>
  field<number>('money', traits, { type: 'integer', minimum, maximum, description: 'In fen, hundredths of a yuan.', ...preset(value) });

/** One of a few fixed values. Use a dictionary for values that a deployment can extend. */
export const Select = <const Value extends string | number>({
  default: value,
  ...traits
}: Traits & Pick<FieldTraits, 'unavailableFrom'> & { readonly options: readonly Option<Value>[]; readonly default?: NoInfer<Value> }) =>
  field<Value>('choice', traits, {
    type: typeof traits.options[0]?.[0] === 'number' ? 'integer' : 'string',
    enum: traits.options.map(([one]) => one),
    ...preset(value),
  });

/** Labels for no and yes. */
type NoYes = { readonly labels?: readonly [no: LocalizedText, yes: LocalizedText] };

const flagOptions = (
  values: readonly [string, string] | readonly [number, number],
  {
    labels = [
      ['否', 'No'],
      ['是', 'Yes'],
    ],
  }: NoYes,
): readonly Option[] => labels.map((label, index) => [values[index] as string | number, label]);

/** A boolean; false by default. */
export const Flag = ({ labels, default: value = false, ...traits }: Traits & NoYes & { readonly default?: boolean }) =>
  field<boolean>('flag', { ...traits, options: flagOptions(['false', 'true'], labels ? { labels } : {}) }, { type: 'boolean', default: value });

/** A boolean stored as 1 or 0, as the BladeX-compatible API writes most of its flags. */
export const BooleanInt = ({ labels, default: value = 0, ...traits }: Traits & NoYes & { readonly default?: 0 | 1 }) =>
  field<0 | 1>('flag', { ...traits, options: flagOptions([0, 1], labels ? { labels } : {}) }, { type: 'integer', enum: [0, 1], default: value });

/** Date and time: `yyyy-MM-dd HH:mm:ss` in the deployment's time zone on the wire, `timestamptz` in the database. */
export const DateTime = (traits: Traits & Pick<FieldTraits, 'endOfDay' | 'notPast'>) =>
  field<string>('date-time', traits, { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', format: 'wire-date-time' });

/** A date, `yyyy-MM-dd`, the same in every time zone. */
export const DateOnly = (traits: Traits & Pick<FieldTraits, 'notPast'>) => field<string>('date', traits, { type: 'string', format: 'date' });

/** A time of day, `HH:mm:ss`. */
export const TimeOnly = (traits: Traits) => field<string>('time', traits, { type: 'string', format: 'wire-time' });

/** Id of the parent row in the same tree; '0' is the root. */
export const Parent = (traits: Traits) => field<string>('parent', traits, { type: 'string', pattern: '^\\d{1,19}$', format: 'int64', default: '0' });

/** An e-mail address; personal data, unless `personal` says otherwise. */
export const Email = (traits: Traits) => field<string>('email', { personal: 'email', ...traits }, { type: 'string', maxLength: 128, format: 'email' });

/** A Chinese mobile number: eleven digits that are not a landline with its area code; personal data, unless `personal` says otherwise. */
export const Phone = (traits: Traits) => field<string>('phone', { personal: 'phone', ...traits }, { type: 'string', maxLength: 11, format: 'phone' });

/** An absolute http or https address. */
export const Url = (traits: Traits) => field<string>('url', traits, { type: 'string', maxLength: 1000, format: 'uri' });

/** Parameter that BladeX-compatible clients send and this server does not support: a value is refused with this message while `visible` holds. */
export const Refused = (message: LocalizedText, visible?: FieldTraits['visible']): TOptional<Field<unknown>> =>
  Type.Optional(
    Type.Unsafe<unknown>({
      field: { title: message, widget: 'text', list: false, form: false, refused: message, ...(visible ? { visible } : {}) } satisfies FieldTraits,
    }),
  );

/** Makes a field nullable: a form can omit it or send `null` to clear it, and a row without it carries `null`. */
export function Nullable<Value>(field: Field<Value>): TOptional<Field<Value | null>> {
  const { minLength: _, minItems: __, field: innerTraits, ...schema } = field as Field<Value> & ValueSchema;
  const { requiredWhen, ...traits } = innerTraits;
  const nullableTraits = requiredWhen && requiredWhen !== whenAdding ? { ...traits, requiredWhen } : traits;
  const values = schema.enum ? { enum: [...schema.enum, null] } : {};
  return Type.Optional(Type.Unsafe<Value | null>({ ...schema, ...values, type: [schema.type, 'null'], field: nullableTraits }));
}

interface ValueSchema {
  readonly type: string;
  readonly field: FieldTraits;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
}

interface MultiSelectOptions {
  readonly max?: number;
  /** True if replies carry the list as comma-separated text, which BladeX-compatible clients expect; the console converts it back to a list. */
  readonly comma?: boolean;
}

/** A list of distinct values, in the order entered; comma text is accepted as well. Stored as `jsonb`. */
export function MultiSelect<Value>(field: Field<Value>, { max: maxItems = 100, comma = false }: MultiSelectOptions = {}): Field<Value[]> {
  const { field: traits, title, default: _, ...items } = field as Field<Value> & { field: FieldTraits; title: string; default?: unknown };
  return Type.Unsafe<Value[]>({
    type: 'array',
    items,
    minItems: 1,
    maxItems,
    uniqueItems: true,
    title,
    field: { ...traits, multiple: true, ...(comma ? { comma } : {}) },
  } as TSchema);
}
