import type { Static, TOptional, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { LocalizedText } from '../text/text.ts';
import type { Condition } from './condition.ts';
import { type Field, type FieldTraits, field, type ReferenceSource, type Traits } from './field-traits.ts';

const business = 'biz/';
/** Returns the code by which fields refer to a business dictionary. */
export const businessCode = (code: string) => business + code;
export const isBusinessCode = (code: string) => code.startsWith(business);
/** Returns the code of the business dictionary itself. */
export const stripBusinessPrefix = (code: string) => (isBusinessCode(code) ? code.slice(business.length) : code);
/** Returns the name of the entity whose rows are the entries of a dictionary. */
export const dictionaryEntity = (code: string) => (isBusinessCode(code) ? 'dict_biz' : 'dict');

/** A dictionary of a plugin. Its entries are written when the plugin first starts with a database; administrators can change them afterwards. */
export interface DeclaredDictionary {
  /** Code under which fields name it. */
  readonly code: string;
  readonly title: LocalizedText;
  /** Keys, which rows store, with the labels that users read. */
  readonly entries: readonly (readonly [key: string, title: LocalizedText])[];
}

/** Declares a dictionary; the server plugin lists it under `dictionaries`, and fields name it: `Dictionary({ code: woods.code, … })`. */
export const dictionary = (declared: DeclaredDictionary): DeclaredDictionary => declared;

/**
 * The key of a dictionary entry; users read its label. A deployment can extend the dictionary; with `isBusiness` it is a business dictionary, which each tenant
 * maintains for itself.
 */
export const Dictionary = ({
  code,
  isBusiness = false,
  default: value,
  ...traits
}: Traits & { readonly code: string; readonly isBusiness?: boolean; readonly default?: string }) =>
  field<string>(
    'dictionary',
    { ...traits, dictionary: isBusiness ? businessCode(code) : code },
    { type: 'string', minLength: 1, maxLength: 64, ...(value ? { default: value } : {}) },
  );

/** A call that reads rows or a tree; one of a contract that cannot be imported is named by its path alone. */
export interface ReferenceCall {
  readonly path: string;
  readonly reply?: TSchema;
  readonly filterable?: { readonly name: string; readonly fields: object };
}

/** Names of the fields of the rows that a call answers; any name if only its path is known. */
type AnsweredField<Source> = Source extends { readonly reply: infer Reply extends TSchema } ? FieldOfRows<Static<Reply>> : string;
type FieldOfRows<Answer> = Answer extends readonly (infer Row)[] | { readonly records: readonly (infer Row)[] } ? keyof Row & string : string;

/**
 * Source of a reference field; `call` is any call that reads. A list names the entity of its rows itself, another call needs `entity`. On a list, `search` names a field
 * that is found by its text, pinyin and initials.
 */
export interface ReferenceOptions<Source extends ReferenceCall = ReferenceCall> extends Partial<Omit<ReferenceSource, 'path' | 'value' | 'title' | 'filters'>> {
  readonly call: Source;
  /** Field of the answered rows that is stored, `id` by default, or `value` of a tree. */
  readonly value?: AnsweredField<Source>;
  /** Field of the answered rows that is shown, `name` by default, or `title` of a tree. */
  readonly title?: AnsweredField<Source>;
  /** Stores text of at most this many characters instead of an id. */
  readonly maxLength?: number;
}

/** A reference to another row by id, or by code with `maxLength`, selected from the reply of a call. */
export function Reference<Source extends ReferenceCall>({ from, ...traits }: Traits & { readonly from: ReferenceOptions<Source> }): Field<string> {
  const { call, maxLength, shape = 'rows', value = shape === 'rows' ? 'id' : 'value', title = shape === 'rows' ? 'name' : 'title', search, ...rest } = from;
  const { name: entity, fields } = call.filterable ?? {};
  const parameter = search && fields && Object.hasOwn(fields, search) ? `${search}_match` : search;
  const filters = Object.keys(from.input ?? {}).filter((name) => fields && Object.hasOwn(fields, name.replace(/_.*/, '')));
  const reference: ReferenceSource = {
    path: call.path,
    ...(entity === undefined ? {} : { entity }),
    shape,
    value,
    title,
    ...rest,
    ...(parameter === undefined ? {} : { search: parameter }),
    ...(filters.length > 0 ? { filters } : {}),
  };
  const schema = maxLength ? { type: 'string', minLength: 1, maxLength } : { type: 'string', pattern: '^\\d{1,19}$', format: 'int64' };
  return field<string>('reference', { ...traits, reference }, schema);
}

type FileTraits = Traits & Pick<FieldTraits, 'accept' | 'maxSize'>;
const megabyte = 1024 * 1024;
const link = { type: 'string', minLength: 1, maxLength: 1000, format: 'link' };

/** Link of an image of at most 5 MB by default. */
export const Image = (traits: FileTraits) =>
  field<string>('image', { accept: 'image/png,image/jpeg,image/gif,image/webp', maxSize: 5 * megabyte, ...traits }, link);

/** Links of files, each with its name after `#`; at most `max` files (default 10) of 20 MB by default. */
export const Attachment = ({ max = 10, ...traits }: FileTraits & { readonly max?: number }): Field<string[]> =>
  field<string[]>('attachment', { maxSize: 20 * megabyte, ...traits, multiple: true } as Traits, {
    type: 'array',
    items: link,
    minItems: 1,
    maxItems: max,
    uniqueItems: true,
  });

/** Formatted text as HTML. The server keeps headings, lists, tables, links, pictures and emphasis, and removes everything else. */
export const RichText = ({ maxLength = 100_000, ...traits }: Traits & { readonly maxLength?: number }) =>
  field<string>('rich-text', { list: false, ...traits }, { type: 'string', minLength: 1, maxLength });

/** Source code in a language, edited with syntax highlighting. */
export const Code = ({ maxLength = 100_000, language = 'text', ...traits }: Traits & Pick<FieldTraits, 'language'> & { readonly maxLength?: number }) =>
  field<string>('code', { list: false, ...traits, language }, { type: 'string', minLength: 1, maxLength });

/** JSON, stored as the text that the user wrote. */
export const Json = ({ maxLength = 100_000, ...traits }: Traits & { readonly maxLength?: number }) =>
  field<string>('code', { list: false, ...traits, language: 'json' }, { type: 'string', minLength: 1, maxLength, format: 'json' });

/** A period: start and end time in wire format, separated by a comma. */
export const Period = (traits: Traits) =>
  field<string>('period', traits, {
    type: 'string',
    maxLength: 39,
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  });

/** A schedule as a cron expression of five parts, six with seconds, seven with a year. */
export const Cron = (traits: Traits) => field<string>('cron', traits, { type: 'string', maxLength: 128, format: 'cron' });

/** Marks a field that no reply carries. */
export interface SecretField extends TOptional<TUnsafe<string>> {
  /** Carries the mark only; never set. The keyword of the schema is `writeOnly`. */
  readonly secret?: true;
}

/** Condition that holds while a row is being added. */
export const whenAdding: Condition = { field: 'id', filled: false };

/** A password or key that is written and never part of a reply. An update that omits it keeps the stored value. */
export const Secret = ({
  maxLength = 255,
  ...traits
}: Omit<Traits, 'search' | 'sort' | 'list'> & Pick<FieldTraits, 'removable'> & { readonly maxLength?: number }): SecretField =>
  Type.Optional(
    Type.Unsafe<string>(
      field('secret', { requiredWhen: whenAdding, ...traits, list: false }, { type: 'string', minLength: 1, maxLength, writeOnly: true }) as TSchema,
    ),
  ) as SecretField;
