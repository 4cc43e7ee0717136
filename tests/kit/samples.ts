/** Values of a row by field. A text `$name` is the id of the row of that name, and a name without a row that of the first existing row of the table. */
export type SampleValues = Readonly<Record<string, unknown>>;

/** A row that the tests insert past all rules, so that lists have something to filter. The columns that it does not name get values that fit their fields. */
export interface SampleRow {
  readonly entity: string;
  /** Name by which others refer to the row; by default that of its entity. */
  readonly as?: string;
  readonly values?: Readonly<Record<string, string | number | null>>;
  /** Reference to a row that exists already and is not inserted. */
  readonly existing?: string;
}

/**
 * Data of a plugin for the contract tests, the default export of `samples.ts` beside its tests. Most plugins need none: forms and rows are filled in from their
 * schemas. Rows and forms may refer to those of other plugins; the tests find the order.
 */
export interface PluginSamples {
  /** Forms that the plugin's own rules require to have more than their schemas say, by the name of their calls in the contract. */
  readonly forms?: Readonly<Record<string, SampleValues>>;
  /** Rows that forms refer to by `$name`: a form to add first, by the name of its calls, or a statement that finds the id. */
  readonly references?: Readonly<Record<string, string | { readonly calls: string; readonly form: SampleValues }>>;
  readonly rows?: readonly SampleRow[];
  /** Statements after all rows, for tables without an entity; `$name` is an id. */
  readonly statements?: readonly string[];
  /** Statements before rows are edited, for rows whose state forbids it. */
  readonly beforeEdits?: readonly string[];
  readonly reads?: ReadSamples;
}

/** Values of the parameters of reads, by the name of the call in the contract and the parameter: `task.audit.figures from`. */
export interface ReadSamples {
  /** Values that a parameter's schema does not describe, by the name of the parameter. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Parameters sent beside one that only refines another. */
  readonly together?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Parameters that do not change the reply of the samples, each with its reason. */
  readonly unaffected?: Readonly<Record<string, string>>;
}

/** Key of the one file that the contract tests store; a row may refer to it. */
export const storedFileKey = '0123456789abcdef0123456789abcdef';
