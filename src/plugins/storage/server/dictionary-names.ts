import { sql } from 'drizzle-orm';
import { Dict } from '#plugins/dictionary/contract';
import { type ServerContext, tableOf } from '#server';

/** Returns the labels of a dictionary's entries by their keys. */
export async function dictionaryNames(db: ServerContext['db'], code: string): Promise<Map<string, string>> {
  const dicts = tableOf(Dict);
  const rows = await db.sql.select({ key: dicts.dictKey, name: dicts.dictValue }).from(dicts).where(sql`${dicts.code} = ${code} and ${dicts.isDeleted} = 0`);
  return new Map(rows.map(({ key, name }) => [key, name]));
}
