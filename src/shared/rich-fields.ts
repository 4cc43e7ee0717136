import { Optional as Omissible, type TOptional, type TSchema, type TUnsafe, Unsafe } from 'typebox';
import type { Condition } from './condition.ts';
import { type Field, type FieldTraits, field, type ReferenceSource, type Traits } from './field-traits.ts';

const business = 'biz/';
/** The code under which fields name a business dictionary. */
export const businessCode = (code: string) => business + code;
export const isBusinessCode = (code: string) => code.startsWith(business);
/** The code a business dictionary itself bears. */
export const plainCode = (code: string) => code.slice(business.length);

/** The key of an entry of a dictionary, which a deployment may extend; of a business dictionary, which each tenant keeps for itself, with `isBusiness`. The entry's words are what operators read. */
export const Dictionary = ({
  code,
  isBusiness = false,
  default: value,
  ...given
}: Traits & { readonly code: string; readonly isBusiness?: boolean; readonly default?: string }) =>
  field<string>(
    'dictionary',
    { ...given, dictionary: isBusiness ? businessCode(code) : code },
    { type: 'string', minLength: 1, maxLength: 64, ...(value ? { default: value } : {}) },
  );

/** How a reference is picked; `call` is any call that reads. */
export interface ReferenceOptions extends Partial<Omit<ReferenceSource, 'path'>> {
  readonly call: { readonly path: string };
  /** Stored as text of at most so many characters; an id unless said. */
  readonly maxLength?: number;
}

/** A row of something else: its id (its code with `maxLength`), picked from what a call answers. */
export function Reference({ from, ...given }: Traits & { readonly from: ReferenceOptions }): Field<string> {
  const { call, maxLength, shape = 'rows', value = shape === 'rows' ? 'id' : 'value', title = shape === 'rows' ? 'name' : 'title', ...how } = from;
  const reference: ReferenceSource = { path: call.path, shape, value, title, ...how };
  const schema = maxLength ? { type: 'string', minLength: 1, maxLength } : { type: 'string', pattern: '^\\d{1,19}$', format: 'int64' };
  return field<string>('reference', { ...given, reference }, schema);
}

type FileTraits = Traits & Pick<FieldTraits, 'accept' | 'maxSize'>;
const megabyte = 1024 * 1024;
const link = { type: 'string', minLength: 1, maxLength: 1000, format: 'link' };

/** The link of a picture; 5 MB unless said. */
export const Image = (given: FileTraits) =>
  field<string>('image', { accept: 'image/png,image/jpeg,image/gif,image/webp', maxSize: 5 * megabyte, ...given }, link);

/** The links of files, each with its name behind `#`; at most `most` (10 unless said) of 20 MB. */
export const Attachment = ({ most = 10, ...given }: FileTraits & { readonly most?: number }): Field<string[]> =>
  field<string[]>('attachment', { maxSize: 20 * megabyte, ...given, several: true } as Traits, {
    type: 'array',
    items: link,
    minItems: 1,
    maxItems: most,
    uniqueItems: true,
  });

/** Formatted text as HTML. The server keeps headings, lists, tables, links, pictures and emphasis, and drops everything else. */
export const RichText = ({ maxLength = 100_000, ...given }: Traits & { readonly maxLength?: number }) =>
  field<string>('rich-text', { list: false, ...given }, { type: 'string', minLength: 1, maxLength });

/** Text in a language that is edited with its syntax in colour. */
export const Code = ({ maxLength = 100_000, language = 'text', ...given }: Traits & Pick<FieldTraits, 'language'> & { readonly maxLength?: number }) =>
  field<string>('code', { list: false, ...given, language }, { type: 'string', minLength: 1, maxLength });

/** JSON, kept as the text the operator wrote. */
export const Json = ({ maxLength = 100_000, ...given }: Traits & { readonly maxLength?: number }) =>
  field<string>('code', { list: false, ...given, language: 'json' }, { type: 'string', minLength: 1, maxLength, format: 'json' });

/** From when to when: two moments as the wire writes them, with a comma between. */
export const Period = (given: Traits) =>
  field<string>('period', given, {
    type: 'string',
    maxLength: 39,
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  });

/** When something is to happen again and again: a cron expression of five parts, six with seconds, seven with a year. */
export const Cron = (given: Traits) => field<string>('cron', given, { type: 'string', maxLength: 128, format: 'cron' });

/** Marks a field that no reply carries. */
export interface SecretField extends TOptional<TUnsafe<string>> {
  /** Carries the mark only; never set. The schema's own keyword is `writeOnly`. */
  readonly secret?: true;
}

/** Asked for when a row is added, and only then. */
export const whenAdding: Condition = { field: 'id', filled: false };

/** A password or key: written, never answered. An edit that leaves it out keeps what is stored. */
export const Secret = ({ maxLength = 255, ...given }: Omit<Traits, 'search' | 'sort' | 'list'> & { readonly maxLength?: number }): SecretField =>
  Omissible(
    Unsafe<string>(
      field('secret', { requiredWhen: whenAdding, ...given, list: false }, { type: 'string', minLength: 1, maxLength, writeOnly: true }) as TSchema,
    ),
  ) as unknown as SecretField;
