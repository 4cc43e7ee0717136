import { sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import { holds } from '#shared/condition';
import type { Entity } from '#shared/contract';
import { ApiError, problem, problems } from '#shared/errors';
import { type DeclaredTransition, stateMessage, stateTitle, transitionsOf } from '#shared/states';
import { isEmpty } from '#shared/text';
import type { Database } from '../database/database.ts';
import { queryRows } from '../database/rows.ts';
import { rowName } from './record-uses.ts';
import type { RowValues } from './row-values.ts';

/** Data of the reply to a form that is based on an earlier version of its row. */
export interface ConflictData {
  /** The row as it is now. */
  readonly current: RowValues;
  /** Name of the user who changed it last; null if no user did. */
  readonly changedBy: string | null;
  readonly changedAt: string;
}

/** Error for a form that is based on an earlier version of its row. */
export class RowConflict extends ApiError {
  declare readonly data: ConflictData;

  constructor(
    /** Schema that serializes the row for the caller. */
    readonly schema: TSchema,
    data: ConflictData,
  ) {
    super(problems.conflict, {}, { data });
  }
}

/**
 * Throws a conflict if a form names another version than that of the locked row. Handlers that write without `Repository.save` call it with the row that they have locked.
 * A form without a version is accepted: it changes only the fields that it contains.
 */
export async function assertCurrentVersion(db: Database, entity: Entity, row: RowValues, version: unknown): Promise<void> {
  if (isEmpty(version) || String(version) === row.version) return;
  const [author] = isEmpty(row.updateUser)
    ? []
    : await queryRows<{ name: string }>(
        db,
        sql`select coalesce(nullif(real_name, ''), account) as name from user_account where id = ${row.updateUser}::bigint`,
      );
  throw new RowConflict(entity.row, { current: row, changedBy: author?.name ?? null, changedAt: String(row.updateTime ?? row.createTime) });
}

/** Throws if the stored row is in a state in which forms cannot edit it. */
export function assertEditable(entity: Entity, row: RowValues): void {
  if (entity.editableWhen && !holds(entity.editableWhen, row)) throw new ApiError(problems.notEditable, { name: rowName(entity, row) });
}

/** Returns the declared transition of this name. */
export function transitionNamed(entity: Entity, name: string): DeclaredTransition {
  const found = transitionsOf(entity).find((transition) => transition.name === name);
  if (!found) throw new Error(`${entity.name} declares no transition ${name}.`);
  return found;
}

/** Throws for the first row whose state does not allow the transition. */
export function assertTransition(entity: Entity, rows: readonly RowValues[], { field, from, title }: DeclaredTransition): void {
  const schema = entity.fields[field] as TSchema;
  const refused = rows.find((row) => !from.some((state) => state === row[field]));
  if (refused) throw new ApiError(problem(409, stateMessage(schema, refused[field], title)), { name: rowName(entity, refused) });
}

/** Throws for the first row whose state would change to one to which no transition leads. */
export function assertStates(entity: Entity, rows: readonly RowValues[], values: RowValues): void {
  for (const field of new Set(transitionsOf(entity).map((transition) => transition.field))) {
    const to = values[field];
    if (to === undefined) continue;
    const allowed = transitionsOf(entity).filter((transition) => transition.field === field && transition.to === to);
    const refused = rows.find((row) => row[field] !== to && !allowed.some(({ from }) => from.some((state) => state === row[field])));
    const schema = entity.fields[field] as TSchema;
    const [zh, en] = stateTitle(schema, to);
    const action = [`改为“${zh}”`, `a change to “${en}”`] as const;
    if (refused) throw new ApiError(problem(409, stateMessage(schema, refused[field], action)), { name: rowName(entity, refused) });
  }
}
