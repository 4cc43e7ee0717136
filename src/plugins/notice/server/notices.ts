import { sql } from 'drizzle-orm';
import { Dict } from '#plugins/dictionary/contract';
import { idArray, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { Notice, type NoticeRow, type notice, noticeLine } from '../contract.ts';
import type { Releases } from './releases.ts';

/** Repository of notices; a write releases the notice when its release time has come. */
export function noticesOf({ db }: Pick<ServerContext, 'db'>, releases: Releases): Repository<typeof Notice> {
  return repositoryOf(db, Notice, {
    // A released notice keeps its release time, because its readers are not notified again.
    complete: (form, { before }) => (before?.releasedAt ? { releaseTime: before.releaseTime } : { releaseTime: form.releaseTime }),
    saved: ({ id, releasedAt }: NoticeRow) => (releasedAt ? releases.notifyRemaining(id) : releases.releaseDue(id)),
  });
}

/** Returns the list for authors, with the number of readers of each notice. */
export function noticeLines({ db }: Pick<ServerContext, 'db'>): (input: InputOf<typeof notice.list>) => Promise<ReplyOf<typeof notice.list>> {
  const lines = repositoryOf(db, noticeLine.entity);
  return async (input) => {
    const { records, ...page } = await lines.page(input);
    const ids = records.map(({ id }) => id);
    const counts = await queryRows<{ id: string; count: number }>(
      db,
      sql`select notice_id::text as id, count(*)::integer as count from notice_read where notice_id = any(${idArray(ids)}) group by notice_id`,
    );
    const readBy = new Map(counts.map(({ id, count }) => [id, count]));
    const names = await categoryNames(db);
    return { ...page, records: records.map((row) => ({ ...row, categoryName: names.get(row.category) ?? '', readCount: readBy.get(row.id) ?? 0 })) };
  };
}

async function categoryNames(db: ServerContext['db']): Promise<Map<string, string>> {
  const dicts = tableOf(Dict);
  const rows = await db.sql.select({ key: dicts.dictKey, name: dicts.dictValue }).from(dicts).where(sql`${dicts.code} = 'notice' and ${dicts.isDeleted} = 0`);
  return new Map(rows.map(({ key, name }) => [key, name]));
}
