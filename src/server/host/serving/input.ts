import type { TObject, TSchema } from 'typebox';
import { type Call, listProperties } from '#shared/contract';
import { ApiError, type Problem, problems } from '#shared/errors';
import { type FieldTraits, maskedKindOf, traitsOf } from '#shared/fields';
import { isWireDateTime } from '#shared/formats';
import { isMaskedText } from '#shared/personal';
import { isEmpty } from '#shared/text';
import { fieldProblem, fieldStateOf, objectProblem } from '#shared/validation';
import { memoize } from '../../base/memoize.ts';
import { inputLimits } from '../../platform/http/body-limits.ts';
import type { Input, Route } from '../../platform/http/route.ts';

/** A compiled JSON Schema: returns true for a valid value, which is coerced and stripped in place. */
export interface Validate {
  (value: unknown): unknown;
  errors?: readonly { keyword: string; instancePath: string; params: Record<string, unknown> }[] | null;
}

type InputParams = Record<string, unknown>;
type Property = {
  type?: string | string[];
  pattern?: string;
  enum?: unknown[];
  minLength?: number;
  maxItems?: number;
  format?: string;
  alias?: string;
  default?: unknown;
  field?: FieldTraits;
};

/** Merges query and body into one set of parameters, in which the body takes precedence; values are not validated yet. */
export function collectParams(call: Call, query: unknown, body: unknown): InputParams | unknown[] {
  const types = [(call.input as Property).type].flat();
  if (types.includes('array')) {
    if (Array.isArray(body)) return body;
    if (!types.includes('object')) throw new ApiError(problems.badRequest);
  }
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) throw new ApiError(problems.badRequest);
  const params: InputParams = Object.assign(Object.create(null), query, body);
  for (const name of ['__proto__', 'constructor', 'prototype']) if (Object.hasOwn(params, name)) throw new ApiError(problems.wrongParameter, { name });
  return params;
}

/**
 * Validates and coerces the input of a handler: removes unknown properties, and fills in defaults unless the input names a row to update, whose missing fields stay
 * unchanged, required ones too. Throws an error that names the first invalid field. `validatorOf` compiles a schema once.
 */
export function validInput(call: Call, params: InputParams | unknown[], validatorOf: (schema: TSchema) => Validate): Input {
  const { method, input: schema, filterable: rows } = call;
  // A list that is too long is rejected without reading it.
  if (Array.isArray(params) && params.length > ((schema as Property).maxItems ?? inputLimits.values)) throw new ApiError(problems.badRequest);
  const input = Array.isArray(params) ? params : normalizeParams(schema as TObject, params, rows !== undefined);
  assertStorable(input);
  const isUpdate = !Array.isArray(input) && savesRow(call) && !isEmpty(input.id);
  const returned = Array.isArray(input) ? none : dropMaskedValues(schema as TObject, input, isUpdate);
  const sentNames = new Set(Object.keys(input));
  const shape = isUpdate ? requiringSentNames(schema as TObject, params as InputParams, returned) : withProperties(schema);
  if (!Array.isArray(input)) assertPresent(method, shape, input);
  const validate = validatorOf(isUpdate ? withoutRequired(schema) : schema);
  const valid = validate(input);
  const violation = Array.isArray(input) ? undefined : objectProblem(shape, input, [...sentNames]);
  if (violation) throw new ApiError({ status: 400, message: violation.message }, {}, { field: violation.name });
  if (!valid) throw validationError(validate);
  return (method === 'POST' && sentNames.has('id') ? withoutDefaults(input as InputParams, sentNames) : input) as Input;
}

const none: ReadonlySet<string> = new Set();

/** Drops the masked values that an update sends back as it has got them, which leaves the stored ones unchanged, and returns their names; nothing else accepts a masked value. */
function dropMaskedValues(schema: TObject, input: InputParams, isUpdate: boolean): ReadonlySet<string> {
  const { properties } = withProperties(schema);
  const dropped = new Set<string>();
  for (const name of Object.keys(input)) {
    if (!isMaskedText(input[name]) || !Object.hasOwn(properties, name) || !maskedKindOf(properties[name])) continue;
    if (!isUpdate) throw new ApiError(problems.maskedValue, {}, { field: name });
    delete input[name];
    dropped.add(name);
  }
  return dropped;
}

