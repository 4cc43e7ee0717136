import type { TObject, TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import type { Input } from '../http/route.ts';

interface WireSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly entity?: string;
  readonly items?: WireSchema;
  readonly properties?: Readonly<Record<string, WireSchema>>;
}

interface Parameter {
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
}

type Values = Record<string, unknown>;

/** Fields that BladeX-compatible servers leave null. */
const nullable: ReadonlySet<string> = new Set(['tenant.packageId', 'tenant.datasourceId']);

/** Replaces each null in a reply's JSON by the empty value of its schema's type: `""`, -1, false, [] or {}. */
export function withoutNulls(json: string, schema: TSchema): string {
  return json.includes('null') ? JSON.stringify(withEmptyValues(JSON.parse(json), schema as WireSchema, undefined)) : json;
}

function withEmptyValues(value: unknown, schema: WireSchema | undefined, branch: WireSchema | undefined): unknown {
  const described = schema?.$ref === undefined ? schema : branch;
  if (!described) return value;
  if (value === null) return emptyValue(described);
  if (typeof value !== 'object') return value;
  const nearest = described.$id === undefined ? branch : described;
  if (Array.isArray(value)) return value.map((item) => withEmptyValues(item, described.items, nearest));
  const fields = Object.entries(value).map(([name, held]) => {
    const stays = held === null && nullable.has(`${described.entity}.${name}`);
    return [name, stays ? null : withEmptyValues(held, described.properties?.[name], nearest)];
  });
  return Object.fromEntries(fields);
}

const typesOf = ({ type }: { readonly type?: string | readonly string[] }): readonly string[] => (type === undefined ? [] : [type].flat());

function emptyValue(schema: WireSchema): unknown {
  const types = typesOf(schema);
  if (types.includes('string')) return '';
  if (types.includes('integer') || types.includes('number')) return -1;
  if (types.includes('boolean')) return false;
  if (types.includes('array')) return [];
  return types.includes('object') ? {} : null;
}

/** Reads parameters of such a client: `""` means null or a field's default, and -1 means no number where -1 is not allowed. */
export function readParameters({ input }: Call, params: Values): Values {
  const { properties = {} } = input as Partial<TObject>;
  const read: Values = { ...params };
  for (const [name, value] of Object.entries(params)) {
    const parameter = Object.hasOwn(properties, name) ? (properties[name] as Parameter) : undefined;
    if (!parameter) continue;
    if (value === '') read[name] = valueOfEmptyText(parameter);
    if (String(value) === '-1' && isNullNumber(parameter)) read[name] = null;
  }
  return read;
}

function valueOfEmptyText(parameter: Parameter): unknown {
  if (typesOf(parameter).includes('null')) return null;
  return parameter.default === undefined || takesEmptyText(parameter) ? '' : parameter.default;
}

const takesEmptyText = ({ pattern, format, minLength, enum: values, ...rest }: Parameter) =>
  typesOf(rest).includes('string') && pattern === undefined && format === undefined && !minLength && values === undefined;

function isNullNumber({ minimum = Number.NEGATIVE_INFINITY, enum: values, ...rest }: Parameter): boolean {
  const types = typesOf(rest);
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && types.includes('null') && (values ? !values.includes(-1) : minimum > -1);
}

/** Entities whose lists compare a filter without a suffix for equality in the BladeX-compatible API, while ours search for the text within the field. */
const exactFilterEntities: ReadonlySet<string> = new Set(['post', 'client', 'region', 'data_scope', 'api_scope', 'top_menu', 'oss', 'sms', 'datasource']);

/** Rewrites the input of such a list so that plain filters are compared for equality. */
export function withExactFilters({ filterable: rows, input: { properties = {} } }: Call<Partial<TObject> & TSchema>, input: Input): Input {
  if (!rows || !exactFilterEntities.has(rows.name)) return input;
  const isPlainFilter = (name: string) => Object.hasOwn(rows.fields, name) && !Object.hasOwn(properties, name);
  return Object.fromEntries(Object.entries(input as Values).map(([name, value]) => [isPlainFilter(name) ? `${name}_equal` : name, value])) as Input;
}
