import type { TObject, TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { type Problem, problems, Refusal } from '#shared/errors';
import { objectProblem } from '#shared/validation';
import type { Input } from './route.ts';

/** A compiled JSON Schema: true when the value fits, which is then coerced and stripped in place. */
export interface Validate {
  (value: unknown): unknown;
  errors?: readonly { keyword: string; instancePath: string; params: Record<string, unknown> }[] | null;
}

type Entered = Record<string, unknown>;
type Property = { type?: string | string[]; pattern?: string; enum?: unknown[]; minLength?: number; format?: string };

/** Query and body as one set of parameters, the body's first; values are not yet judged. */
export function enteredBy(call: Call, query: unknown, body: unknown): Entered | unknown[] {
  const types = [(call.input as Property).type].flat();
  if (types.includes('array')) {
    if (Array.isArray(body)) return body;
    if (!types.includes('object')) throw new Refusal(problems.badRequest);
  }
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) throw new Refusal(problems.badRequest);
  const entered: Entered = Object.create(null);
  for (const [name, value] of [...Object.entries(query as object), ...Object.entries((body as object | null) ?? {})]) {
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') throw new Refusal(problems.wrongParameter, { name });
    entered[name] = value;
  }
  return entered;
}

/**
 * The input a handler gets: coerced, nothing the schema does not know, defaults filled unless it names the row it changes: what an edit leaves out stays.
 * Throws a refusal that names the first wrong field.
 */
export function validInput({ method, input: schema, rows }: Call, entered: Entered | unknown[], validate: Validate): Input {
  refuseUnstorable(entered);
  const input = Array.isArray(entered) ? entered : normalised(schema as TObject, entered, rows !== undefined);
  const given = new Set(Object.keys(input));
  const valid = validate(input);
  const wrong = Array.isArray(input) ? undefined : objectProblem(withProperties(schema), input, [...given]);
  if (wrong) throw new Refusal({ status: 400, words: wrong.words }, {}, { field: wrong.name });
  if (!valid) throw refusalOf(validate);
  return (method === 'POST' && given.has('id') ? withoutDefaults(input as Entered, given) : input) as Input;
}

/** They were filled for the validator alone: a field that has a default may be left out although it is required. */
function withoutDefaults(input: Entered, given: ReadonlySet<string>): Entered {
  return Object.fromEntries(Object.entries(input).filter(([name]) => given.has(name)));
}

function withProperties(schema: TSchema): TObject {
  return ((schema as TObject).properties ? schema : { ...schema, properties: {} }) as TObject;
}

function refusalOf(validate: Validate): Refusal {
  const first = validate.errors?.[0];
  if (first?.keyword === 'required') return fieldRefusal(problems.missingParameter, String(first.params.missingProperty));
  const name = first?.instancePath.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part));
  return name ? fieldRefusal(problems.wrongParameter, name) : new Refusal(problems.badRequest);
}

const fieldRefusal = (problem: Problem, name: string) => new Refusal(problem, { name }, { field: name });

/** Parameters as a form or query writes them, brought to what their schema means; unknown ones only stay where they are filters. */
function normalised(schema: TObject, entered: Entered, filters: boolean): Entered {
  const properties = withProperties(schema).properties as Record<string, Property>;
  const required = new Set(schema.required as string[] | undefined);
  const open = filters || (schema as { additionalProperties?: unknown }).additionalProperties === true;
  const input: Entered = {};
  for (const [name, given] of Object.entries(entered)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property && !open) continue;
    if (!property && filters && typeof given === 'object') throw new Refusal(problems.wrongParameter, { name });
    const value = property ? meant(name, property, given, required.has(name)) : given;
    if (value !== undefined) input[name] = value;
  }
  return input;
}

function meant(name: string, property: Property, value: unknown, required: boolean): unknown {
  if (property.type === undefined) return value;
  const types = [property.type].flat();
  if (value === null) return types.includes('null') ? null : undefined;
  if (types.includes('array')) return Array.isArray(value) ? value : listed(value);
  if (Array.isArray(value)) throw new Refusal(problems.wrongParameter, { name });
  if (value === '' && !required && !takesEmptyText(property, types)) return types.includes('null') ? null : undefined;
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return value;
}

const listed = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : [value];

function takesEmptyText({ pattern, enum: values, minLength, format }: Property, types: readonly string[]): boolean {
  return types.includes('string') && pattern === undefined && values === undefined && !minLength && format === undefined;
}

/** Text with a NUL and numbers beyond 2^53 cannot be kept as they were sent, at whatever depth. */
function refuseUnstorable(entered: Entered | unknown[]): void {
  const waiting: { name: string; value: unknown }[] = [{ name: '', value: entered }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { name, value } = next;
    const lost = typeof value === 'string' ? value.includes('\0') : typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    if (lost) throw new Refusal(problems.wrongParameter, { name });
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) waiting.push({ name: name || key, value: item });
  }
}
