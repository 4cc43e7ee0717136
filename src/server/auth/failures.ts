import { sql } from 'drizzle-orm';
import { signInProblems } from '#shared/auth-problems';
import { type Problem, Refusal } from '#shared/errors';
import type { Database } from '../db/database.ts';
import type { Parameters } from '../parameters.ts';
import { rowsOf } from '../rows.ts';

type Kind = 'account' | 'address';

/** Behind one address may sit an office full of people. */
const addressShare = 10;

/** Counts attempts to sign in before they are tried, so that a hundred at once count as a hundred; a success takes its own back. */
export class SignInFailures {
  constructor(
    private readonly db: Database,
    private readonly parameters: Parameters,
  ) {}

  /** Throws when this account or this address has failed too often within 30 minutes. */
  async attempt(account: string, address: string): Promise<void> {
    const limit = await this.limit();
    await this.count('address', address, limit * addressShare, signInProblems.tooManyFailuresFromAddress);
    await this.count('account', account, limit, signInProblems.tooManyFailures);
  }

  /** As `attempt`, for what is not tried from just anywhere. */
  async attemptOf(account: string): Promise<void> {
    await this.count('account', account, await this.limit(), signInProblems.tooManyFailures);
  }

  /** Forgets every failure of these accounts. */
  async forget(accounts: readonly string[]): Promise<void> {
    if (accounts.length === 0) return;
    const subjects = sql.join(
      accounts.map((account) => sql`${account}`),
      sql`, `,
    );
    await this.db.asPlatform('sign-in failures are counted across tenants', () =>
      rowsOf(this.db, sql`delete from login_failure where kind = 'account' and subject in (${subjects})`),
    );
  }

  async succeeded(account: string, address: string): Promise<void> {
    await this.db.asPlatform('sign-in failures are counted across tenants', async () => {
      await this.db.sql.execute(sql`delete from login_failure where kind = 'account' and subject = ${account}`);
      await this.db.sql.execute(sql`update login_failure set failures = failures - 1 where kind = 'address' and subject = ${address} and failures > 0`);
    });
  }

  private async limit(): Promise<number> {
    return Math.max(1, await this.parameters.whole('account.failCount', 5));
  }

  private async count(kind: Kind, subject: string, limit: number, problem: Problem): Promise<void> {
    const [row] = await this.db.asPlatform('sign-in failures are counted across tenants', () =>
      rowsOf<{ failures: number }>(
        this.db,
        // Once locked, further attempts do not prolong it: the end is the last counted failure plus 30 minutes.
        sql`insert into login_failure as known (kind, subject, failures, expires_at) values (${kind}, ${subject}, 1, now() + interval '30 minutes')
            on conflict (kind, subject) do update set
              failures = case when known.expires_at < now() then 1 else least(known.failures, ${limit}) + 1 end,
              expires_at = case when known.expires_at >= now() and known.failures >= ${limit} then known.expires_at else now() + interval '30 minutes' end
            returning failures`,
      ),
    );
    if ((row?.failures ?? 0) > limit) throw new Refusal(problem);
  }
}

/** How an account is counted: the same in whatever case it is typed. */
export const countedAs = (tenantId: string, account: string) => `${tenantId}/${account.trim().toLowerCase()}`.slice(0, 160);
