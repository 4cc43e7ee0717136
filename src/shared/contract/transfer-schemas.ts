import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id } from './fields.ts';

const Count = Type.Unsafe<number>({ type: 'integer' });
const MaybeCount = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const oneOf = <const Values extends readonly string[]>(...values: Values) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });

/** An export or import with its request, progress and result. */
export const TransferRow = Type.Object({
  id: Id(),
  kind: oneOf('export', 'import'),
  /** Title of the page, in the language of the reader. */
  title: Type.String(),
  state: oneOf('queued', 'running', 'done', 'failed', 'cancelled'),
  /** Position in the queue while it waits; 1 is the next. */
  place: MaybeCount,
  /** Rows processed so far, of `total` where that is known. */
  progress: Count,
  total: MaybeCount,
  /** Numbers of rows that an import has written and has rejected. */
  good: Count,
  bad: Count,
  /** Reason of a failure. */
  message: NullableText,
  /** Name of the result file while it can be downloaded. */
  fileName: NullableText,
  /** True if the rejected rows of an import can be downloaded, each with its reason. */
  hasProblems: Type.Boolean(),
  /** True if passwords that an import generated can be downloaded, once. */
  hasPasswords: Type.Boolean(),
  createTime: Type.String(),
  endTime: NullableText,
  /** Time when its files are removed. */
  expiresAt: NullableText,
});
export type TransferRow = Static<typeof TransferRow>;

/** Input of an export: sorts and filters of the list, or selected rows; all columns by default. */
export const ExportInput = Type.Object({
  format: oneOf('csv', 'xlsx'),
  query: Type.Optional(
    Type.Unsafe<Record<string, string | number | boolean>>({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }),
  ),
  fields: Type.Optional(Type.Array(Type.String(), { maxItems: 200 })),
  ids: Type.Optional(Type.Array(Id(), { minItems: 1, maxItems: 10_000 })),
  /** True to add a column with the ids beside each reference. */
  withIds: Type.Optional(Type.Boolean()),
  /** True to export personal data without a mask, which needs the entity's button and a fresh proof of identity, and is recorded. */
  personal: Type.Optional(Type.Boolean()),
});

/** Link under which a file can be downloaded for some minutes. */
export const FileLink = Type.Object({ link: Type.String() });

/** Field of a rejected row, with the reason. */
export const RowProblem = Type.Object({ row: Count, field: Type.String(), message: Type.String() });
export type RowProblem = Static<typeof RowProblem>;

/** Mapping of sheet columns to fields; columns without a field are ignored. */
const Mapping = Type.Array(Type.Object({ column: Count, field: Type.String() }), { maxItems: 200 });

/** Preview of a sheet before its import. */
export const ImportPreview = Type.Object({
  fileId: Id(),
  /** Number of data rows of the sheet. */
  total: Count,
  /** Headings of the columns. */
  columns: Type.Array(Type.String()),
  mapping: Mapping,
  /** Fields of the form, with the required ones marked. */
  fields: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), required: Type.Boolean() })),
  /** First rows: the cells as they are in the sheet, and the problems of the row by field. */
  rows: Type.Array(
    Type.Object({ row: Count, cells: Type.Array(Type.String()), problems: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })) }),
  ),
});
export type ImportPreview = Static<typeof ImportPreview>;

/** Input of an import: a previewed sheet. Mode `all` imports every row or none, `good` imports the valid rows. */
export const ImportInput = Type.Object({ fileId: Id(), mapping: Mapping, mode: oneOf('all', 'good') });
export type ImportInput = Static<typeof ImportInput>;

/** Input of a repeated preview: an uploaded sheet with another mapping. */
export const PreviewInput = Type.Object({ fileId: Id(), mapping: Mapping });
