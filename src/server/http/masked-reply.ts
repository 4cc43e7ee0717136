import type { TSchema } from 'typebox';
import type { Principal } from '../auth/principal.ts';

interface Described {
  readonly entity?: string;
  readonly items?: Described & { readonly $ref?: string };
  readonly properties?: Readonly<Record<string, Described>>;
}

const always = new Set(['id', 'parentId', 'children', 'hasChildren']);

/** The reply's text without the fields of rows that are none of the caller's, wherever in it such rows stand. */
export function maskedReply(text: string, schema: TSchema, { dataScopes }: Principal): string {
  if (!dataScopes || ![...dataScopes.values()].some(({ fields }) => fields)) return text;
  const reply: unknown = JSON.parse(text);
  mask(reply, schema as Described, dataScopes);
  return JSON.stringify(reply);
}

function mask(value: unknown, schema: Described | undefined, scopes: NonNullable<Principal['dataScopes']>): void {
  if (typeof value !== 'object' || value === null || !schema) return;
  if (Array.isArray(value)) {
    for (const item of value) mask(item, schema.items, scopes);
    return;
  }
  const row = value as Record<string, unknown>;
  const fields = schema.entity === undefined ? undefined : scopes.get(schema.entity)?.fields;
  for (const [name, held] of Object.entries(row)) {
    if (fields && !fields.has(name) && !always.has(name)) delete row[name];
    else if (name === 'children' && schema.properties?.children?.items?.$ref) for (const child of held as unknown[]) mask(child, schema, scopes);
    else mask(held, schema.properties?.[name], scopes);
  }
}
