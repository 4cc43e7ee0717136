import { Boolean as Flag, Array as List, Optional as Omissible, String as Plain, Object as Shape, type Static, Unsafe } from 'typebox';
import { Id } from './fields.ts';

const whole = { type: 'integer' } as const;
const Count = Unsafe<number>(whole);
const MaybeCount = Unsafe<number | null>({ type: ['integer', 'null'] });
const MaybeText = Unsafe<string | null>({ type: ['string', 'null'] });
const oneOf = <const Values extends readonly string[]>(...values: Values) => Unsafe<Values[number]>({ type: 'string', enum: [...values] });

/** An export or import with its request, progress and result. */
export const TransferRow = Shape({
  id: Id(),
  kind: oneOf('export', 'import'),
  /** Title of the page, in the language of the reader. */
  title: Plain(),
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
  message: MaybeText,
  /** Name of the result file while it can be downloaded. */
  fileName: MaybeText,
  /** True if the rejected rows of an import can be downloaded, each with its reason. */
  hasProblems: Flag(),
  /** True if passwords that an import generated can be downloaded, once. */
  hasPasswords: Flag(),
  createTime: Plain(),
  endTime: MaybeText,
  /** Time when its files are removed. */
  expiresAt: MaybeText,
});
export type TransferRow = Static<typeof TransferRow>;

/** Input of an export: sorts and filters of the list, or selected rows; all columns by default. */
export const ExportInput = Shape({
  format: oneOf('csv', 'xlsx'),
  query: Omissible(Unsafe<Record<string, string | number | boolean>>({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } })),
  fields: Omissible(List(Plain(), { maxItems: 200 })),
  ids: Omissible(List(Id(), { minItems: 1, maxItems: 10_000 })),
});

/** Link under which a file can be downloaded for some minutes. */
export const FileLink = Shape({ link: Plain() });

/** Field of a rejected row, with the reason. */
export const RowProblem = Shape({ row: Count, field: Plain(), message: Plain() });
export type RowProblem = Static<typeof RowProblem>;

/** Mapping of sheet columns to fields; columns without a field are ignored. */
const Mapping = List(Shape({ column: Count, field: Plain() }), { maxItems: 200 });

/** Preview of a sheet before its import. */
export const ImportPreview = Shape({
  fileId: Id(),
  /** Number of data rows of the sheet. */
  total: Count,
  /** Headings of the columns. */
  columns: List(Plain()),
  mapping: Mapping,
  /** Fields of the form, with the required ones marked. */
  fields: List(Shape({ name: Plain(), title: Plain(), required: Flag() })),
  /** First rows: the cells as they are in the sheet, and the problems of the row by field. */
  rows: List(Shape({ row: Count, cells: List(Plain()), problems: List(Shape({ field: Plain(), message: Plain() })) })),
});
export type ImportPreview = Static<typeof ImportPreview>;

/** Input of an import: a previewed sheet. Mode `all` imports every row or none, `good` imports the valid rows. */
export const ImportInput = Shape({ fileId: Id(), mapping: Mapping, mode: oneOf('all', 'good') });
export type ImportInput = Static<typeof ImportInput>;

/** Input of a repeated preview: an uploaded sheet with another mapping. */
export const PreviewInput = Shape({ fileId: Id(), mapping: Mapping });