/** Tests for a call that adds or updates a row, or that takes the version of one and replies with it. */
const savesRow = ({ access, input, reply }: Call) =>
  (typeof access === 'object' && 'add' in access) || ('entity' in reply && 'version' in ((input as Partial<TObject>).properties ?? {}));

/** Returns the schema of an update, in which all fields are optional. */
const withoutRequired = memoize((schema: TSchema): TSchema => {
  const { required: _, ...optional } = schema as TSchema & { required?: unknown };
  return optional as TSchema;
});

/** Returns the schema of an update that contains these parameters: a required field can be left out, but not emptied. */
function requiringSentNames(schema: TObject, params: InputParams, returned: ReadonlySet<string>): TObject {
  const { required = [] } = schema as { required?: readonly string[] };
  return { ...withProperties(schema), required: required.filter((name) => Object.hasOwn(params, name) && !returned.has(name)) } as TObject;
}

/** Rejects a missing parameter by its wire name, unless a user enters it in a form: form fields are reported by their title later. */
function assertPresent(method: Call['method'], schema: TObject, input: InputParams): void {
  const { required, properties } = schema;
  for (const name of (required ?? []) as readonly string[]) {
    const property = properties[name] as TSchema & Property;
    const isEntered = method === 'POST' && traitsOf(property)?.form !== false;
    if (!isEntered && property.default === undefined && isEmpty(input[name])) throw fieldError(problems.missingParameter, name);
  }
}

/** Removes defaults, which were only filled in so that required fields with a default pass the validator. */
function withoutDefaults(input: InputParams, sentNames: ReadonlySet<string>): InputParams {
  return Object.fromEntries(Object.entries(input).filter(([name]) => sentNames.has(name)));
}

function withProperties(schema: TSchema): TObject {
  return ((schema as TObject).properties ? schema : { ...schema, properties: {} }) as TObject;
}

function validationError(validate: Validate): ApiError {
  const first = validate.errors?.[0];
  if (first?.keyword === 'required') return fieldError(problems.missingParameter, String(first.params.missingProperty));
  const name = first?.instancePath.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part));
  return name ? fieldError(problems.wrongParameter, name) : new ApiError(problems.badRequest);
}

const fieldError = (problem: Problem, name: string) => new ApiError(problem, { name }, { field: name });

/** Converts parameters from a form or query to the types of their schema; drops unknown ones unless they are filters. */
function normalizeParams(schema: TObject, params: InputParams, filters: boolean): InputParams {
  const properties = withProperties(schema).properties as Record<string, Property>;
  const required = new Set(schema.required as string[] | undefined);
  const keepsUnknown = filters || (schema as { additionalProperties?: unknown }).additionalProperties === true;
  const input: InputParams = {};
  for (const name of Object.keys(keepsUnknown ? params : properties)) {
    const { alias = name } = Object.hasOwn(properties, name) ? (properties[name] as Property) : {};
    const from = Object.hasOwn(params, name) || Object.hasOwn(properties, alias) ? name : alias;
    if (!Object.hasOwn(params, from)) continue;
    const rawValue = params[from];
    assertNotCleared(properties, name, params);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property && filters && typeof rawValue === 'object') throw new ApiError(problems.wrongParameter, { name });
    if (isUnstorable(rawValue)) throw new ApiError(problems.wrongParameter, { name });
    const value = property ? coerce(name, property, canonicalValue(property, rawValue), required.has(name)) : rawValue;
    if (value !== undefined) input[name] = value;
  }
  return input;
}

