import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox';
import * as Type from 'typebox';
import { type Condition, conditionFields } from './condition.ts';
import { DateTime, type Field, Id, Integer, maskedKindOf, Nullable, type SecretField, Select, Text, traitsOf } from './fields.ts';
import type { Rule } from './rules.ts';
import { assertTransitions } from './states.ts';

const auditFields = {
  createUser: Nullable(Id({ title: ['创建人', 'Created by'] })),
  createDept: Nullable(Id({ title: ['创建部门', 'Created by department'] })),
  createTime: DateTime({ title: ['创建时间', 'Created'], form: false, search: true, sort: true }),
  updateUser: Nullable(Id({ title: ['更新人', 'Updated by'] })),
  updateTime: Nullable(DateTime({ title: ['更新时间', 'Updated'], form: false, list: false })),
  status: Integer({ title: ['状态', 'Status'], form: false, list: false }),
  isDeleted: Select({
    title: ['已删除', 'Deleted'],
    form: false,
    list: false,
    options: [
      [0, ['否', 'No']],
      [1, ['是', 'Yes']],
      [2, ['已归档', 'Archived']],
    ],
  }),
};

const versionField = { version: Text({ title: ['版本', 'Version'], form: false, list: false }) };

/** Audit columns that every list accepts as filters, although most search areas do not show them. */
const filteredColumns: ReadonlySet<string> = new Set<keyof typeof auditFields>([
  'createUser',
  'createDept',
  'createTime',
  'updateUser',
  'updateTime',
  'status',
]);

type AuditFields = typeof auditFields;
/** The version of a row, which changes with every update. A form that names the version it was loaded with never overwrites a later change. */
export type VersionField = typeof versionField;
type OwnFields = TProperties & { readonly id: Field<string> };
type FormFields<Fields extends OwnFields> = Omit<Fields, 'id'> & { id: TOptional<Field<string>>; version: TOptional<Field<string>> };
type RowFields<Fields extends TProperties> = {
  [Name in keyof Fields as Fields[Name] extends SecretMark ? never : Name]: Fields[Name] extends TOptional<infer Schema extends TSchema>
    ? Schema
    : Fields[Name];
};
type SecretMark = Required<Pick<SecretField, 'secret'>>;

/** Entity that the rows of another entity belong to; `field` is its field whose value they store, `id` by default. */
export interface Owner {
  readonly entity: Entity;
  readonly field?: string;
}

/** Paths of the fields with the user and the department that a row belongs to: `taskId.createUser` reads the task that `belongsTo` names. */
export interface Ownership {
  readonly user: string;
  readonly department: string;
}

/** Values by the fields of an entity. */
export type RelatedFilter = Readonly<Record<string, string | number>>;

/** Access to the personal data of a row. */
export interface PersonalAccess {
  /** Code of the button that shows masked values; `{entity}_personal` by default. */
  readonly code: string;
  /** Field with the user whom the row is about. These users see their own rows without a mask. */
  readonly person?: string | undefined;
}

/** A type of row. `row` is the schema of replies; `form` is the schema of a submit: the fields that users enter, with an `id` for an update and the `version` that it is based on. */
export interface Entity<Fields extends TProperties = TProperties, Formed extends TProperties = TProperties> {
  /** Name of the entity and, in snake case, of its table. */
  readonly name: string;
  /** Owner of the rows: each tenant, or the platform, whose rows every tenant can read and only the platform tenant can write. */
  readonly owner: 'tenant' | 'platform';
  /** Fields of the default sort order, ascending, followed by `id`. Without them the newest rows come first. */
  readonly order: readonly string[];
  /** Rules between the fields of one row. */
  readonly rules: readonly Rule[];
  /** True if rows can be archived; undefined if the contract does not state it. Entities that others refer to must state it. */
  readonly archivable?: boolean | undefined;
  /** Condition on the stored row under which forms can edit it; undefined if always. */
  readonly editableWhen?: Condition | undefined;
  /** True if the changes of its rows are stored. */
  readonly history: boolean;
  /** Values from other tables that belong to a row, such as the permissions of a role. Only its history contains them. */
  readonly related: TProperties;
  /** Rows that a row belongs to, by the field that names them. Data scopes limit rows by the fields of these rows as well. */
  readonly belongsTo?: Readonly<Record<string, Owner>> | undefined;
  /** User and department of a row for data scopes; those that created it if undefined. */
  readonly ownership?: Ownership | undefined;
  /** Values of the rows that a record lists among the rows that refer to it; without it, all. */
  readonly relatedFilter?: RelatedFilter | undefined;
  /** Access to the masked values of its rows; undefined if it has none. */
  readonly personal?: PersonalAccess | undefined;
  readonly fields: Fields;
  readonly row: TObject<RowFields<Fields>>;
  readonly form: TObject<Formed>;
}

