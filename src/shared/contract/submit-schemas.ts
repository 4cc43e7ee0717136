import type { Static, TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { Entity } from './entity.ts';
import { Id, traitsOf } from './fields.ts';

const idsUpTo = (maxItems: number) => Type.Array(Id(), { minItems: 1, maxItems, alias: 'id' });

/** Ids as a list or as comma-separated text, also under the name `id` where the call has no other `id`. */
export const Ids = Type.Object({ ids: idsUpTo(1000) });

/** Largest number of rows that can be selected in a list, and that a batch processes in one request. */
export const maxSelection = 10_000;

const partial = Type.Optional(Type.Boolean({ description: 'Processes the rows that can be processed and reports the others; without it, all or none.' }));

/** Input of a call on several rows that can also be processed in part. */
export const BatchIds = Type.Object({ ids: idsUpTo(maxSelection), partial });

/** Input of a call on several rows, all or none. */
export const SelectedIds = Type.Object({ ids: BatchIds.properties.ids });

const RefusedRow = Type.Object({
  id: Id(),
  /** Name of the row; null if it is gone or its name is hidden from the caller. */
  title: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  /** HTTP status of the refusal. */
  code: Type.Integer(),
  message: Type.String(),
});
/** A row that a batch has not processed, with the reason. */
export type RefusedRow = Static<typeof RefusedRow>;

/** Result of a batch in parts: the number of processed rows, the number of requested ones, and the others with their reasons. */
export const BatchResult = Type.Object({ done: Type.Integer(), total: Type.Integer(), rows: Type.Array(RefusedRow) });
export type BatchResult = Static<typeof BatchResult>;

/** Reply of a batch call without other data; null unless the request is `partial`. */
export const BatchReply = Type.Unsafe<BatchResult | null>({ ...BatchResult, type: ['object', 'null'] });

const { done, total, rows } = BatchResult.properties;

/** Adds the result of a batch to a reply with other data; present if the request is `partial`. */
export const withBatchResult = <Properties extends TObject['properties']>(reply: TObject<Properties>) =>
  Type.Object({ ...reply.properties, done: Type.Optional(done), total: Type.Optional(total), rows: Type.Optional(rows) });

/** Adds the version of the edited row to an input that takes the place of the entity's form. */
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
    ids: BatchIds.properties.ids,
    values: Values as unknown as TUnsafe<Record<string, unknown>>,
    partial,
    /** Versions by row id; a row that has another one by now is left out and reported. */
    versions: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', maxLength: 20 } })),
  });
};

/** Number of changed rows, and the rows that someone else has changed since their version. */
export const Changed = withBatchResult(
  Type.Object({
    count: Type.Integer(),
    /** Part of the reply if the request contains versions. */
    stale: Type.Optional(Type.Array(Type.Object({ id: Id(), changedBy: Type.Unsafe<string | null>({ type: ['string', 'null'] }), changedAt: Type.String() }))),
  }),
);
