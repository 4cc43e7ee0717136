import { sql } from 'drizzle-orm';
import type { InputOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { type managedFields, profileProblems, type updateInfo } from '#shared/profile';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { keyOfLink, publishPicture } from '../../files/publish-picture.ts';
import type { Principal } from '../../principal/principal.ts';

const fieldProblems = { realName: profileProblems.realName, phone: profileProblems.phone, email: profileProblems.email } as const;

type StoredProfile = Record<keyof typeof managedFields | 'avatar', string>;

/** Updates the fields that users may change themselves. A new value for a field that administrators manage is rejected, not ignored. */
export async function updateProfile(db: Database, input: InputOf<typeof updateInfo>, principal: Principal): Promise<void> {
  const { userId } = principal;
  const { id, name } = input;
  if (id && id !== userId) throw new ApiError(problems.forbidden);
  const [stored] = await queryRows<StoredProfile>(
    db,
    sql`select real_name as "realName", coalesce(phone, '') as phone, coalesce(email, '') as email, coalesce(avatar, '') as avatar
        from user_account where id = ${userId} for update`,
  );
  if (!stored) throw new ApiError(problems.notFound);
  for (const field of ['realName', 'phone', 'email'] as const) {
    const sent = input[field]?.trim();
    if (sent !== undefined && sent !== stored[field]) throw new ApiError(fieldProblems[field], {}, { field });
  }
  const avatar = input.avatar === undefined ? null : await storedAvatar(db, { sent: input.avatar, stored: stored.avatar, userId });
  await db.sql.execute(
    sql`update user_account set name = coalesce(${name?.trim() || null}, name), avatar = coalesce(${avatar}, avatar), update_user = ${userId}, update_time = now()
        where id = ${userId}`,
  );
}

/** Returns the link to store: the unchanged one, or a public link to a picture the user has uploaded. */
async function storedAvatar(db: Database, { sent, stored, userId }: { sent: string; stored: string; userId: string }): Promise<string> {
  if (sent === '' || sent === stored) return sent;
  const published = await publishPicture(db, sent, userId);
  if (published) return published;
  if (keyOfLink(sent) !== undefined && keyOfLink(sent) === keyOfLink(stored)) return stored;
  throw new ApiError(profileProblems.avatarNotUploaded, {}, { field: 'avatar' });
}
