import { Array as List, Object as Shape, type Static, type TArray, type TObject, type TSchema, type TUnsafe, Unsafe } from 'typebox';
import type { Entity, RowOf } from './entity.ts';
import { type Field, Id } from './fields.ts';
import type { Words } from './text.ts';
import { type Branch, TreeOf } from './tree.ts';

export { type Entity, type EntityOptions, entity, type FormOf, type RowOf } from './entity.ts';
export { type Branch, TreeNode, TreeOf } from './tree.ts';

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

/** What a list that is not paged takes: its sorts and filters. A page asked for all the same is not refused, all rows are answered. */
const TreeQuery = Unsafe<ListInput>({ type: 'object', properties: { ascs: { type: 'string' }, descs: { type: 'string' } } });

/** All of an entity's rows as a forest. Filtered rows whose parent is not among them stand at the top. */
export const tree = <E extends Entity>(path: string, rows: E, who: Who, title: Words) =>
  get(path, { title, who, rows, input: TreeQuery, reply: TreeOf(rows.row as E['row']) });

/** How a generic screen differs from the usual one. */
export interface CrudOptions<Input extends TSchema = TSchema> {
  /** The page whose codes guard the calls; the one of the entity's name unless said. */
  readonly menu?: string;
  /** What a submit takes instead of the entity's form. */
  readonly input?: Input;
  /** `list` answers all rows as a tree. */
  readonly tree?: boolean;
}

/** The calls of a generic screen. */
export function crud<E extends Entity, Input extends TSchema = E['form']>(
  path: string,
  of: E,
  options: CrudOptions<Input> & { readonly tree: true },
): TreeCrud<E, Input>;
export function crud<E extends Entity, Input extends TSchema = E['form']>(path: string, of: E, options?: CrudOptions<Input>): Crud<E, Input>;
export function crud(path: string, of: Entity, { menu = of.name, input = of.form, tree: isTree = false }: CrudOptions = {}): unknown {
  const may = codes(menu);
  const who = { code: may.page };
  return {
    entity: of,
    menu,
    list: isTree ? tree(`${path}/list`, of, who, ['树形列表', 'All as a tree']) : list(`${path}/list`, of, who, ['分页查询', 'List']),
    detail: get(`${path}/detail`, { title: ['详情', 'Detail'], who, input: Shape({ id: Id() }), reply: of.row }),
    submit: post(`${path}/submit`, { title: ['新增或修改', 'Add or update'], who: { add: may.add, edit: may.edit }, input, reply: of.row }),
    remove: post(`${path}/remove`, { title: ['删除', 'Remove'], who: { code: may.delete }, input: Ids, reply: Done }),
  };
}

/** What `crud()` gives: the generic screen, the repository's routes and the menu all read it. */
export interface Crud<E extends Entity = Entity, Input extends TSchema = E['form'], Listed extends TSchema = TUnsafe<Page<RowOf<E>>>> {
  readonly entity: E;
  readonly menu: string;
  readonly list: Call<TUnsafe<ListInput>, Listed>;
  readonly detail: Call<TObject<{ id: Field<string> }>, E['row']>;
  readonly submit: Call<Input, E['row']>;
  readonly remove: Call<TObject<{ ids: TArray<Field<string>> }>, TUnsafe<null>>;
}

/** As `Crud`, with all rows as a tree for a list. */
export type TreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = Crud<E, Input, TUnsafe<Branch<RowOf<E>>[]>>;

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
