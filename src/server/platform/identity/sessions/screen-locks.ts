import { sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import { lockProblems } from '#shared/lock-problems';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { Principal } from '../../principal/principal.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { findAccountById } from '../accounts/accounts.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Sessions } from './sessions.ts';

/** Number of wrong passwords after which the next attempts are delayed. */
const freeFailures = 3;
/** Number of wrong passwords that ends the session. */
const maxFailures = 20;
const maxDelaySeconds = 300;

/** Dependencies of `ScreenLocks`. */
export interface ScreenLocksDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
}

/** Locks and unlocks sessions. Passwords are compared on the server only, and each wrong one increases the delay. */
export class ScreenLocks {
  constructor(private readonly deps: ScreenLocksDeps) {}

  async lock(password: string, principal: Principal): Promise<void> {
    const { passwords } = this.deps;
    const hash = password === '' ? null : await passwords.hash(passwords.read(password));
    return this.change(principal, sql`locked_at = now(), lock_hash = ${hash}, lock_failures = 0, lock_retry_at = null`);
  }

  async unlock(password: string, principal: Principal): Promise<void> {
    const { db, passwords, sessions } = this.deps;
    if (!principal.locked) return;
    const { hash, failures } = await this.attempt(principal);
    const stored = hash ?? (await findAccountById(db, principal.tenantId, principal.userId))?.passwordHash;
    if (!(await passwords.matches(passwords.read(password), stored))) {
      if (failures < maxFailures) throw new ApiError(lockProblems.wrongPassword);
      await sessions.logOut(principal.tenantId, principal.sessionId);
      throw new ApiError(lockProblems.ended);
    }
    return this.change(principal, sql`locked_at = null, lock_hash = null, lock_failures = 0, lock_retry_at = null`);
  }

  /** Counts the attempt before it is checked, so that simultaneous attempts are counted one by one. */
  private async attempt({ tenantId, sessionId }: Principal): Promise<{ hash: string | null; failures: number }> {
    const { db } = this.deps;
    return db.write({ tenantId }, async () => {
      const wait = sql`case when lock_failures < ${freeFailures} then 0 else least(${maxDelaySeconds}, 5 * power(2, lock_failures - ${freeFailures})) end`;
      const [counted] = await queryRows<{ hash: string | null; failures: number }>(
        db,
        sql`update session set lock_failures = lock_failures + 1, lock_retry_at = now() + make_interval(secs => ${wait})
            where id = ${sessionId}::uuid and (lock_retry_at is null or lock_retry_at <= now())
            returning lock_hash as hash, lock_failures as failures`,
      );
      if (counted) return counted;
      const [waiting] = await queryRows<{ seconds: number }>(
        db,
        sql`select ceil(extract(epoch from lock_retry_at - now()))::integer as seconds from session where id = ${sessionId}::uuid`,
      );
      if (!waiting) throw new ApiError(problems.unauthorized);
      throw new ApiError(lockProblems.tryLater, { seconds: Math.max(1, waiting.seconds) });
    });
  }

  private async change({ tenantId, sessionId }: Principal, set: ReturnType<typeof sql>): Promise<void> {
    const { db } = this.deps;
    await db.write({ tenantId }, async () => {
      await db.sql.execute(sql`update session set ${set} where id = ${sessionId}::uuid`);
      await invalidatePrincipals(db, { sessionId });
    });
  }
}
