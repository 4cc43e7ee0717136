import type { Static, TSchema } from 'typebox';
import * as Type from 'typebox';
import type { ChangeAction } from '../text/change-actions.ts';
import { isSecret } from './entity.ts';
import { Id, traitsOf } from './fields.ts';

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Kinds of changes of a record. */
export const changeActions = ['created', 'updated', 'deleted', 'restored', 'archived', 'imported'] as const satisfies readonly ChangeAction[];

/** Input of the history of one record: `cursor` is the `next` of the previous page. */
export const HistoryInput = Type.Object({
  id: Id(),
  cursor: Type.Optional(Id()),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
export type HistoryInput = Static<typeof HistoryInput>;

/** Values of a field before and after a change; a missing value is null. */
export type ChangedValue = readonly [from: unknown, to: unknown];

/** One change of a record. */
export const HistoryEntry = Type.Object({
  id: Id(),
  /** `yyyy-MM-dd HH:mm:ss.SSS` in the zone of the deployment. */
  time: Type.String(),
  action: Type.Unsafe<ChangeAction>({ type: 'string', enum: [...changeActions] }),
  /** Author; null for a change without a user. */
  userId: NullableText,
  userName: NullableText,
  /** Call through which the record was changed, with its title in the language of the reader. */
  method: NullableText,
  path: NullableText,
  title: NullableText,
  /** Request in the API log. */
  requestId: NullableText,
  /** Changed fields that the reader may see. */
  fields: Type.Unsafe<Readonly<Record<string, ChangedValue>>>({ type: 'object', additionalProperties: { type: 'array', items: {} } }),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

/** Changes of a record, newest first; `next` is null on the last page. */
export const HistoryPage = Type.Object({ records: Type.Array(HistoryEntry), next: NullableText });
export type HistoryPage = Static<typeof HistoryPage>;

/** Input of an export of a record's history. */
export const HistoryExportInput = Type.Object({ id: Id(), format: Type.Unsafe<'csv' | 'xlsx'>({ type: 'string', enum: ['csv', 'xlsx'] }) });

/** Fields that the server sets itself; no history contains them. */
const maintainedFields: ReadonlySet<string> = new Set(['id', 'version', 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime', 'isDeleted']);

/** Tests whether the history of a record contains the values of a field: those that a list or form shows, and never a secret. */
export function isTracked(name: string, schema: TSchema | undefined): schema is TSchema {
  if (schema === undefined || maintainedFields.has(name) || isSecret(schema)) return false;
  const { widget, list, form } = traitsOf(schema) ?? {};
  return widget !== undefined && widget !== 'secret' && (list !== false || form !== false);
}
