import type { Static, TArray, TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { LocalizedText } from '../text/text.ts';
import { type Branch, TreeOf } from '../text/tree.ts';
import type { Entity, RowOf } from './entity.ts';
import { type Field, Id } from './fields.ts';
import { HistoryExportInput, HistoryInput, HistoryPage } from './history-schemas.ts';
import { codes } from './menu-entry.ts';
import { BatchIds, BatchReply, BulkOf, Changed, Ids, withVersion } from './submit-schemas.ts';
import { ExportInput, FileLink, ImportInput, ImportPreview, PreviewInput, TransferRow } from './transfer-schemas.ts';

export { type Branch, TreeNode, TreeOf } from '../text/tree.ts';
export { type Entity, type EntityOptions, entity, type FormOf, type RowOf } from './entity.ts';
/** @deprecated Import them from `#shared/menu-entry`, which does not import contracts; `npm run plugin -- upgrade` changes the import. Removed in 0.3. */
export { type Button, codes, type Menu, menu } from './menu-entry.ts';
export { atMost, before, type Rule, within } from './rules.ts';
export { BatchIds, BatchReply, BatchResult, Ids, type RefusedRow, withBatchResult } from './submit-schemas.ts';

/** Access of a call. There is no default: a call without it neither compiles nor boots. */
export type Access = 'open' | 'signedIn' | { readonly code: string } | { readonly add: string; readonly edit: string };

/** One call of the API. The console's typed client, the server's route and the API description all derive from this object. */
export interface Call<Input extends TSchema = TSchema, Reply extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly title: LocalizedText;
  readonly access: Access;
  /** Parameters, read from query, JSON or form body alike. */
  readonly input: Input;
  /** Schema of `data` in the envelope. */
  readonly reply: Reply;
  /** True for a reply without the envelope, as the OAuth2 token endpoint sends it. */
  readonly bare?: boolean;
  /** Schema of a failed reply, where it has no envelope either. */
  readonly refusal?: TSchema;
  /** True to pass the JSON body unparsed as the single input `raw`, for signatures that cover the exact bytes. */
  readonly raw?: boolean;
  /** False where clients send the call without the `Authorization` header of their client. */
  readonly clientHeader?: false;
  /** True for `multipart/form-data`: one file in the field `file`, after the fields of the input. */
  readonly upload?: boolean;
  /** True to answer with a file instead of an envelope. */
  readonly download?: boolean;
  /** True to redirect the browser to the address that the handler returns. */
  readonly redirect?: boolean;
  /** Effect of a successful call on a row, which selects the success message. `saved` counts as an update where the input names an id, else as an insert. */
  readonly effect?: 'saved' | 'updated' | 'removed';
  /** On lists: the entity whose fields can be filtered and sorted, with the suffixes of the wire format. */
  readonly filterable?: Entity;
  /** On lists that answer all rows as a tree: schema of the reply to a request with `current` or `size`, which gets one page. */
  readonly page?: TSchema;
}

/** Input type of a call. */
export type InputOf<C extends Call> = Static<C['input']>;
/** Reply type of a call. */
export type ReplyOf<C extends Call> = Static<C['reply']>;

type CallDescription<Input extends TSchema, Reply extends TSchema> = Omit<Call<Input, Reply>, 'method' | 'path'>;

/** Declares a call that reads, sent as GET. */
export const get = <Input extends TSchema, Reply extends TSchema>(path: string, call: CallDescription<Input, Reply>): Call<Input, Reply> => ({
  method: 'GET',
  path,
  ...call,
});

/** Declares a call that writes, sent as POST. */
export const post = <Input extends TSchema, Reply extends TSchema>(path: string, call: CallDescription<Input, Reply>): Call<Input, Reply> => ({
  method: 'POST',
  path,
  ...call,
});

/** Input of a call without parameters. */
export const NoInput = Type.Object({});

/** Reply of a call without data. */
export const NoContent = Type.Unsafe<null>({ type: 'null' });

/** The id of one row. */
export const ById = Type.Object({ id: Id() });

/** Rows up to which matches are counted; beyond it the total is a lower bound. */
export const maxCountedRows = 10_001;

/** Input of every list: page, size (at most 200; 0 asks for the total only), sorts and `ids` separated by commas, and filters `{field}{suffix}`. */
export interface ListInput {
  current?: number;
  size?: number;
  ascs?: string;
  descs?: string;
  /** At most 200 ids. */
  ids?: string;
  /** True to count every match, however many there are. */
  exactTotal?: boolean;
  [filter: string]: string | number | boolean | undefined;
}

const idList = { type: 'string', pattern: '^(\\d{1,19}(,\\d{1,19}){0,199})?$' };

