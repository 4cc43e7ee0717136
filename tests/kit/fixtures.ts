import type { TObject, TSchema } from 'typebox';
import type { Entity, FormOf, RowOf } from '#shared/contract';
import { objectProblem } from '#shared/validation';

interface Sampled {
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  maxLength?: number;
  default?: unknown;
  format?: string;
  items?: Sampled;
  properties?: object;
}

/** Builds an object with a valid value for each required property; ids and special values are taken from `known`. */
export function sample(schema: TSchema, known: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as TObject & { required?: string[] };
  return Object.fromEntries(required.map((name) => [name, known[name] ?? valueFor(properties[name] as Sampled)]));
}

function valueFor({ type, enum: values, minimum = 0, maxLength = 64, default: preset, format, items, properties }: Sampled): unknown {
  if (Array.isArray(type) && type.includes('null')) return null;
  if (properties) return sample({ properties } as TObject);
  if (preset !== undefined) return preset;
  if (values) return values[0];
  if (format !== undefined && format in formatted) return formatted[format];
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return false;
  if (type === 'array') return items ? [valueFor(items)] : [];
  if (type === 'object') return {};
  return `样例-${Math.random().toString(36).slice(2, 8)}`.slice(0, maxLength);
}

const formatted: Readonly<Record<string, string>> = {
  int64: '1',
  date: '2026-01-31',
  'wire-date-time': '2026-01-31 08:00:00',
  'wire-time': '08:00:00',
  email: 'sample@example.com',
  phone: '13800000000',
  uri: 'https://example.com/sample',
};

/** Builds a valid form of an entity: required fields are filled in, and `change` overrides them. Throws for a field that needs a value of `change`, such as one with a pattern. */
export function formOf<E extends Entity>(entity: E, change: Partial<FormOf<E>> = {}): FormOf<E> {
  const form = { ...(sample(entity.form) as FormOf<E>), ...change };
  const found = objectProblem(entity.form, form);
  if (found && !Object.hasOwn(change, found.name))
    throw new Error(`No valid ${found.name} of ${entity.name} can be made (${found.message[1]}). State one: formOf(…, { ${found.name}: … }).`);
  return form;
}

/** Builds a row of an entity as the server would answer it: required fields are filled in, others are `null`. */
export function rowOf<E extends Entity>(entity: E, change: Partial<RowOf<E>> = {}): RowOf<E> {
  const empty = Object.fromEntries(Object.keys(entity.row.properties).map((name) => [name, null]));
  return { ...empty, ...sample(entity.row), ...change } as RowOf<E>;
}

/** Wraps rows in the page that a list answers. */
export const pageOf = <Row>(...records: Row[]) => ({ records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 });
