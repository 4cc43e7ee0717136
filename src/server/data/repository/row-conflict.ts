import { sql } from 'drizzle-orm';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { isEmpty } from '#shared/text';
import type { Database } from '../database/database.ts';
import { queryRows } from '../database/rows.ts';
import type { Row } from './row-values.ts';

/** Data of the reply to a form that is based on an earlier version of its row. */
export interface ConflictData {
  /** The row as it is now. */
  readonly current: Row;
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
export async function assertCurrentVersion(db: Database, entity: Entity, row: Row, version: unknown): Promise<void> {
  if (isEmpty(version) || String(version) === row.version) return;
  const [author] = isEmpty(row.updateUser)
    ? []
    : await queryRows<{ name: string }>(
        db,
        sql`select coalesce(nullif(real_name, ''), account) as name from user_account where id = ${row.updateUser}::bigint`,
      );
  throw new RowConflict(entity.row, { current: row, changedBy: author?.name ?? null, changedAt: String(row.updateTime ?? row.createTime) });
}
