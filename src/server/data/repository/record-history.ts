import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import type { ChangedValue, HistoryEntry, HistoryInput } from '#shared/history-schemas';
import type { Database } from '../database/database.ts';
import { isId, queryRows } from '../database/rows.ts';
import type { NamedTable } from '../schema/table.ts';
import { maskedValue } from '../scope/personal-fields.ts';
import { isHidden } from './row-scope.ts';

/** A change of a record as it is stored, with the name of its author. */
export type StoredHistoryEntry = Omit<HistoryEntry, 'title'>;

/** One page of the changes of a record, newest first. */
export interface StoredHistory {
  readonly records: StoredHistoryEntry[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

const defaultSize = 20;

/** Rows whose history can be read. */
interface ReadableRows {
  readonly db: Database;
  readonly entity: Entity;
  readonly table: NamedTable;
  /** Condition for the rows that the actor may see; undefined if all. */
  readonly where: SQL | undefined;
}

/** Reads changes of a row that the actor may see, deleted or not, with the fields that they may see. */
export async function readHistory({ db, entity, table, where }: ReadableRows, { id, cursor, size = defaultSize }: HistoryInput): Promise<StoredHistory> {
  const visibleById = and(eq(table.id, id), where);
  const [row] = isId(id) ? await db.sql.select({ id: table.id }).from(table).where(visibleById) : [];
  if (!row) throw new ApiError(problems.notFound);
  const olderThanCursor = cursor === undefined ? sql`` : sql`and id < ${cursor}`;
  const rows = await queryRows<StoredHistoryEntry>(
    db,
    sql`select c.id::text as id, to_char(c.create_time, 'YYYY-MM-DD HH24:MI:SS.MS') as time, c.action, c.user_id::text as "userId",
          coalesce(nullif(u.real_name, ''), u.account) as "userName", c.method, c.path, c.request_id as "requestId", c.fields
        from (select * from record_change where record_id = ${id} and entity = ${entity.name} ${olderThanCursor} order by id desc limit ${size + 1}) c
        left join user_account u on u.id = c.user_id order by c.id desc`,
  );
  const page = rows.slice(0, size);
  const records = page.map((row) => ({ ...row, fields: visibleFields(db, entity, row.fields) }));
  return {
    // The actor may not learn of a change that affects hidden fields only.
    records: records.filter(({ action, fields }) => action !== 'updated' || Object.keys(fields).length > 0),
    next: rows.length > size ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Leaves out hidden fields, signs links to files and sorts the fields as the entity does. */
function visibleFields({ links }: Database, entity: Entity, fields: HistoryEntry['fields']): HistoryEntry['fields'] {
  const names = new Set([...Object.keys({ ...entity.fields, ...entity.related }), ...Object.keys(fields)]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, ChangedValue][] => {
      const change = fields[name];
      if (!change || isHidden(entity, name)) return [];
      const [from, to] = change.map((value) => maskedValue(entity, name, value));
      const schema = entity.fields[name];
      return [[name, links && schema ? [links.withSignedLinks(schema, from), links.withSignedLinks(schema, to)] : [from, to]]];
    }),
  );
}
