import type { TSchema } from 'typebox';
import type { FieldValues } from '#shared/condition';

type ExtensionSchemas = Readonly<Record<string, TSchema>>;

interface ExtensibleSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly entity?: string;
  readonly items?: ExtensibleSchema;
  readonly properties?: Readonly<Record<string, ExtensibleSchema>>;
}

/** Adds fields to the rows of an entity anywhere in a schema. */
export function withRowFields<Schema extends TSchema>(schema: Schema, entity: string, fields: ExtensionSchemas): Schema {
  return extendSchema(schema as ExtensibleSchema, entity, fields) as Schema;
}

function extendSchema(schema: ExtensibleSchema, entity: string, fields: ExtensionSchemas): ExtensibleSchema {
  const { items, properties } = schema;
  if (!items && !properties) return schema;
  const extendedProperties = Object.entries(properties ?? {}).map(([name, property]) => [name, extendSchema(property, entity, fields)]);
  return {
    ...schema,
    ...(items ? { items: extendSchema(items, entity, fields) } : {}),
    ...(properties ? { properties: Object.fromEntries([...extendedProperties, ...(schema.entity === entity ? Object.entries(fields) : [])]) } : {}),
  };
}

/** Adds optional parameters to a schema. */
export const withParameters = <Schema extends TSchema>(schema: Schema, fields: ExtensionSchemas): Schema => ({
  ...schema,
  properties: { ...(schema as ExtensibleSchema).properties, ...fields },
});

/** Applies `change` to each row of an entity within a value described by a schema. */
export function withRows(value: unknown, schema: TSchema, entity: string, change: (row: FieldValues) => FieldValues): unknown {
  /** `branch` is the schema of the innermost list item, to which the children of a tree refer. */
  const walk = (part: unknown, schemaOf: ExtensibleSchema, branch: ExtensibleSchema): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) {
      const each = schemaOf.items?.$ref === undefined ? schemaOf.items : branch;
      return each ? part.map((item) => walk(item, each, each)) : part;
    }
    const inner = Object.entries(schemaOf.properties ?? {}).filter(([name]) => typeof (part as FieldValues)[name] === 'object');
    const row = { ...part, ...Object.fromEntries(inner.map(([name, property]) => [name, walk((part as FieldValues)[name], property, branch)])) };
    return schemaOf.entity === entity ? change(row) : row;
  };
  return walk(value, schema as ExtensibleSchema, schema as ExtensibleSchema);
}
