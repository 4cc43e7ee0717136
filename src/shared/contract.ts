import {
  Array as List,
  Optional as Omissible,
  Object as Shape,
  type Static,
  type TArray,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Unsafe,
} from 'typebox';
import { Choice, DateTime, type Field, Id, Optional, traitsOf, Whole } from './fields.ts';
import type { Words } from './text.ts';

/** Who may make a call. There is no default: a call without one neither compiles nor boots. */
export type Who = 'open' | 'signedIn' | { readonly code: string } | { readonly add: string; readonly edit: string };

/** One call of the wire: the console's typed client, the server's route and the API description are made from this object. */
export interface Call<Input extends TSchema = TSchema, Reply extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly title: Words;
  readonly who: Who;
  /** Parameters, taken from query, JSON or form body alike. */
  readonly input: Input;
  /** What `data` of the envelope holds. */
  readonly reply: Reply;
  /** The reply stands alone, without the envelope (the OAuth2 token endpoint). */
  readonly bare?: boolean;
  /** Given on lists: whose fields may be filtered and sorted, with the suffixes of the wire. */
  readonly rows?: Entity;
}

/** What the caller gives. */
export type InputOf<C extends Call> = Static<C['input']>;
/** What the caller gets. */
export type ReplyOf<C extends Call> = Static<C['reply']>;

type Described<Input extends TSchema, Reply extends TSchema> = Omit<Call<Input, Reply>, 'method' | 'path'>;

/** A call that reads. */
export const get = <Input extends TSchema, Reply extends TSchema>(path: string, call: Described<Input, Reply>): Call<Input, Reply> => ({
  method: 'GET',
  path,
  ...call,
});

/** A call that changes something. */
export const post = <Input extends TSchema, Reply extends TSchema>(path: string, call: Described<Input, Reply>): Call<Input, Reply> => ({
  method: 'POST',
  path,
  ...call,
});

/** No parameters. */
export const Nothing = Shape({});

/** A reply without data. */
export const Done = Unsafe<null>({ type: 'null' });

/** Ids as a list or as the family's comma text. */
export const Ids = Shape({ ids: List(Id(), { minItems: 1, maxItems: 1000 }) });

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
type RowFields<Fields extends TProperties> = { [Name in keyof Fields]: Fields[Name] extends TOptional<infer Schema extends TSchema> ? Schema : Fields[Name] };

/** A kind of row. `row` is what replies carry; `form` what a submit takes: the operator's fields, with an `id` when it edits. */
export interface Entity<Fields extends TProperties = TProperties, Formed extends TProperties = TProperties> {
  /** Also the table's name, in snake case. */
  readonly name: string;
  /** Whose rows these are: each tenant's own, or the platform's (every tenant may read them, only the platform's writes them). */
  readonly owner: 'tenant' | 'platform';
  readonly fields: Fields;
  readonly row: TObject<RowFields<Fields>>;
  readonly form: TObject<Formed>;
}

export type RowOf<E extends Entity> = Static<E['row']>;
export type FormOf<E extends Entity> = Static<E['form']>;

/** Describes a kind of row once, for table, wire, screen and messages; the family's audit columns are added. */
export function entity<Fields extends OwnFields>(
  name: string,
  own: Fields,
  owner: Entity['owner'] = 'tenant',
): Entity<Fields & AuditFields, FormFields<Fields>> {
  const fields = { ...own, ...auditFields };
  const entered = Object.entries(own).filter(([, schema]) => traitsOf(schema)?.form !== false);
  const form = Shape({ id: Omissible(Id()), ...Object.fromEntries(entered) }, { additionalProperties: false });
  const row = { ...Shape(fields), required: Object.keys(fields) } as unknown as TObject<RowFields<Fields & AuditFields>>;
  return { name, owner, fields, row, form: form as unknown as TObject<FormFields<Fields>> };
}

/** What every list takes: page, size (answered with at most 200), sorts as comma text of column names, and filters `{field}{suffix}`. */
export interface ListInput {
  current?: number;
  size?: number;
  ascs?: string;
  descs?: string;
  /** True counts every match, however many. */
  exactTotal?: boolean;
  [filter: string]: string | number | boolean | undefined;
}

