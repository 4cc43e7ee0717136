import type { TObject, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';
import { type Call, get, type ListInput, ListQuery, list, NoContent, type Page, PageOf, post } from './calls.ts';
import type { Entity, RowOf } from './entity.ts';
import type { codes } from './menu-entry.ts';
import { BatchIds, BatchReply, SelectedIds } from './submit-schemas.ts';

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

/** Declares these calls for a generic screen. Users who may delete rows may also archive and restore them. */
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
