import type { TSchema } from 'typebox';

type Row = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, TSchema>>;

interface Described {
  readonly $id?: string;
  readonly $ref?: string;
  readonly entity?: string;
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** A schema in which rows of an entity, wherever they stand, have these fields besides. */
export function withRowFields<Schema extends TSchema>(schema: Schema, entity: string, fields: Fields): Schema {
  return widened(schema as Described, entity, fields) as Schema;
}

function widened(schema: Described, entity: string, fields: Fields): Described {
  const { items, properties } = schema;
  if (!items && !properties) return schema;
  const within = Object.entries(properties ?? {}).map(([name, property]) => [name, widened(property, entity, fields)]);
  return {
    ...schema,
    ...(items ? { items: widened(items, entity, fields) } : {}),
    ...(properties ? { properties: Object.fromEntries([...within, ...(schema.entity === entity ? Object.entries(fields) : [])]) } : {}),
  };
}

/** A schema of parameters with these besides, none of which must be given. */
export const withParameters = <Schema extends TSchema>(schema: Schema, fields: Fields): Schema => ({
  ...schema,
  properties: { ...(schema as Described).properties, ...fields },
});

/** A value described by a schema, with each row of an entity in it put through `change`. */
export function withRows(value: unknown, schema: TSchema, entity: string, change: (row: Row) => Row): unknown {
  const walk = (held: unknown, of: Described, branch: Described): unknown => {
    if (typeof held !== 'object' || held === null) return held;
    if (Array.isArray(held)) {
      const each = of.items?.$ref === undefined ? of.items : branch;
      return each ? held.map((item) => walk(item, each, each)) : held;
    }
    const inner = Object.entries(of.properties ?? {}).filter(([name]) => typeof (held as Row)[name] === 'object');
    const row = { ...held, ...Object.fromEntries(inner.map(([name, property]) => [name, walk((held as Row)[name], property, branch)])) };
    return of.entity === entity ? change(row) : row;
  };
  return walk(value, schema as Described, schema as Described);
}
