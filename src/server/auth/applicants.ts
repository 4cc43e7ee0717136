import { type SQL, sql } from 'drizzle-orm';
import { Refusal } from '#shared/errors';
import { registrationDecisions, registrationProblems } from '#shared/registration';
import { wayProblems } from '#shared/sign-in-ways';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';

/** A wish for an account that has not come true, or not yet. */
export interface Wish {
  readonly isRefused: boolean;
  /** '' where whoever refused it gave none. */
  readonly reason: string;
  /** Of the password it was asked for with. */
  readonly passwordHash: string;
}

/** The last wish for an account of this name. Call inside of `read`, as the account itself is looked for: neither takes longer than the other. */
export const wishNamed = (db: Database, account: string): Promise<Wish | undefined> => lastWish(db, sql`lower(r.account) = lower(${account})`);

/** The last wish of an identity elsewhere. Call inside of `read`. */
export const wishOf = (db: Database, oauthId: string): Promise<Wish | undefined> => lastWish(db, sql`r.oauth_id = ${oauthId}::bigint`);

async function lastWish(db: Database, which: SQL): Promise<Wish | undefined> {
  const { approved, refused } = registrationDecisions;
  const [wish] = await rowsOf<Wish & { decision: number }>(
    db,
    sql`select r.decision, r.decision = ${refused} as "isRefused", coalesce(r.reason, '') as reason, u.password_hash as "passwordHash"
        from registration r join user_account u on u.id = r.user_id where ${which} and r.is_deleted = 0 order by r.id desc limit 1`,
  );
  return wish?.decision === approved ? undefined : wish;
}

/** What somebody who has proved to be the applicant is told. */
export function toldOf({ isRefused, reason }: Wish): Refusal {
  if (!isRefused) return new Refusal(wayProblems.awaitingApproval);
  return reason === '' ? new Refusal(registrationProblems.refused) : new Refusal(registrationProblems.refusedBecause, { reason });
}