/** JSON Schemas of the fixed properties of `ListInput`. */
export const listProperties = {
  current: { type: 'integer', minimum: 1, default: 1 },
  size: { type: 'integer', minimum: 0, default: 10 },
  ascs: { type: 'string' },
  descs: { type: 'string' },
  ids: idList,
  exactTotal: { type: 'boolean' },
};

/** JSON Schema of `ListInput`. */
export const ListQuery = Type.Unsafe<ListInput>({ type: 'object', properties: listProperties });

/** One page of rows. Where counting is expensive, `total` is an estimate and `totalExact` false; a request of size 0 counts up to `maxCountedRows`. */
export interface Page<Row> {
  records: Row[];
  total: number;
  totalExact: boolean;
  size: number;
  current: number;
  pages: number;
}

/** Builds the JSON Schema of a `Page`. */
export function PageOf<Row extends TSchema>(row: Row): TUnsafe<Page<Static<Row>>> {
  const number = { type: 'integer' };
  const properties = { records: { type: 'array', items: row }, total: number, totalExact: { type: 'boolean' }, size: number, current: number, pages: number };
  return Type.Unsafe({ type: 'object', required: Object.keys(properties), properties });
}

/** Declares a paged list of an entity's rows. */
export const list = <E extends Entity>(path: string, rows: E, access: Access, title: LocalizedText) =>
  get(path, { title, access, filterable: rows, input: ListQuery, reply: PageOf(rows.row as E['row']) });

/** Input of a list that answers a tree: sorts and filters. */
const TreeQuery = Type.Unsafe<ListInput>({ type: 'object', properties: { ascs: { type: 'string' }, descs: { type: 'string' }, ids: idList } });

/** Declares a list that answers all rows as a forest, or one page if the request names one. Rows whose parent is filtered out are at the top. */
export const tree = <E extends Entity>(path: string, rows: E, access: Access, title: LocalizedText) =>
  get(path, { title, access, filterable: rows, input: TreeQuery, reply: TreeOf(rows.row as E['row']), page: PageOf(rows.row as E['row']) });

/** Input of one level of a lazy tree: the id of the parent row ('0' for the top), sorts and filters. */
const LevelQuery = Type.Unsafe<ListInput>({
  type: 'object',
  properties: { parentId: Id({ title: ['上级', 'Parent'] }), ascs: { type: 'string' }, descs: { type: 'string' } },
});

/** Declares a list of the direct children of a row, each with `hasChildren`. A request with filters and without a parent matches rows at every depth. */
export const level = <E extends Entity>(path: string, rows: E, access: Access, title: LocalizedText) =>
  get(path, { title, access, filterable: rows, input: LevelQuery, reply: Type.Array(LazyRowOf(rows)) });

/** Row of a lazy tree. */
export type LazyRow<E extends Entity> = RowOf<E> & { hasChildren: boolean };

function LazyRowOf<E extends Entity>({ row }: E): TUnsafe<LazyRow<E>> {
  const { properties, required = [] }: TSchema & { properties?: object; required?: string[] } = row;
  return Type.Unsafe({ ...row, properties: { ...properties, hasChildren: { type: 'boolean' } }, required: [...required, 'hasChildren'] });
}

/** Options of a generic CRUD screen. */
export interface CrudOptions<Input extends TSchema = TSchema> {
  /** Code of the page whose permission codes guard the calls. Defaults to the entity's name. */
  readonly menu?: string;
  /** Input of `submit`, in place of the entity's form. */
  readonly input?: Input;
  /** True if `list` answers all rows as a tree. */
  readonly tree?: boolean;
  /** True for a `lazy` call beside the whole tree, which answers one level at a time. */
  readonly lazy?: boolean;
}

