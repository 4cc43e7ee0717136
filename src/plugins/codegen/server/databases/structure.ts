/** A table of a data source. */
export interface TableName {
  readonly name: string;
  /** What its owner wrote about it; '' without. */
  readonly comment: string;
}

/** A column as the database describes it. */
export interface Column {
  readonly name: string;
  readonly comment: string;
  /** In lower case and without measures: `varchar`, `numeric`, `timestamp with time zone`. */
  readonly type: string;
  /** Characters of a text, digits of a number. */
  readonly length: number | undefined;
  /** Digits behind the point. */
  readonly scale: number | undefined;
  readonly isNullable: boolean;
  readonly isKey: boolean;
  /** No two rows have the same value in it. */
  readonly isUnique: boolean;
  /** What an enumeration allows. */
  readonly options: readonly string[];
  /** The table its values are keys of. */
  readonly references: string | undefined;
}

/** Reads what a database consists of, never what stands in it. */
export interface DatabaseReader {
  /** Name and number of what answers. */
  version(): Promise<string>;
  /** At most `mostTables`, by name. */
  tables(): Promise<TableName[]>;
  /** At most `mostColumns`, in their order; none where there is no such table. */
  columns(table: string): Promise<Column[]>;
}

export const mostTables = 2000;
export const mostColumns = 1000;

/** Takes the measures off a type as databases write it: `decimal(5,2) unsigned` is a `decimal unsigned` of 5 digits, 2 behind the point. */
export function measured(written: string): Pick<Column, 'type' | 'length' | 'scale'> {
  const found = /^([^(]*)\((\d+)(?:,\s*(\d+))?\)(.*)$/.exec(written.trim().toLowerCase());
  if (!found) return { type: written.trim().toLowerCase(), length: undefined, scale: undefined };
  const [, before = '', length, scale, behind = ''] = found;
  return { type: `${before.trim()}${behind}`.trim(), length: Number(length), scale: scale === undefined ? undefined : Number(scale) };
}
