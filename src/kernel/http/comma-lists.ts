interface Described {
  readonly type?: string | readonly string[];
  readonly field?: { readonly comma?: boolean };
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
}

const known = new WeakMap<object, boolean>();

/** An answer whose comma texts are the lists they stand for, by the schema of the reply; what is no such text stays as it is. */
export function withLists(value: unknown, schema: object): unknown {
  return has(schema) ? read(value, schema) : value;
}

function read(value: unknown, schema: Described): unknown {
  if (schema.field?.comma && typeof value === 'string') return value === '' ? [] : value.split(',');
  if (Array.isArray(value)) return schema.items && has(schema.items) ? value.map((item) => read(item, schema.items as Described)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(schema.properties ?? {}).filter(([name, part]) => name in value && has(part));
  return parts.length === 0
    ? value
    : { ...value, ...Object.fromEntries(parts.map(([name, part]) => [name, read((value as Record<string, unknown>)[name], part)])) };
}

/** Whether there is such a text anywhere below. Schemas that refer to themselves have none. */
function has(schema: Described): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const below = [schema.items, ...Object.values(schema.properties ?? {})];
  const answer = schema.field?.comma === true || below.some((part) => part !== undefined && has(part));
  known.set(schema, answer);
  return answer;
}
