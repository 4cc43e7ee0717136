import { type SQL, sql } from 'drizzle-orm';
import { currentActor } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { idArray, queryRows } from '../database/rows.ts';
import type { NamedTable } from './page-statements.ts';

/** Days for which deleted rows can be restored where no parameter says otherwise. */
const defaultRecycleDays = 30;

/** Returns the number of days for which deleted rows can be restored. */
export const recycleDaysOf = async (db: Database): Promise<number> => (await db.recycleDays?.()) ?? defaultRecycleDays;

/** Condition for deleted rows that the recycle bin still offers. */
export async function isRecyclable(db: Database, { isDeleted, updateTime }: NamedTable): Promise<SQL> {
  return sql`${isDeleted} = 1 and ${updateTime} > now() - make_interval(days => ${await recycleDaysOf(db)}::integer)`;
}

/** Condition for deleted rows that can be restored: those of the recycle bin, and for a minute those that the actor has deleted. */
export async function isRestorable(db: Database, table: NamedTable): Promise<SQL> {
  const { isDeleted, updateUser, updateTime } = table;
  const isOwn = sql`${isDeleted} = 1 and ${updateUser} = ${currentActor()?.userId || null}::bigint and ${updateTime} > now() - interval '60 seconds'`;
  return sql`((${isOwn}) or (${await isRecyclable(db, table)}))`;
}

/** Adds the names of the users who deleted the rows, in one statement. */
export async function withDeleters<Row extends object>(db: Database, rows: readonly Row[]): Promise<(Row & { deletedBy: string })[]> {
  const deleterOf = (row: Row) => String((row as { updateUser?: unknown }).updateUser ?? '');
  const ids = [...new Set(rows.map(deleterOf).filter(Boolean))];
  const people =
    ids.length > 0
      ? await queryRows<{ id: string; name: string }>(
          db,
          sql`
    select id::text as id, coalesce(nullif(real_name, ''), account) as name from user_account where id = any(${idArray(ids)})`,
        )
      : [];
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, deletedBy: names.get(deleterOf(row)) ?? '' }));
}
