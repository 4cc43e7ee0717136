interface CommaListSchema {
  readonly type?: string | readonly string[];
  readonly field?: { readonly comma?: boolean };
  readonly items?: CommaListSchema;
  readonly properties?: Readonly<Record<string, CommaListSchema>>;
}

const known = new WeakMap<object, boolean>();

/** Replaces the comma-separated texts of an answer with the lists they stand for, by the schema of the reply; other values are unchanged. */
export function withLists(value: unknown, schema: object): unknown {
  return has(schema) ? read(value, schema) : value;
}

function read(value: unknown, schema: CommaListSchema): unknown {
  if (schema.field?.comma && typeof value === 'string') return value === '' ? [] : value.split(',');
  if (Array.isArray(value)) return schema.items && has(schema.items) ? value.map((item) => read(item, schema.items as CommaListSchema)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(schema.properties ?? {}).filter(([name, part]) => name in value && has(part));
  return parts.length === 0
    ? value
    : { ...value, ...Object.fromEntries(parts.map(([name, part]) => [name, read((value as Record<string, unknown>)[name], part)])) };
}

/** Checks whether the schema contains such a text anywhere. Recursive schemas contain none. */
function has(schema: CommaListSchema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const below = [schema.items, ...Object.values(schema.properties ?? {})];
  const answer = schema.field?.comma === true || below.some((part) => part !== undefined && has(part));
  known.set(schema, answer);
  return answer;
}
