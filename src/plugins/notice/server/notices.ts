import { sql } from 'drizzle-orm';
import { Dict } from '#plugins/dictionary/contract';
import { idArray, type Principal, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { type latestNotices, Notice, type NoticeRow, type notice, noticeLine } from '../contract.ts';
import type { Readings } from './readings.ts';
import { linkOf, type Releases } from './releases.ts';

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

const cardCount = 6;
const bellCount = 20;
const maxDescriptionLength = 120;

/** Returns the latest notices with their authors. */
export async function noticeCards(db: ServerContext['db'], readings: Readings, reader: Principal): Promise<ReplyOf<typeof latestNotices.cards>> {
  const rows = await readings.latest(reader, cardCount);
  const authors = [...new Set(rows.flatMap(({ createUser }) => createUser ?? []))];
  const found = await queryRows<{ id: string; name: string; avatar: string }>(
    db,
    sql`select id::text as id, real_name as name, coalesce(avatar, '') as avatar from user_account where id = any(${idArray(authors)})`,
  );
  const people = new Map(found.map((person) => [person.id, person]));
  return rows.map(({ id, title, content, createUser, releaseTime }) => {
    const author = people.get(createUser ?? '');
    return { id, logo: author?.avatar ?? '', title, description: plainText(content), member: author?.name ?? '', href: linkOf(id), updatedAt: releaseTime };
  });
}

/** Returns the latest notices with their read state. */
export async function bellNotices(readings: Readings, reader: Principal): Promise<ReplyOf<typeof latestNotices.bell>> {
  const { records } = await readings.page(reader, { size: bellCount });
  return records.map(({ id, title, releaseTime, isRead }) => ({
    id,
    avatar: '',
    title,
    description: '',
    datetime: releaseTime,
    type: 'notification',
    read: isRead,
  }));
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' };

/** Extracts the beginning of the text from markup. */
function plainText(markup: string): string {
  const text = markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...text];
  return letters.length > maxDescriptionLength ? `${letters.slice(0, maxDescriptionLength).join('')}…` : text;
}