/** Declares the calls of a generic CRUD screen. */
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
  const access = { code: may.page };
  const importAccess = { code: may.import };
  const submitted = withVersion(input, of);
  return {
    entity: of,
    menu,
    list: isTree ? tree(`${path}/list`, of, access, ['树形列表', 'Tree']) : list(`${path}/list`, of, access, ['分页查询', 'List']),
    detail: get(`${path}/detail`, { title: ['详情', 'Detail'], access, input: ById, reply: of.row }),
    submit: post(`${path}/submit`, {
      title: ['新增或修改', 'Add or update'],
      access: { add: may.add, edit: may.edit },
      effect: 'saved',
      input: submitted,
      reply: of.row,
    }),
    remove: post(`${path}/remove`, { title: ['删除', 'Delete'], access: { code: may.delete }, effect: 'removed', input: BatchIds, reply: BatchReply }),
    restore: post(`${path}/restore`, { title: ['撤销删除', 'Undo delete'], access: { code: may.delete }, input: Ids, reply: NoContent }),
    export: post(`${path}/export`, { title: ['导出', 'Export'], access: { code: may.export }, input: ExportInput, reply: TransferRow }),
    importTemplate: get(`${path}/import-template`, { title: ['导入模板', 'Import template'], access: importAccess, input: NoInput, reply: FileLink }),
    importPreview: post(`${path}/import-preview`, {
      title: ['导入预览', 'Preview import'],
      access: importAccess,
      upload: true,
      input: NoInput,
      reply: ImportPreview,
    }),
    importMapping: post(`${path}/import-mapping`, {
      title: ['导入列对应', 'Map import columns'],
      access: importAccess,
      input: PreviewInput,
      reply: ImportPreview,
    }),
    import: post(`${path}/import`, { title: ['导入', 'Import'], access: importAccess, input: ImportInput, reply: TransferRow }),
    bulkSubmit: post(`${path}/bulk-submit`, {
      title: ['批量修改', 'Bulk edit'],
      access: { code: may.edit },
      effect: 'updated',
      input: BulkOf(input),
      reply: Changed,
    }),
    ...(of.history ? historyCalls(path, access) : {}),
    ...(isLazy ? { lazy: level(`${path}/lazy-list`, of, access, ['逐级列表', 'Tree level']) } : {}),
  };
}

/** Calls of the history of a row, for those who may read it. */
const historyCalls = (path: string, access: Access) => ({
  history: get(`${path}/history`, { title: ['变更历史', 'History'], access, input: HistoryInput, reply: HistoryPage }),
  historyExport: post(`${path}/history-export`, {
    title: ['导出变更历史', 'Export history'],
    access,
    input: HistoryExportInput,
    reply: TransferRow,
  }),
});

/** Calls that `crud()` declares. The generic screen, the repository's routes and the menu all read this object. */
export interface Crud<E extends Entity = Entity, Input extends TSchema = E['form'], Listed extends TSchema = TUnsafe<Page<RowOf<E>>>> {
  readonly entity: E;
  readonly menu: string;
  readonly list: Call<TUnsafe<ListInput>, Listed>;
  readonly detail: Call<TObject<{ id: Field<string> }>, E['row']>;
  readonly submit: Call<Input, E['row']>;
  readonly remove: Call<typeof BatchIds, typeof BatchReply>;
  /** Restores rows that the caller removed within the last minute, all or none. */
  readonly restore: Call<typeof Ids, TUnsafe<null>>;
  /** Exports the list, or a part of it, to a file; a long export continues after the reply. */
  readonly export: Call<typeof ExportInput, typeof TransferRow>;
  readonly importTemplate: Call<typeof NoInput, typeof FileLink>;
  /** Accepts a sheet and returns a preview of the import. */
  readonly importPreview: Call<typeof NoInput, typeof ImportPreview>;
  /** Repeats the preview of an uploaded sheet with another mapping of columns to fields. */
  readonly importMapping: Call<typeof PreviewInput, typeof ImportPreview>;
  /** Imports the rows of a previewed sheet. */
  readonly import: Call<typeof ImportInput, typeof TransferRow>;
  /** Sets the same values on many rows, as `submit` would on each, all or none; rows that have changed since their version are left out. */
  readonly bulkSubmit: Call<ReturnType<typeof BulkOf>, typeof Changed>;
  /** Changes of one row, also of a deleted one; absent if the entity has no history. */
  readonly history?: Call<typeof HistoryInput, typeof HistoryPage>;
  /** Exports the changes of one row. */
  readonly historyExport?: Call<typeof HistoryExportInput, typeof TransferRow>;
}

/** A `Crud` whose list answers all rows as a tree. */
export type TreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = Crud<E, Input, TUnsafe<Branch<RowOf<E>>[]>>;

/** A `TreeCrud` that also answers one level at a time. */
export type LazyTreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = TreeCrud<E, Input> & {
  readonly lazy: Call<TUnsafe<ListInput>, TArray<TUnsafe<LazyRow<E>>>>;
};

/** Event: something that has happened. Its name is past tense, `domain:what-happened`; its payload is small and serialisable. */
export interface EventToken<Payload> {
  readonly name: string;
  /** Carries the type of the payload only; never set. */
  readonly payload?: Payload;
}

/** Declares an event. */
export const event = <Payload>(name: `${string}:${string}`): EventToken<Payload> => ({ name });

/** Filter: something that is about to be done. A plugin that handles it can change the value or refuse the action. */
export interface FilterToken<Value> {
  readonly name: string;
  /** Carries the type of the value only; never set. */
  readonly value?: Value;
}

/** Declares a filter. Its name is present tense, `domain:what-is-being-done`. */
export const filter = <Value>(name: `${string}:${string}`): FilterToken<Value> => ({ name });
