import { sql } from 'drizzle-orm';
import { idArray, type Principal, queryRows, type ServerContext } from '#server';
import type { ReplyOf } from '#shared/contract';
import type { latestNotices } from '../contract.ts';
import type { Readings } from './readings.ts';
import { linkOf } from './releases.ts';

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
