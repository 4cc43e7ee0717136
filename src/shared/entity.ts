import { Optional as Omissible, Object as Shape, type Static, type TObject, type TOptional, type TProperties, type TSchema } from 'typebox';
import { Choice, DateTime, type Field, Id, Optional, type SecretField, traitsOf, Whole } from './fields.ts';

const auditFields = {
  createUser: Optional(Id({ title: ['创建人', 'Created by'] })),
  createDept: Optional(Id({ title: ['创建部门', 'Created in'] })),
  createTime: DateTime({ title: ['创建时间', 'Created'], form: false, search: true, sort: true }),
  updateUser: Optional(Id({ title: ['更新人', 'Updated by'] })),
  updateTime: Optional(DateTime({ title: ['更新时间', 'Updated'], form: false, list: false })),
  status: Whole({ title: ['状态', 'Status'], form: false, list: false }),
  isDeleted: Choice({
    title: ['已删除', 'Deleted'],
    form: false,
    list: false,
    options: [
      [0, ['否', 'No']],
      [1, ['是', 'Yes']],
    ],
  }),
};

type AuditFields = typeof auditFields;
type OwnFields = TProperties & { readonly id: Field<string> };
type FormFields<Fields extends OwnFields> = Omit<Fields, 'id'> & { id: TOptional<Field<string>> };
type RowFields<Fields extends TProperties> = {
  [Name in keyof Fields as Fields[Name] extends SecretMark ? never : Name]: Fields[Name] extends TOptional<infer Schema extends TSchema>
    ? Schema
    : Fields[Name];
};
type SecretMark = Required<Pick<SecretField, 'secret'>>;

/** A kind of row. `row` is what replies carry; `form` what a submit takes: the operator's fields, with an `id` when it edits. */
export interface Entity<Fields extends TProperties = TProperties, Formed extends TProperties = TProperties> {
  /** Also the table's name, in snake case. */
  readonly name: string;
  /** Whose rows these are: each tenant's own, or the platform's (every tenant may read them, only the platform's writes them). */
  readonly owner: 'tenant' | 'platform';
  /** Fields by which its rows stand where nothing else is asked for, ascending, then `id`; without any, the newest come first. */
  readonly order: readonly string[];
  readonly fields: Fields;
  readonly row: TObject<RowFields<Fields>>;
  readonly form: TObject<Formed>;
}

/** What a kind of row says beyond its fields. */
export interface EntityOptions<Name extends string = string> {
  /** Each tenant's own unless said. */
  readonly owner?: Entity['owner'];
  readonly order?: readonly Name[];
}

export type RowOf<E extends Entity> = Static<E['row']>;
export type FormOf<E extends Entity> = Static<E['form']>;

/** Describes a kind of row once, for table, wire, screen and messages; the family's audit columns are added. */
export function entity<Fields extends OwnFields>(
  name: string,
  own: Fields,
  { owner = 'tenant', order = [] }: EntityOptions<NoInfer<keyof Fields & string>> = {},
): Entity<Fields & AuditFields, FormFields<Fields>> {
  checkVisibility(name, own);
  // What an entity says of an audit column itself counts, in the place where it says it.
  const fields = { ...own, ...auditFields, ...own };
  const entered = Object.entries(own).filter(([, schema]) => traitsOf(schema)?.form !== false);
  const form = Shape({ id: Omissible(Id()), ...Object.fromEntries(entered) }, { additionalProperties: false });
  const shown = Object.fromEntries(Object.entries(fields).filter(([, schema]) => !isSecret(schema)));
  const row = {
    ...Shape(Object.fromEntries(Object.entries(shown).map(([field, schema]) => [field, asAnswered(schema)]))),
    required: Object.keys(shown),
    entity: name,
  } as unknown as TObject<RowFields<Fields & AuditFields>>;
  return { name, owner, order, fields, row, form: form as unknown as TObject<FormFields<Fields>> };
}

/** A list of the family's comma text is written as text: PostgreSQL, handlers and the console have the list. */
function asAnswered(schema: TSchema): TSchema {
  if (!traitsOf(schema)?.comma) return schema;
  const { items: _, minItems: __, maxItems: ___, uniqueItems: ____, ...list } = schema as TSchema & Record<string, unknown>;
  return { ...list, type: [list.type].flat().map((type) => (type === 'array' ? 'string' : type)) } as TSchema;
}

/** True for a field that is written and never answered. */
export const isSecret = (schema: TSchema): boolean => (schema as { writeOnly?: boolean }).writeOnly === true;

/** A field that may be missing from sight must be able to be nothing. */
function checkVisibility(entity: string, fields: TProperties): void {
  for (const [name, schema] of Object.entries(fields)) {
    const { type, default: preset } = schema as { type?: string | string[]; default?: unknown };
    if (traitsOf(schema)?.visible && ![type].flat().includes('null') && preset === undefined)
      throw new Error(`${entity}.${name} is not always visible: make it Optional or give it a default`);
  }
}