const ListQuery = Unsafe<ListInput>({
  type: 'object',
  properties: {
    current: { type: 'integer', minimum: 1, default: 1 },
    size: { type: 'integer', minimum: 1, default: 10 },
    ascs: { type: 'string' },
    descs: { type: 'string' },
    exactTotal: { type: 'boolean' },
  },
});

/** One page of rows. Where counting all would cost more than the page, `total` is a lower bound and `totalExact` false. */
export interface Page<Row> {
  records: Row[];
  total: number;
  totalExact: boolean;
  size: number;
  current: number;
  pages: number;
}

/** The JSON Schema of a `Page`. */
export function PageOf<Row extends TSchema>(row: Row): TUnsafe<Page<Static<Row>>> {
  const number = { type: 'integer' };
  const properties = { records: { type: 'array', items: row }, total: number, totalExact: { type: 'boolean' }, size: number, current: number, pages: number };
  return Unsafe({ type: 'object', required: Object.keys(properties), properties });
}

/** A paged list of an entity's rows. */
export const list = <E extends Entity>(path: string, rows: E, who: Who, title: Words) =>
  get(path, { title, who, rows, input: ListQuery, reply: PageOf(rows.row as E['row']) });

/** The calls of a generic screen. `menu` names the page whose codes guard them; it is the entity's name unless said. */
export function crud<E extends Entity>(path: string, of: E, menu: string = of.name): Crud<E> {
  const may = codes(menu);
  return {
    entity: of,
    menu,
    list: list(`${path}/list`, of, { code: may.page }, ['分页查询', 'List']),
    detail: get(`${path}/detail`, { title: ['详情', 'Detail'], who: { code: may.page }, input: Shape({ id: Id() }), reply: of.row as E['row'] }),
    submit: post(`${path}/submit`, {
      title: ['新增或修改', 'Add or update'],
      who: { add: may.add, edit: may.edit },
      input: of.form as E['form'],
      reply: of.row as E['row'],
    }),
    remove: post(`${path}/remove`, { title: ['删除', 'Remove'], who: { code: may.delete }, input: Ids, reply: Done }),
  };
}

/** What `crud()` gives: the generic screen, the repository's routes and the menu all read it. */
export interface Crud<E extends Entity = Entity> {
  readonly entity: E;
  readonly menu: string;
  readonly list: Call<TUnsafe<ListInput>, TUnsafe<Page<RowOf<E>>>>;
  readonly detail: Call<TObject<{ id: Field<string> }>, E['row']>;
  readonly submit: Call<E['form'], E['row']>;
  readonly remove: Call<TObject<{ ids: TArray<Field<string>> }>, TUnsafe<null>>;
}

/** The permission codes of a page: its own, and `{page}_{verb}` for the four verbs of a generic screen. */
export const codes = <const Menu extends string>(page: Menu) =>
  ({ page, add: `${page}_add`, edit: `${page}_edit`, delete: `${page}_delete`, view: `${page}_view` }) as const;

/** A button with its own permission code; the four common ones are named by their verb alone. */
export type Button = 'add' | 'edit' | 'delete' | 'view' | { readonly code: string; readonly title: Words };

/** An entry of the menu, declared once: the server seeds it, the console's page answers to it. */
export interface Menu {
  readonly code: string;
  readonly title: Words;
  /** A page's address; `/index` is appended by the console. */
  readonly path: string;
  /** The code of the entry above; a group stands at the top. */
  readonly under?: string;
  readonly icon?: string;
  readonly sort?: number;
  readonly buttons?: readonly Button[];
}

/** Declares a page or a group of the menu. */
export const menu = (entry: Menu): Menu => entry;

/** A fact that has happened: past tense, `domain:what-happened`, small and serialisable. */
export interface EventToken<Payload> {
  readonly name: string;
  /** Carries the payload's type only; never set. */
  readonly payload?: Payload;
}

/** Declares an event. */
export const event = <Payload>(name: `${string}:${string}`): EventToken<Payload> => ({ name });
