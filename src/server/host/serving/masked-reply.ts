import type { TSchema } from 'typebox';
import type { Principal } from '../../platform/principal/principal.ts';

interface MaskableSchema {
  readonly entity?: string;
  /** Field that this property shows the name of; both are hidden together. */
  readonly namedField?: string;
  readonly items?: MaskableSchema & { readonly $ref?: string };
  readonly properties?: Readonly<Record<string, MaskableSchema>>;
}

/** Fields that a data scope never hides. */
const neverHidden = new Set(['id', 'parentId', 'version', 'children', 'hasChildren']);

/** Removes fields hidden from the caller from the rows in a reply, at any depth. */
export function maskedReply(text: string, schema: TSchema, { dataScopes }: Principal): string {
  if (!dataScopes || ![...dataScopes.values()].some(({ fields }) => fields)) return text;
  const reply: unknown = JSON.parse(text);
  mask(reply, schema as MaskableSchema, dataScopes);
  return JSON.stringify(reply);
}

function mask(value: unknown, schema: MaskableSchema | undefined, scopes: NonNullable<Principal['dataScopes']>): void {
  if (typeof value !== 'object' || value === null || !schema) return;
  if (Array.isArray(value)) {
    for (const item of value) mask(item, schema.items, scopes);
    return;
  }
  const row = value as Record<string, unknown>;
  const fields = schema.entity === undefined ? undefined : scopes.get(schema.entity)?.fields;
  for (const [name, content] of Object.entries(row)) {
    const { namedField: field = name } = schema.properties?.[name] ?? {};
    if (fields && !fields.has(field) && !neverHidden.has(field)) delete row[name];
    else if (name === 'children' && schema.properties?.children?.items?.$ref) for (const child of content as unknown[]) mask(child, schema, scopes);
    else mask(content, schema.properties?.[name], scopes);
  }
}
