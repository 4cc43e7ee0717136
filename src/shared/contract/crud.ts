import type { TArray, TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import type { Branch } from '../text/tree.ts';
import {
  type Access,
  ById,
  type Call,
  get,
  type LazyRow,
  type ListInput,
  ListQuery,
  level,
  list,
  NoContent,
  NoInput,
  type Page,
  PageOf,
  post,
  tree,
} from './calls.ts';
import type { Entity, RowOf } from './entity.ts';
import { type Field, traitsOf } from './fields.ts';
import { HistoryExportInput, HistoryInput, HistoryPage } from './history-schemas.ts';
import { codes } from './menu-entry.ts';
import { transitionsOf } from './states.ts';
import { BatchIds, BatchReply, BulkOf, Changed, SelectedIds, withVersion } from './submit-schemas.ts';
import { ExportInput, FileLink, ImportInput, ImportPreview, PreviewInput, TransferRow } from './transfer-schemas.ts';

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
  entity: E,
  options: CrudOptions<Input> & { readonly tree: true; readonly lazy: true },
): LazyTreeCrud<E, Input> & WithTransitions<E>;
export function crud<E extends Entity, Input extends TSchema = E['form']>(
  path: string,
  entity: E,
  options: CrudOptions<Input> & { readonly tree: true },
): TreeCrud<E, Input> & WithTransitions<E>;
export function crud<E extends Entity, Input extends TSchema = E['form']>(
  path: string,
  entity: E,
  options?: CrudOptions<Input>,
): Crud<E, Input> & WithTransitions<E>;
export function crud(
  path: string,
  entity: Entity,
  { menu = entity.name, input = entity.form, tree: isTree = false, lazy: isLazy = false }: CrudOptions = {},
): unknown {
  const may = codes(menu);
  const access = { code: may.page };
  const importAccess = { code: may.import };
  return {
    entity,
    menu,
    list: isTree ? tree(`${path}/list`, entity, access, ['树形列表', 'Tree']) : list(`${path}/list`, entity, access, ['分页查询', 'List']),
    detail: get(`${path}/detail`, { title: ['详情', 'Detail'], access, input: ById, reply: entity.row }),
    submit: post(`${path}/submit`, {
      title: ['新增或修改', 'Add or update'],
      access: { add: may.add, edit: may.edit },
      effect: 'saved',
      input: withVersion(input, entity),
      reply: entity.row,
    }),
    ...removalCalls(path, entity, may),
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
    ...(entity.history ? historyCalls(path, access) : {}),
    ...transitionCalls(path, entity),
    ...(isLazy ? { lazy: level(`${path}/lazy-list`, entity, access, ['逐级列表', 'Tree level']) } : {}),
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
export interface Crud<E extends Entity = Entity, Input extends TSchema = E['form'], Listed extends TSchema = TUnsafe<Page<RowOf<E>>>> extends RemovalCalls<E> {
  readonly entity: E;
  readonly menu: string;
  readonly list: Call<TUnsafe<ListInput>, Listed>;
  readonly detail: Call<TObject<{ id: Field<string> }>, E['row']>;
  readonly submit: Call<Input, E['row']>;
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
  /** Changes of the state by the names of the transitions; absent if the entity declares none. */
  readonly transitions?: Readonly<Record<string, TransitionCall>>;
  /** Exports the changes of one row. */
  readonly historyExport?: Call<typeof HistoryExportInput, typeof TransferRow>;
}

/** A `Crud` whose list answers all rows as a tree. */
export type TreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = Crud<E, Input, TUnsafe<Branch<RowOf<E>>[]>>;

/** A `TreeCrud` that also answers one level at a time. */
export type LazyTreeCrud<E extends Entity = Entity, Input extends TSchema = E['form']> = TreeCrud<E, Input> & {
  readonly lazy: Call<TUnsafe<ListInput>, TArray<TUnsafe<LazyRow<E>>>>;
};

/** A deleted row, with the name of the user who deleted it. `updateTime` is the time of the deletion. */
export type DeletedRow<E extends Entity = Entity> = RowOf<E> & { readonly deletedBy: string };

/** Calls that take rows out of a list and bring them back. */
export interface RemovalCalls<E extends Entity = Entity> {
  readonly remove: Call<typeof BatchIds, typeof BatchReply>;
  /** Restores deleted rows with the rows below them that were deleted by the same call, all or none. */
  readonly restore: Call<typeof SelectedIds, TUnsafe<null>>;
  /** Lists the deleted rows that can be restored, by the time of their deletion. */
  readonly recycled?: Call<TUnsafe<ListInput>, TUnsafe<Page<DeletedRow<E>>>>;
  /** Takes rows out of lists and pickers and keeps them readable; only where the entity is archivable. */
  readonly archive?: Call<typeof SelectedIds, TUnsafe<null>>;
  readonly unarchive?: Call<typeof SelectedIds, TUnsafe<null>>;
  readonly archived?: Call<TUnsafe<ListInput>, TUnsafe<Page<RowOf<E>>>>;
}

/** Declares the calls that remove and restore rows of a generic screen. Users who may delete rows may also archive and restore them. */
export function removalCalls(path: string, entity: Entity, may: ReturnType<typeof codes>): RemovalCalls {
  const access = { code: may.delete };
  return {
    remove: post(`${path}/remove`, { title: ['删除', 'Delete'], access, effect: 'removed', input: BatchIds, reply: BatchReply }),
    restore: post(`${path}/restore`, { title: ['恢复已删除', 'Restore deleted'], access, input: SelectedIds, reply: NoContent }),
    recycled: get(`${path}/recycle-list`, {
      title: ['回收站', 'Recycle bin'],
      access,
      filterable: entity,
      input: ListQuery,
      reply: PageOf(deletedRow(entity)) as TUnsafe<Page<DeletedRow>>,
    }),
    ...(entity.archivable
      ? {
          archive: post(`${path}/archive`, { title: ['归档', 'Archive'], access, input: SelectedIds, reply: NoContent }),
          unarchive: post(`${path}/unarchive`, { title: ['取消归档', 'Restore from archive'], access, input: SelectedIds, reply: NoContent }),
          archived: list(`${path}/archived-list`, entity, { code: may.page }, ['已归档', 'Archived']),
        }
      : {}),
  };
}

/** Describes a deleted row; a data scope that hides `updateUser` hides the name as well. */
function deletedRow({ row }: Entity): TSchema {
  const { properties, required = [] }: TSchema & { properties?: object; required?: string[] } = row as TObject;
  const deletedBy = Type.Unsafe<string>({ type: 'string', namedField: 'updateUser' } as TSchema);
  return { ...row, properties: { ...properties, deletedBy }, required: [...required, 'deletedBy'] } as TSchema;
}

/** Call of a transition on one or several rows, with the fields that it requires. */
export type TransitionCall = Call<TObject<typeof BatchIds.properties>, typeof BatchReply>;

type NamesIn<Field> = Field extends { readonly transitionNames: infer Name extends string } ? Name : never;

/** Names of the transitions of an entity. */
export type TransitionNames<E extends Entity> = { [Name in keyof E['fields']]: NamesIn<E['fields'][Name]> }[keyof E['fields']];

/** Calls of the transitions of an entity, if it has any. */
export type WithTransitions<E extends Entity> = [TransitionNames<E>] extends [never]
  ? unknown
  : { readonly transitions: { readonly [Name in TransitionNames<E>]: TransitionCall } };

/** Declares the calls of the transitions of an entity. */
export function transitionCalls(path: string, entity: Entity): { readonly transitions?: Readonly<Record<string, TransitionCall>> } {
  const calls = transitionsOf(entity).flatMap(({ name, title, code, fields = [] }) => {
    if (code === undefined) return [];
    const entered = Object.fromEntries(fields.map((field) => [field, required(entity.fields[field] as TSchema)]));
    return [[name, post(`${path}/${name}`, { title, access: { code }, input: Type.Object({ ...BatchIds.properties, ...entered }), reply: BatchReply })]];
  });
  return calls.length > 0 ? { transitions: Object.fromEntries(calls) } : {};
}

/** Returns the schema of a field that must be entered. */
function required(schema: TSchema): TSchema {
  const { type, ...rest } = schema as TSchema & { readonly type?: string | readonly string[] };
  const types = [type].flat().filter((one) => one !== 'null');
  return { ...rest, type: types.length === 1 ? types[0] : types, field: { ...traitsOf(schema), form: true } } as TSchema;
}
