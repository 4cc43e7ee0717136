import type { TObject, TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { memoize } from '../../base/memoize.ts';
import { actingAs } from '../../data/context/actor.ts';
import type { Input, KernelRequest, Route } from '../http/route.ts';
import { clientIdOf } from '../identity/accounts/clients.ts';
import type { Principal } from '../principal/principal.ts';
import type { CompatibleClients } from './compatible-clients.ts';
import type { DisplayNames } from './display-names.ts';

interface WireSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly entity?: string;
  readonly items?: WireSchema;
  readonly properties?: Readonly<Record<string, WireSchema>>;
}

interface RequestParameter {
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly enum?: readonly unknown[];
}

type RequestValues = Record<string, unknown>;

/** Fields that BladeX-compatible servers leave null. */
const fieldsLeftNull: ReadonlySet<string> = new Set(['tenant.packageId', 'tenant.datasourceId']);

/** Replaces each null in a reply's JSON by the empty value of its schema's type: `""`, -1, false, [] or {}. */
function withoutNulls(json: string, schema: TSchema): string {
  return json.includes('null') ? JSON.stringify(withEmptyValues(JSON.parse(json), schema as WireSchema, undefined)) : json;
}

function withEmptyValues(value: unknown, schema: WireSchema | undefined, branch: WireSchema | undefined): unknown {
  const described = schema?.$ref === undefined ? schema : branch;
  if (!described) return value;
  if (value === null) return emptyValue(described);
  if (typeof value !== 'object') return value;
  const nearest = described.$id === undefined ? branch : described;
  if (Array.isArray(value)) return value.map((item) => withEmptyValues(item, described.items, nearest));
  const fields = Object.entries(value).map(([name, content]) => {
    const staysNull = content === null && fieldsLeftNull.has(`${described.entity}.${name}`);
    return [name, staysNull ? null : withEmptyValues(content, described.properties?.[name], nearest)];
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
function readParameters({ input }: Call, params: RequestValues): RequestValues {
  const { properties = {} } = input as Partial<TObject>;
  const read: RequestValues = { ...params };
  for (const [name, value] of Object.entries(params)) {
    const parameter = Object.hasOwn(properties, name) ? (properties[name] as RequestParameter) : undefined;
    if (!parameter) continue;
    if (value === '') read[name] = valueOfEmptyText(parameter);
    if (String(value) === '-1' && isNullNumber(parameter)) read[name] = null;
  }
  return read;
}

function valueOfEmptyText(parameter: RequestParameter): unknown {
  if (typesOf(parameter).includes('null')) return null;
  return parameter.default === undefined || takesEmptyText(parameter) ? '' : parameter.default;
}

const takesEmptyText = ({ pattern, format, minLength, enum: values, ...rest }: RequestParameter) =>
  typesOf(rest).includes('string') && pattern === undefined && format === undefined && !minLength && values === undefined;

function isNullNumber({ minimum = Number.NEGATIVE_INFINITY, enum: values, ...rest }: RequestParameter): boolean {
  const types = typesOf(rest);
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && types.includes('null') && (values ? !values.includes(-1) : minimum > -1);
}

/** Entities whose lists compare a filter without a suffix for equality in the BladeX-compatible API, while ours search for the text within the field. */
const exactFilterEntities: ReadonlySet<string> = new Set(['post', 'client', 'region', 'data_scope', 'api_scope', 'top_menu', 'oss', 'sms', 'datasource']);

/** Rewrites the input of such a list so that plain filters are compared for equality. */
function withExactFilters({ filterable: rows, input: { properties = {} } }: Call<Partial<TObject> & TSchema>, input: Input): Input {
  if (!rows || !exactFilterEntities.has(rows.name)) return input;
  const isPlainFilter = (name: string) => Object.hasOwn(rows.fields, name) && !Object.hasOwn(properties, name);
  return Object.fromEntries(Object.entries(input as RequestValues).map(([name, value]) => [isPlainFilter(name) ? `${name}_equal` : name, value])) as Input;
}

/** Maximum page size for these clients. */
const maxPageSize = 500;

/**
 * Translates requests and replies for BladeX-compatible clients. It differs from the default where their format would make our own console worse: no nulls in replies,
 * display names beside codes, exact filters, longer pages, empty text for defaults. Other clients are not affected.
 */
export class BladexAdapter {
  constructor(
    private readonly clients: CompatibleClients,
    private readonly names: DisplayNames,
  ) {}

  /** Returns the adapter if the client is compatible: the client of the caller's session, or else of the Basic header. */
  for({ clientId }: Principal, authorization: string | undefined): this | undefined {
    if (!this.clients.any) return undefined;
    return this.clients.has(clientId ?? clientIdOf(authorization ?? '')) ? this : undefined;
  }

  /** Returns the route as such clients see it; always the same object, because serializers are compiled per call. */
  readonly route = memoize((route: Route) => this.adapt(route));

  /** Reads parameters as these clients mean them. */
  read<Entered extends object>(call: Call, params: Entered): Entered {
    return Array.isArray(params) ? params : (readParameters(call, params as Record<string, unknown>) as Entered);
  }

  /** Rewrites the JSON of a reply as these clients expect it. */
  write(json: string, schema: TSchema): string {
    return withoutNulls(json, schema);
  }

  private adapt(route: Route): Route {
    const { method, download, redirect } = route.call;
    if (method !== 'GET' || download || redirect) return route;
    const call: Call = { ...route.call, reply: this.names.widen(route.call.reply) };
    const handler = async (request: KernelRequest): Promise<unknown> => {
      const input = withExactFilters(call as Call<TObject>, request.input);
      const reply = await actingAs({ ...request.principal, maxPageSize }, async () => route.handler({ ...request, input }));
      return this.names.complete(reply, call.reply, request);
    };
    return { ...route, call, handler: handler as Route['handler'] };
  }
}
