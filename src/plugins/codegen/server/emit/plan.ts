import type { LocalizedText } from '#shared/text';

/** Plan of a field: a builder of `#shared/fields`, its traits and wrappers. */
export interface FieldPlan {
  readonly name: string;
  readonly builder: string;
  readonly traits: Readonly<Record<string, unknown>>;
  readonly isMultiple: boolean;
  readonly isOptional: boolean;
  /** SQL type of its column. */
  readonly sqlType: string;
  /** Default value that follows `not null`. */
  readonly preset: string | undefined;
  readonly isUnique: boolean;
  readonly isSortable: boolean;
  /** Valid sample value for tests. */
  readonly sample: unknown;
}

/** Plan of a table with its entity and calls. */
export interface EntityPlan {
  /** Name of the table and the entity, and code of the page. */
  readonly table: string;
  /** Name of the constant with the entity; also the beginning of the name of its page. */
  readonly entityConstant: string;
  /** Name of the constant with the calls. */
  readonly constant: string;
  readonly title: LocalizedText;
  readonly apiPath: string;
  readonly fields: readonly FieldPlan[];
}

/** Plan of a plugin. */
export interface PluginPlan {
  readonly id: string;
  readonly title: LocalizedText;
  readonly main: EntityPlan;
  readonly isTree: boolean;
  /** Detail rows with their foreign key to the main rows. */
  readonly details: (EntityPlan & { readonly foreignKey: string }) | undefined;
  readonly menu: { readonly path: string; readonly under: string };
}

/** File of a plugin, with a path relative to the project root. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}
