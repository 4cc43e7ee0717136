import type { TSchema } from 'typebox';
import { traitsOf, type Widget } from '#shared/fields';
import { memoize } from '../../base/memoize.ts';

/** Storage type of a field, and the format of its values on the wire. */
export interface FieldType {
  readonly kind: 'id' | 'time' | 'day' | 'clock' | 'whole' | 'number' | 'text' | 'flag' | 'json';
  /** Type as written in a migration. */
  readonly sqlType: string;
  readonly nullable: boolean;
  /** Maximum length of a text; range of a whole number. */
  readonly maxLength: number | undefined;
  readonly range: { readonly min: bigint; readonly max: bigint } | undefined;
}

interface FieldSchema {
  type?: string | string[];
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

const int32 = { min: -2_147_483_648n, max: 2_147_483_647n };
const int64 = { min: -9_223_372_036_854_775_808n, max: 9_223_372_036_854_775_807n };
/** Length above which the column type is `text`: the schema already enforces the limit. */
const longestVarchar = 4000;

/** Widgets whose column type is always `text`. An encrypted secret is longer than its plain text. */
const longTexts: ReadonlySet<Widget | undefined> = new Set<Widget>(['textarea', 'rich-text', 'code', 'secret']);

/** Derives a field's type from its JSON Schema, once per schema, because every page needs the types of its sort and filter fields. */
export const typeOfField = memoize(readType);

function readType(schema: TSchema): FieldType {
  const { type = 'object', format, maxLength, minimum = 0, maximum = 0 } = schema as FieldSchema;
  const types = [type].flat();
  const field = { nullable: types.includes('null'), maxLength: undefined, range: undefined };
  if (format === 'int64') return { ...field, kind: 'id', sqlType: 'bigint', range: int64 };
  if (format === 'wire-date-time') return { ...field, kind: 'time', sqlType: 'timestamptz(0)' };
  if (format === 'date') return { ...field, kind: 'day', sqlType: 'date' };
  if (format === 'wire-time') return { ...field, kind: 'clock', sqlType: 'time(0)' };
  if (types.includes('integer')) {
    const small = minimum >= Number(int32.min) && maximum <= Number(int32.max);
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
