import type { TSchema } from 'typebox';
import { traitsOf, type Widget } from '#shared/fields';

/** How a field is kept in the database and what its values look like on the wire. */
export interface FieldType {
  readonly kind: 'id' | 'time' | 'day' | 'clock' | 'whole' | 'number' | 'text' | 'flag' | 'json';
  /** As a migration writes it. */
  readonly sqlType: string;
  readonly nullable: boolean;
  /** Characters a text may have at most; the whole numbers a whole one may be. */
  readonly maxLength: number | undefined;
  readonly range: { readonly least: bigint; readonly most: bigint } | undefined;
}

interface Described {
  type?: string | string[];
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const int32 = { least: -2_147_483_648n, most: 2_147_483_647n };
const int64 = { least: -9_223_372_036_854_775_808n, most: 9_223_372_036_854_775_807n };
/** Longer texts are `text`: a limit on the column would say no more than the schema does. */
const longestVarchar = 4000;

/** What operators write at length is `text` whatever its limit. A secret is longer at rest than it was typed. */
const longTexts: ReadonlySet<Widget | undefined> = new Set<Widget>(['textarea', 'rich-text', 'code', 'secret']);

// Every page asks for the types of the fields it sorts and filters by.
const known = new WeakMap<TSchema, FieldType>();

/** A field's type, read off its JSON Schema once. */
export function typeOfField(schema: TSchema): FieldType {
  const type = known.get(schema) ?? readType(schema);
  known.set(schema, type);
  return type;
}

function readType(schema: TSchema): FieldType {
  const { type = 'object', format, maxLength, minimum = 0, maximum = 0 } = schema as Described;
  const types = [type].flat();
  const field = { nullable: types.includes('null'), maxLength: undefined, range: undefined };
  if (format === 'int64') return { ...field, kind: 'id', sqlType: 'bigint', range: int64 };
  if (format === 'wire-date-time') return { ...field, kind: 'time', sqlType: 'timestamptz(0)' };
  if (format === 'date') return { ...field, kind: 'day', sqlType: 'date' };
  if (format === 'wire-time') return { ...field, kind: 'clock', sqlType: 'time(0)' };
  if (types.includes('integer')) {
    const small = minimum >= Number(int32.least) && maximum <= Number(int32.most);
    return { ...field, kind: 'whole', sqlType: small ? 'integer' : 'bigint', range: small ? int32 : int64 };
  }
  if (types.includes('number')) return { ...field, kind: 'number', sqlType: 'double precision' };
  if (types.includes('boolean')) return { ...field, kind: 'flag', sqlType: 'boolean' };
  if (types.includes('string')) {
    const varchar = maxLength !== undefined && maxLength <= longestVarchar && !longTexts.has(traitsOf(schema)?.widget);
    return { ...field, kind: 'text', sqlType: varchar ? `varchar(${maxLength})` : 'text', maxLength };
  }
  return { ...field, kind: 'json', sqlType: 'jsonb' };
}
