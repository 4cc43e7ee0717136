import { Boolean as Flag, Array as List, Optional as Omissible, String as Plain, Object as Shape, type Static, Unsafe } from 'typebox';
import { Id } from './fields.ts';

const whole = { type: 'integer' } as const;
const Count = Unsafe<number>(whole);
const MaybeCount = Unsafe<number | null>({ type: ['integer', 'null'] });
const MaybeText = Unsafe<string | null>({ type: ['string', 'null'] });
const oneOf = <const Values extends readonly string[]>(...values: Values) => Unsafe<Values[number]>({ type: 'string', enum: [...values] });

/** An export or import: what is asked for, how far it is and what came of it. */
export const TransferRow = Shape({
  id: Id(),
  kind: oneOf('export', 'import'),
  /** What the page is called, in the reader's language. */
  title: Plain(),
  state: oneOf('queued', 'running', 'done', 'failed', 'cancelled'),
  /** Rows dealt with so far, of `total` where that is known. */
  progress: Count,
  total: MaybeCount,
  /** Rows an import has written and rows it has refused. */
  good: Count,
  bad: Count,
  /** Why it failed. */
  message: MaybeText,
  /** The name of the file it made, while it can be fetched. */
  fileName: MaybeText,
  /** True: the rows an import has refused can be fetched, each with its reason. */
  hasProblems: Flag(),
  createTime: Plain(),
  endTime: MaybeText,
  /** When its files are removed. */
  expiresAt: MaybeText,
});
export type TransferRow = Static<typeof TransferRow>;

/** What an export takes: the list's own sorts and filters, or chosen rows; all columns unless named. */
export const ExportInput = Shape({
  format: oneOf('csv', 'xlsx'),
  query: Omissible(Unsafe<Record<string, string | number | boolean>>({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } })),
  fields: Omissible(List(Plain(), { maxItems: 200 })),
  ids: Omissible(List(Id(), { minItems: 1, maxItems: 10_000 })),
});

/** Where a file can be fetched for some minutes. */
export const FileLink = Shape({ link: Plain() });

/** What an import has refused of a row, and why. */
export const RowProblem = Shape({ row: Count, field: Plain(), message: Plain() });
export type RowProblem = Static<typeof RowProblem>;

/** Which column of the sheet is which field; columns that are nobody's are left out. */
const Mapping = List(Shape({ column: Count, field: Plain() }), { maxItems: 200 });

/** A sheet as it will be read. */
export const ImportPreview = Shape({
  fileId: Id(),
  /** Data rows of the sheet. */
  total: Count,
  /** What stands above each column. */
  columns: List(Plain()),
  mapping: Mapping,
  /** The fields of the form, and which of them a row must have. */
  fields: List(Shape({ name: Plain(), title: Plain(), required: Flag() })),
  /** The first rows: each cell as it stands, and what is wrong with the row, by field. */
  rows: List(Shape({ row: Count, cells: List(Plain()), problems: List(Shape({ field: Plain(), message: Plain() })) })),
});
export type ImportPreview = Static<typeof ImportPreview>;

/** What an import takes: a sheet that was previewed. `all`: every row or none; `good`: rows that are right. */
export const ImportInput = Shape({ fileId: Id(), mapping: Mapping, mode: oneOf('all', 'good') });
export type ImportInput = Static<typeof ImportInput>;

/** What a preview may be asked again with: other columns for fields, of a sheet that is here already. */
export const PreviewInput = Shape({ fileId: Id(), mapping: Mapping });
