import {
  Integer,
  Array as List,
  Optional as Omissible,
  Object as Shape,
  type Static,
  type TArray,
  type TObject,
  type TSchema,
  type TUnsafe,
  Unsafe,
} from 'typebox';
import type { Entity, RowOf } from './entity.ts';
import { type Field, Id, traitsOf } from './fields.ts';
import { codes } from './menu-entry.ts';
import type { Words } from './text.ts';
import { ExportInput, FileLink, ImportInput, ImportPreview, PreviewInput, TransferRow } from './transfer-schemas.ts';
import { type Branch, TreeOf } from './tree.ts';

export { type Entity, type EntityOptions, entity, type FormOf, type RowOf } from './entity.ts';
/** @deprecated Import them from `#shared/menu-entry`, which does not bring contracts along; `npm run plugin -- upgrade` does it. Gone with 0.3. */
export { type Button, codes, type Menu, menu } from './menu-entry.ts';
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
  /** What a refused call is answered with, where that is not the envelope either. */
  readonly refusal?: TSchema;
  /** Takes its JSON body as it came, as the one input `raw`: what was signed is what is read. */
  readonly raw?: boolean;
  /** Takes `multipart/form-data`: one file in the field `file`, after the fields of the input. */
  readonly upload?: boolean;
  /** Answers with a file instead of an envelope. */
  readonly download?: boolean;
  /** Sends the browser on, to the address the handler gives; the reply is that address. */
  readonly redirect?: boolean;
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

/** A list's matches are counted up to here; beyond, its total is a lower bound. */
export const countedRows = 10_001;

/**
 * What every list takes: page, size (answered with at most 200; 0 asks for the total alone), sorts as comma text of column names, `ids` as comma text of
 * the only rows that are meant, and filters `{field}{suffix}`.
 */
export interface ListInput {
  current?: number;
  size?: number;
  ascs?: string;
  descs?: string;
  /** At most 200. */
  ids?: string;
  /** True counts every match, however many. */
  exactTotal?: boolean;
  [filter: string]: string | number | boolean | undefined;
}

const idList = { type: 'string', pattern: '^(\\d{1,19}(,\\d{1,19}){0,199})?$' };

/** The schema of it. */
export const ListQuery = Unsafe<ListInput>({
  type: 'object',
  properties: {
    current: { type: 'integer', minimum: 1, default: 1 },
    size: { type: 'integer', minimum: 0, default: 10 },
    ascs: { type: 'string' },
    descs: { type: 'string' },
    ids: idList,
    exactTotal: { type: 'boolean' },
  },
});

/** One page of rows. Where counting would cost more than the page, `total` is a lower bound and `totalExact` false; below `countedRows`, a request of size 0 tells more. */
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
const TreeQuery = Unsafe<ListInput>({ type: 'object', properties: { ascs: { type: 'string' }, descs: { type: 'string' }, ids: idList } });

/** All of an entity's rows as a forest. Filtered rows whose parent is not among them stand at the top. */
export const tree = <E extends Entity>(path: string, rows: E, who: Who, title: Words) =>
  get(path, { title, who, rows, input: TreeQuery, reply: TreeOf(rows.row as E['row']) });

/** What a level of a lazy tree takes: the row it stands below, '0' at the top, its sorts and filters. */
const LevelQuery = Unsafe<ListInput>({
  type: 'object',
  properties: { parentId: Id({ title: ['上级', 'Parent'] }), ascs: { type: 'string' }, descs: { type: 'string' } },
});

/** The rows that stand directly below one, each saying whether more stand below it. */
export const level = <E extends Entity>(path: string, rows: E, who: Who, title: Words) =>
  get(path, { title, who, rows, input: LevelQuery, reply: List(LazyRowOf(rows)) });

/** A row of a lazy tree. */
export type LazyRow<E extends Entity> = RowOf<E> & { hasChildren: boolean };

function LazyRowOf<E extends Entity>({ row }: E): TUnsafe<LazyRow<E>> {
  const { properties, required = [] } = row as unknown as { properties: object; required?: string[] };
  return Unsafe({ ...row, properties: { ...properties, hasChildren: { type: 'boolean' } }, required: [...required, 'hasChildren'] });
}

/** What a change of many rows takes: the rows, and the values all of them shall have; what is left out stays as it is. */
const BulkOf = (form: TSchema) => {
  const fields = Object.entries((form as TObject).properties ?? {}).filter(([name, schema]) => name !== 'id' && traitsOf(schema)?.form !== false);
  const values = fields.map(([name, schema]) => {
    const { default: _, ...plain } = schema as TSchema & { default?: unknown };
    // Whether a field is asked for is judged where each row is known.
    const { requiredWhen: __, ...traits } = traitsOf(schema) ?? {};
    return [name, Omissible({ ...plain, ...('field' in plain ? { field: traits } : {}) } as TSchema)];
  });
  const Values = Shape(Object.fromEntries(values), { additionalProperties: false, minProperties: 1 });
  return Shape({ ids: Ids.properties.ids, values: Values as unknown as TUnsafe<Record<string, unknown>> });
};

/** How many rows were changed. */
const Changed = Shape({ count: Integer() });

/** How a generic screen differs from the usual one. */
export interface CrudOptions<Input extends TSchema = TSchema> {
  /** The page whose codes guard the calls; the one of the entity's name unless said. */
  readonly menu?: string;
  /** What a submit takes instead of the entity's form. */
  readonly input?: Input;
  /** `list` answers all rows as a tree. */
  readonly tree?: boolean;
  /** Beside the whole tree, `lazy` answers one level of it at a time. */
  readonly lazy?: boolean;
}