/** Properties of an entity besides its fields. */
export interface EntityOptions<Name extends string = string> {
  /** Defaults to `tenant`. */
  readonly owner?: Entity['owner'];
  readonly order?: readonly Name[];
  /** Rules between fields, such as `before('startTime', 'endTime')`. */
  readonly rules?: readonly Rule<Name>[];
  /** True to archive rows that are in use instead of deleting them; false where another state, such as disabled, serves. */
  readonly archivable?: boolean;
  /** Condition on the stored row under which forms can edit it, such as `{ field: 'state', is: 1 }`. The server refuses other edits, and the console does not offer them. */
  readonly editableWhen?: Condition;
  /** False for views and partitioned tables, whose rows no form edits and which have no version column. */
  readonly versioned?: boolean;
  /** False to store no changes, for rows that many processes write. Rows without a version have no history. */
  readonly history?: boolean;
  /** Values from other tables whose changes handlers record for a row with `recordChange`. */
  readonly related?: TProperties;
  /** Rows that a row belongs to, by the field that names them. Data scopes limit rows by the fields of these rows as well. */
  readonly belongsTo?: Readonly<Partial<Record<Name, Owner>>>;
  /** User and department of a row for data scopes; those that created it by default. */
  readonly ownership?: Ownership;
  /** Values of the rows that a record lists among the rows that refer to it: `{ account: 1 }` leaves the others out of its list and its count. */
  readonly relatedFilter?: Readonly<Partial<Record<Name, string | number>>>;
  /** Code of the button that shows masked values, and the field with the user whom a row is about. */
  readonly personal?: { readonly code?: string; readonly person?: Name };
}

export type RowOf<E extends Entity> = Static<E['row']>;
export type FormOf<E extends Entity> = Static<E['form']>;

/** Declares an entity once for table, API, screen and messages; the audit columns of the BladeX-compatible API are added. */
export function entity<Fields extends OwnFields>(
  name: string,
  own: Fields,
  options: EntityOptions<NoInfer<keyof Fields & string>> & { readonly versioned: false },
): Entity<Fields & AuditFields, FormFields<Fields>>;
export function entity<Fields extends OwnFields>(
  name: string,
  own: Fields,
  options?: EntityOptions<NoInfer<keyof Fields & string>>,
): Entity<Fields & AuditFields & VersionField, FormFields<Fields>>;
export function entity<Fields extends OwnFields>(
  name: string,
  declared: Fields,
  {
    owner = 'tenant',
    order = [],
    rules = [],
    archivable,
    editableWhen,
    versioned = true,
    history = versioned,
    related = {},
    belongsTo,
    ownership,
    relatedFilter,
    personal: { code = `${name}_personal`, person } = {},
  }: EntityOptions = {},
): Entity<Fields & AuditFields, FormFields<Fields>> {
  if (Object.hasOwn(declared, 'version')) throw new Error(`${name} declares version, which is the name of the version of each row`);
  assertVisibilityDefault(name, declared);
  assertTransitions(name, declared);
  const own = withMaskedFields(declared, { entity: name, code });
  // A declaration of an audit column by the entity overrides the standard one, and decides its position.
  const fields = { ...own, ...auditFields, ...(versioned ? versionField : {}), ...own };
  const unknown = editableWhen && conditionFields(editableWhen).find((field) => !fields[field]);
  if (unknown) throw new Error(`${name} has no field ${unknown}, which its editableWhen names`);
  const formEntries = Object.entries(own).filter(([, schema]) => traitsOf(schema)?.form !== false);
  const formVersion = versioned ? { version: Type.Optional(versionField.version) } : {};
  const form = Type.Object({ id: Type.Optional(Id()), ...formVersion, ...Object.fromEntries(formEntries) }, { additionalProperties: false });
  const shown = Object.fromEntries(Object.entries(fields).filter(([, schema]) => !isSecret(schema)));
  const personal = Object.values(fields).some((schema) => maskedKindOf(schema)) ? { code, person } : undefined;
  const row = {
    ...Type.Object(Object.fromEntries(Object.entries(shown).map(([field, schema]) => [field, replySchema(schema)]))),
    required: Object.keys(shown),
    entity: name,
    ...(personal ? { personal } : {}),
  } as unknown as TObject<RowFields<Fields & AuditFields>>;
  return {
    name,
    owner,
    order,
    rules,
    archivable,
    editableWhen,
    history: history && versioned,
    related,
    belongsTo: belongsTo as Entity['belongsTo'],
    ownership,
    relatedFilter: relatedFilter as Entity['relatedFilter'],
    personal,
    fields,
    row,
    form: form as TObject<FormFields<Fields>>,
  };
}

