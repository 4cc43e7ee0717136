import { sql } from 'drizzle-orm';
import type { InputOf } from '#shared/contract';
import { problems, Refusal } from '#shared/errors';
import { profileProblems, type updateInfo } from '#shared/own-profile';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import type { Principal } from './principal.ts';

const publicLink = /^\/api\/file\/blob\?key=([0-9a-f]{32})$/;

/** Changes what somebody may change about themselves. */
export async function updateOwnProfile(db: Database, { id, name, avatar }: InputOf<typeof updateInfo>, principal: Principal): Promise<null> {
  const { userId } = principal;
  if (id !== undefined && id !== userId) throw new Refusal(problems.forbidden);
  if (avatar && !(await isOwnPicture(db, avatar, userId))) throw new Refusal(profileProblems.foreignAvatar);
  await db.sql.execute(
    sql`update user_account set name = coalesce(${name?.trim() || null}, name), avatar = coalesce(${avatar ?? null}, avatar), update_user = ${userId}, update_time = now()
        where id = ${userId}`,
  );
  return null;
}

async function isOwnPicture(db: Database, link: string, userId: string): Promise<boolean> {
  const key = publicLink.exec(link)?.[1];
  if (!key) return false;
  const found = await rowsOf(db, sql`select 1 from stored_file where key = ${key} and owner_id = ${userId} and is_public`);
  return found.length > 0;
}