/** The calls of a generic screen. */
export function crud<E extends Entity, Input extends TSchema = E['form']>(
  path: string,
  of: E,
  options: CrudOptions<Input> & { readonly tree: true; readonly lazy: true },
): LazyTreeCrud<E, Input>;
export function crud<E extends Entity, Input extends TSchema = E['form']>(
  path: string,
  of: E,
  options: CrudOptions<Input> & { readonly tree: true },
): TreeCrud<E, Input>;
export function crud<E extends Entity, Input extends TSchema = E['form']>(path: string, of: E, options?: CrudOptions<Input>): Crud<E, Input>;
export function crud(path: string, of: Entity, { menu = of.name, input = of.form, tree: isTree = false, lazy: isLazy = false }: CrudOptions = {}): unknown {
  const may = codes(menu);
  const who = { code: may.page };
  return {
    entity: of,
    menu,
    list: isTree ? tree(`${path}/list`, of, who, ['树形列表', 'Tree']) : list(`${path}/list`, of, who, ['分页查询', 'List']),
    detail: get(`${path}/detail`, { title: ['详情', 'Detail'], who, input: Shape({ id: Id() }), reply: of.row }),
    submit: post(`${path}/submit`, { title: ['新增或修改', 'Add or update'], who: { add: may.add, edit: may.edit }, input, reply: of.row }),
    remove: post(`${path}/remove`, { title: ['删除', 'Delete'], who: { code: may.delete }, input: Ids, reply: Done }),
    restore: post(`${path}/restore`, { title: ['撤销删除', 'Undo a deletion'], who: { code: may.delete }, input: Ids, reply: Done }),
    export: post(`${path}/export`, { title: ['导出', 'Export'], who: { code: may.export }, input: ExportInput, reply: TransferRow }),
    importTemplate: get(`${path}/import-template`, { title: ['导入模板', 'Import template'], who: { code: may.import }, input: Nothing, reply: FileLink }),
    importPreview: post(`${path}/import-preview`, {
      title: ['导入预览', 'Import preview'],
      who: { code: may.import },
      upload: true,
      input: Nothing,
      reply: ImportPreview,
    }),
    importMapping: post(`${path}/import-mapping`, {
      title: ['导入列对应', 'Import mapping'],
      who: { code: may.import },
      input: PreviewInput,
      reply: ImportPreview,
    }),
    import: post(`${path}/import`, { title: ['导入', 'Import'], who: { code: may.import }, input: ImportInput, reply: TransferRow }),
    bulkSubmit: post(`${path}/bulk-submit`, { title: ['批量修改', 'Edit many'], who: { code: may.edit }, input: BulkOf(input), reply: Changed }),
    ...(isLazy ? { lazy: level(`${path}/lazy-list`, of, who, ['逐级列表', 'One level of the tree']) } : {}),
  };
}

/** What `crud()` gives: the generic screen, the repository's routes and the menu all read it. */
export interface Crud<E extends Entity = Entity, Input extends TSchema = E['form'], Listed extends TSchema = TUnsafe<Page<RowOf<E>>>> {
  readonly entity: E;
  readonly menu: string;
  readonly list: Call<TUnsafe<ListInput>, Listed>;
  readonly detail: Call<TObject<{ id: Field<string> }>, E['row']>;
  readonly submit: Call<Input, E['row']>;
  readonly remove: Call<typeof Ids, TUnsafe<null>>;
  /** Brings back what the caller has removed within the last minute, all or nothing. */
  readonly restore: Call<typeof Ids, TUnsafe<null>>;
  /** Writes the list, or a part of it, into a file; a long one goes on after the answer. */
  readonly export: Call<typeof ExportInput, typeof TransferRow>;
  readonly importTemplate: Call<typeof Nothing, typeof FileLink>;
  /** Takes a sheet and says how it will be read. */
  readonly importPreview: Call<typeof Nothing, typeof ImportPreview>;
  /** The same for a sheet that is here already, with other columns for fields. */
  readonly importMapping: Call<typeof PreviewInput, typeof ImportPreview>;
  /** Adds the rows of a previewed sheet. */
  readonly import: Call<typeof ImportInput, typeof TransferRow>;
  /** Gives many rows the same values as `submit` would one by one, all or nothing. */
  readonly bulkSubmit: Call<TObject<{ ids: TArray<Field<string>>; values: TUnsafe<Record<string, unknown>> }>, typeof Changed>;
}

/** As `Crud`, with all rows as a tree for a list. */
export type TreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = Crud<E, Input, TUnsafe<Branch<RowOf<E>>[]>>;

/** As `TreeCrud`, which also answers one level at a time. */
export type LazyTreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = TreeCrud<E, Input> & {
  readonly lazy: Call<TUnsafe<ListInput>, TArray<TUnsafe<LazyRow<E>>>>;
};

/** A fact that has happened: past tense, `domain:what-happened`, small and serialisable. */
export interface EventToken<Payload> {
  readonly name: string;
  /** Carries the payload's type only; never set. */
  readonly payload?: Payload;
}

/** Declares an event. */
export const event = <Payload>(name: `${string}:${string}`): EventToken<Payload> => ({ name });

/** Something that is about to be done: whoever filters it may change what it is done with, or refuse it. */
export interface FilterToken<Value> {
  readonly name: string;
  /** Carries the value's type only; never set. */
  readonly value?: Value;
}

/** Declares a filter: present tense, `domain:what-is-being-done`. */
export const filter = <Value>(name: `${string}:${string}`): FilterToken<Value> => ({ name });
