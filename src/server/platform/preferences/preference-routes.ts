import { sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { preference, preferenceLimits, preferenceProblems, type UserPreference } from '#shared/preferences';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { type Route, route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';

/** Completes preferences with values stored elsewhere. */
export type CompletePreferences = (preferences: readonly UserPreference[], principal: Principal) => Promise<UserPreference[]>;

/** Serves the preferences of a user; the last write of a key wins. */
export function preferenceRoutes(db: Database, complete: CompletePreferences): Route[] {
  return [
    route(preference.list, async ({ input, principal }) => {
      const preferences = await queryRows<UserPreference>(
        db,
        sql`select key, version, value from user_preference where user_id = ${principal.userId} and starts_with(key, ${input.prefix}) order by key`,
      );
      return complete(preferences, principal);
    }),
    route(preference.submit, ({ input, principal }) => savePreference(db, principal.userId, input)),
    route(preference.remove, async ({ input, principal }) => {
      await queryRows(db, sql`delete from user_preference where user_id = ${principal.userId} and key = ${input.key}`);
    }),
  ];
}

async function savePreference(db: Database, userId: string, { key, version, value }: UserPreference): Promise<void> {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > preferenceLimits.bytes) throw new ApiError(problems.tooLarge);
  // Writes of one user are serialized, so that concurrent ones cannot exceed the limit together.
  await db.lock(`preferences of ${userId}`);
  const [others] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::integer as count from user_preference where user_id = ${userId} and key <> ${key}`,
  );
  if (Number(others?.count) >= preferenceLimits.keys) throw new ApiError(preferenceProblems.tooMany);
  await queryRows(
    db,
    sql`insert into user_preference (user_id, key, version, value) values (${userId}, ${key}, ${version}, ${text}::jsonb)
      on conflict (tenant_id, user_id, key) do update set version = excluded.version, value = excluded.value, update_time = now()`,
  );
}