/** Keyword of a masked field: its entity, and the code of the button that shows it. Every schema that contains the field has it. */
export interface MaskedField {
  readonly entity: string;
  readonly code: string;
}

/** Returns the entity and the code of a masked field; undefined for other fields, and for those of no entity. */
export const maskedFieldOf = (schema: TSchema): MaskedField | undefined => (schema as { masked?: MaskedField }).masked;

const withMaskedFields = <Fields extends TProperties>(fields: Fields, masked: MaskedField): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, maskedKindOf(schema) ? withKeyword(schema, { masked }) : schema])) as Fields;

/** Adds a keyword to a schema, and keeps that it is optional, which is a hidden property. */
const withKeyword = (schema: TSchema, keyword: object): TSchema =>
  Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(keyword) }) as TSchema;

/** Describes a list as a string if replies contain it as comma-separated text; PostgreSQL, handlers and the console use the list. */
function replySchema(schema: TSchema): TSchema {
  if (!traitsOf(schema)?.comma) return schema;
  const { items: _, minItems: __, maxItems: ___, uniqueItems: ____, ...list } = schema as TSchema & Record<string, unknown>;
  return { ...list, type: [list.type].flat().map((type) => (type === 'array' ? 'string' : type)) } as TSchema;
}

/** Returns true for a field that can be written and is never part of a reply. */
export const isSecret = (schema: TSchema): boolean => (schema as { writeOnly?: boolean }).writeOnly === true;

/** Returns true for a field that lists of the entity accept as a filter; a secret field is never one. */
export function isFilterable({ fields }: Pick<Entity, 'fields'>, name: string): boolean {
  const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!schema || isSecret(schema)) return false;
  const { search, filter } = traitsOf(schema) ?? {};
  return search === true || filter === true || filteredColumns.has(name);
}

/** Returns the fields that lists of the entity accept as filters; rows of tenants also have `tenantId`. */
export function filterNames(entity: Pick<Entity, 'fields' | 'owner'>): string[] {
  const names = Object.keys(entity.fields).filter((name) => isFilterable(entity, name));
  return entity.owner === 'tenant' && !names.includes('tenantId') ? [...names, 'tenantId'] : names;
}

/** Returns the total that lists of the entity compute of a field: `sum` includes the average. */
export function totalOf(schema: TSchema): 'sum' | 'average' | undefined {
  const { widget, total = widget === 'money', multiple, comma } = traitsOf(schema) ?? {};
  if (!total || multiple || comma || isSecret(schema) || (widget !== 'money' && widget !== 'number')) return undefined;
  return total === 'average' ? 'average' : 'sum';
}

/** Returns the field that names a row in messages: the first text column called a name or title, else the first text column. */
export function nameField({ fields }: Pick<Entity, 'fields'>): string | undefined {
  const texts = Object.entries(fields).filter(([, schema]) => {
    const { widget, list } = traitsOf(schema) ?? {};
    return widget === 'text' && list !== false && !isSecret(schema) && (schema as { format?: string }).format !== 'int64';
  });
  return (texts.find(([field]) => /(name|title)$/i.test(field)) ?? texts[0])?.[0];
}

/** Returns the field with the English text of a field; undefined where it has none. */
export function englishField({ fields }: Pick<Entity, 'fields'>, field: string): string | undefined {
  const schema = fields[field];
  return schema && traitsOf(schema)?.englishIn;
}

/** Rejects an entity with a conditionally visible field that is neither nullable nor has a default. */
function assertVisibilityDefault(entity: string, fields: TProperties): void {
  for (const [name, schema] of Object.entries(fields)) {
    const { type, default: preset } = schema as { type?: string | string[]; default?: unknown };
    if (traitsOf(schema)?.visible && ![type].flat().includes('null') && preset === undefined)
      throw new Error(`${entity}.${name} is not always visible; make it Nullable or give it a default`);
  }
}
