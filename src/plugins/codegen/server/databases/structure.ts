/** Table of a data source. */
export interface DatabaseTable {
  readonly name: string;
  /** Comment of the table; '' without one. */
  readonly comment: string;
}

/** Column as the database describes it. */
export interface DatabaseColumn {
  readonly name: string;
  readonly comment: string;
  /** Lower case without lengths: `varchar`, `numeric`, `timestamp with time zone`. */
  readonly type: string;
  /** Number of characters of a text, or of digits of a number. */
  readonly length: number | undefined;
  /** Number of decimals. */
  readonly scale: number | undefined;
  readonly isNullable: boolean;
  readonly isKey: boolean;
  /** True when values are unique. */
  readonly isUnique: boolean;
  /** Values of an enumeration. */
  readonly options: readonly string[];
  /** Table of a foreign key. */
  readonly references: string | undefined;
}

/** Reads the structure of a database, never its rows. */
export interface DatabaseReader {
  /** Returns the name and version of the server. */
  version(): Promise<string>;
  /** Returns at most `maxTables` tables, by name. */
  tables(): Promise<DatabaseTable[]>;
  /** Returns at most `maxColumns` columns, in their order; empty when the table does not exist. */
  columns(table: string): Promise<DatabaseColumn[]>;
}

export const maxTables = 2000;
export const maxColumns = 1000;

/** Separates a type from its length and scale: `decimal(5,2) unsigned` is a `decimal unsigned` with 5 digits and 2 decimals. */
export function parseColumnType(declared: string): Pick<DatabaseColumn, 'type' | 'length' | 'scale'> {
  const match = /^([^(]*)\((\d+)(?:,\s*(\d+))?\)(.*)$/.exec(declared.trim().toLowerCase());
  if (!match) return { type: declared.trim().toLowerCase(), length: undefined, scale: undefined };
  const [, name = '', length, scale, suffix = ''] = match;
  return { type: `${name.trim()}${suffix}`.trim(), length: Number(length), scale: scale === undefined ? undefined : Number(scale) };
}
