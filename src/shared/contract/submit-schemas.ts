import type { TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { Entity } from './entity.ts';
import { Id, traitsOf } from './fields.ts';

/** Ids as a list or as comma text, also under the name `id` where the call has no other `id`. */
export const Ids = Type.Object({ ids: Type.Array(Id(), { minItems: 1, maxItems: 1000, alias: 'id' }) });

/** Adds the version to an input of its own that edits rows of the entity. */
export function withVersion(input: TSchema, { form }: Entity): TSchema {
  const { version } = form.properties;
  const { properties } = input as Partial<TObject>;
  return version && properties && !properties.version ? ({ ...input, properties: { ...properties, version } } as TSchema) : input;
}

/** Builds the input of a bulk edit: the ids, and the values to set on all of them. Fields that are left out keep their value. */
export const BulkOf = (form: TSchema) => {
  const fields = Object.entries((form as TObject).properties ?? {}).filter(([name, schema]) => name !== 'id' && traitsOf(schema)?.form !== false);
  const values = fields.map(([name, schema]) => {
    const { default: _, ...plain } = schema as TSchema & { default?: unknown };
    // Conditional requirements are checked against each stored row, which this schema does not see.
    const { requiredWhen: __, ...traits } = traitsOf(schema) ?? {};
    return [name, Type.Optional({ ...plain, ...('field' in plain ? { field: traits } : {}) } as TSchema)];
  });
  const Values = Type.Object(Object.fromEntries(values), { additionalProperties: false, minProperties: 1 });
  return Type.Object({
    ids: Ids.properties.ids,
    values: Values as unknown as TUnsafe<Record<string, unknown>>,
    /** Versions by row id; a row that has another one by now is left out and reported. */
    versions: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', maxLength: 20 } })),
  });
};

/** Number of changed rows, and the rows that someone else has changed since their version. */
export const Changed = Type.Object({
  count: Type.Integer(),
  /** Part of the reply if the request contains versions. */
  stale: Type.Optional(Type.Array(Type.Object({ id: Id(), changedBy: Type.Unsafe<string | null>({ type: ['string', 'null'] }), changedAt: Type.String() }))),
});
