import type { Words } from '#shared/text';

/** How a field is built: a builder of `#shared/fields`, what it is given, and what is put around it. */
export interface FieldPlan {
  readonly name: string;
  readonly builder: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly isSeveral: boolean;
  readonly isOptional: boolean;
  /** As the migration writes its column. */
  readonly sqlType: string;
  /** What stands behind `not null`. */
  readonly preset: string | undefined;
  readonly isUnique: boolean;
  readonly isSorted: boolean;
  /** A value it takes. */
  readonly sample: unknown;
}

/** A table and everything that is read from it. */
export interface ThingPlan {
  /** The table, the entity and the code of its page. */
  readonly table: string;
  /** The entity's constant. */
  readonly className: string;
  /** The calls' constant. */
  readonly constant: string;
  readonly title: Words;
  readonly apiPath: string;
  readonly fields: readonly FieldPlan[];
}

/** A plugin to be written. */
export interface PluginPlan {
  readonly id: string;
  readonly title: Words;
  readonly main: ThingPlan;
  readonly isTree: boolean;
  /** The rows below each of the main ones, and their field that says so. */
  readonly details: (ThingPlan & { readonly foreignKey: string }) | undefined;
  readonly menu: { readonly path: string; readonly under: string };
}

/** A file of a plugin, from the root of the project. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}