/** Rejects a cleared field with a default: the default only replaces a missing value. Inner objects are checked too, because a validator would convert `null` to 0. */
function assertNotCleared(properties: Readonly<Record<string, object>>, name: string, params: InputParams): void {
  const property = Object.hasOwn(properties, name) ? (properties[name] as TSchema & Partial<TObject>) : undefined;
  if (!property) return;
  const value = params[name];
  if (property.properties && typeof value === 'object' && value !== null)
    for (const inner of Object.keys(value)) assertNotCleared(property.properties, inner, value as InputParams);
  if (!traitsOf(property)?.clearable || !isEmpty(value)) return;
  const { visible } = fieldStateOf(property, params, true);
  const message = visible ? fieldProblem(property, undefined, true) : undefined;
  if (message) throw new ApiError({ status: 400, message }, {}, { field: name });
}

function coerce(name: string, property: Property, value: unknown, required: boolean): unknown {
  if (property.type === undefined) return value;
  const types = [property.type].flat();
  if (value === null) return types.includes('null') ? null : undefined;
  if (types.includes('array')) return Array.isArray(value) ? value : splitList(value, property.maxItems);
  if (Array.isArray(value)) throw new ApiError(problems.wrongParameter, { name });
  if (value === '' && isRootOrFlag(property)) return property.default;
  if (value === '' && !required && !takesEmptyText(property, types)) return types.includes('null') ? null : undefined;
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return value;
}

/** Recognizes fields whose empty value has one meaning: no parent is the root, and an unset flag is off. */
function isRootOrFlag(property: Property): boolean {
  const widget = traitsOf(property as TSchema)?.widget;
  return (widget === 'parent' || widget === 'flag') && property.default !== undefined;
}

/** Converts a value to the spelling of its schema; for example a date with a time becomes the date. */
function canonicalValue(property: Property, value: unknown): unknown {
  if (typeof value === 'object') return value;
  const { aliases = {} } = property.field ?? {};
  const text = String(value).trim().toLowerCase();
  if (Object.hasOwn(aliases, text)) return aliases[text];
  return property.format === 'date' && typeof value === 'string' && isWireDateTime(value.trim()) ? value.trim().slice(0, 10) : value;
}

/** Splits comma-separated text, reading at most one item beyond the limit. */
const splitList = (value: unknown, maxItems: number = inputLimits.values) =>
  typeof value === 'string'
    ? value
        .split(',', maxItems + 1)
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : [value];

function takesEmptyText({ pattern, enum: values, minLength, format }: Property, types: readonly string[]): boolean {
  return types.includes('string') && pattern === undefined && values === undefined && !minLength && format === undefined;
}

/** Recognizes values that cannot be stored unchanged: text with NUL and numbers beyond 2^53. */
const isUnstorable = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);

/** Rejects such values at any depth; the nesting of a body is already limited. */
function assertStorable(value: unknown, name = ''): void {
  if (isUnstorable(value)) throw new ApiError(problems.wrongParameter, { name });
  if (Array.isArray(value)) for (const item of value) assertStorable(item, name);
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) assertStorable((value as InputParams)[key], name || key);
  }
}

type ListParams = ReturnType<typeof collectParams>;

interface ShapedRequest {
  readonly route: Route;
  readonly params: ListParams;
}

/**
 * Answers a complete list with a page if the request names one. BladeX-compatible clients send page parameters but read all rows, so their `current` and `size` are
 * dropped.
 */
export function withRequestedShape(route: Route, params: ListParams, isWholeListClient: boolean): ShapedRequest {
  if (!route.call.page || Array.isArray(params)) return { route, params };
  const { current, size, ...others } = params;
  if ((isEmpty(current) && isEmpty(size)) || isWholeListClient) return { route, params: others };
  return { route: pagedRouteOf(route), params };
}

/** Returns the paged variant of a route, created once because schemas are compiled per call. */
const pagedRouteOf = memoize((route: Route): Route => ({ ...route, call: pagedCallOf(route.call) }));

function pagedCallOf({ page, ...call }: Call): Call {
  const properties = { ...(call.input as TObject).properties, ...listProperties };
  return { ...call, input: { ...call.input, properties } as Call['input'], reply: page ?? call.reply };
}
