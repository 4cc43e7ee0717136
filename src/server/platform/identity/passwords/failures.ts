import { sql } from 'drizzle-orm';
import { signInProblems } from '#shared/auth-problems';
import { ApiError, type Problem } from '#shared/errors';
import { failCount } from '#shared/kernel-parameters';
import type { Parameters } from '../../../base/parameters.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/**
 * Scopes in which failures are counted. `address`: all accounts from one address. `pair`: one account from one address. `device`: one account on a device it knows.
 * `account`: one account from all unknown sources together. `proof`: an account that has already passed one proof.
 */
type FailureKind = 'address' | 'pair' | 'device' | 'account' | 'proof';

/** Factor by which an address may fail more often than an account, since many people can share one address. */
const addressFactor = 10;
/** Maximum delay between attempts from unknown sources. */
const maxDelaySeconds = 60;

/** Origin of an attempt. */
export interface AttemptSource {
  readonly address: string;
  /** Id of a device known to the account. */
  readonly device?: string | undefined;
}

interface Counter {
  readonly kind: FailureKind;
  readonly subject: string;
  readonly source: string;
}

interface StoredFailureCount extends Counter {
  readonly failures: number;
  readonly secondsAgo: number;
}

/**
 * Failed attempts to authenticate. Five from one source lock that source out of the account for 30 minutes; many sources together only slow down sources unknown to the
 * account. Attempts on one account run one after another, so that a hundred simultaneous guesses count as five failures and ten simultaneous correct passwords all
 * succeed.
 */
export class SignInFailures {
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(
    private readonly db: Database,
    private readonly parameters: Parameters,
  ) {}

  /** Runs `attempt` and counts its rejection as a failure. Throws without running it after too many failures, or too soon after the last one. */
  async runAttempt<Result>(subject: string, { address, device }: AttemptSource, attempt: () => Promise<Result>): Promise<Result> {
    const own: Counter = device === undefined ? { kind: 'pair', subject, source: address.slice(0, 64) } : { kind: 'device', subject, source: device };
    const unknownSources: Counter = { kind: 'account', subject, source: '' };
    const allAccounts: Counter = { kind: 'address', subject: address, source: '' };
    return this.runInOrder(device === undefined ? subject : `${subject} ${device}`, async () => {
      const limit = await this.limit();
      const { counted, isKnown } = await this.read([own, unknownSources, allAccounts], subject, address);
      const failuresOf = (kind: FailureKind) => counted.find((one) => one.kind === kind)?.failures ?? 0;
      if (device === undefined && failuresOf('address') >= limit * addressFactor) throw new ApiError(signInProblems.tooManyFailuresFromAddress);
      if (failuresOf(own.kind) >= limit) throw new ApiError(signInProblems.tooManyFailures);
      const waits = counted.map(({ kind, failures, secondsAgo }) => {
        if (kind === own.kind) return delaySeconds(failures, Math.max(1, limit - 2)) - secondsAgo;
        return kind === 'account' && device === undefined && !isKnown ? delaySeconds(failures, limit) - secondsAgo : 0;
      });
      const seconds = Math.ceil(Math.max(0, ...waits));
      if (seconds > 0) throw new ApiError(signInProblems.tooSoon, { seconds });
      const counters = device === undefined ? [own, unknownSources, allAccounts] : [own];
      return this.count(attempt, counters, () => this.clearSource(own));
    });
  }

  /** Runs an attempt that requires an earlier proof: five failures lock it regardless of their source. */
  async runProof<Result>(subject: string, attempt: () => Promise<Result>): Promise<Result> {
    const own: Counter = { kind: 'proof', subject, source: '' };
    return this.runInOrder(subject, async () => {
      const { counted } = await this.read([own], subject, '');
      if ((counted[0]?.failures ?? 0) >= (await this.limit())) throw new ApiError(signInProblems.tooManyFailures);
      return this.count(attempt, [own], () => this.clear([subject]));
    });
  }

  /** Returns the end of the longest lock of these accounts, from whichever source. */
  async lockedUntil(accounts: readonly string[]): Promise<string | undefined> {
    const limit = await this.limit();
    return this.acrossTenants(async () => {
      const [row] = await queryRows<{ until: string | null }>(
        this.db,
        sql`select to_char(max(expires_at), 'YYYY-MM-DD HH24:MI:SS') as until from login_failure
            where kind in ('pair', 'device', 'proof') and subject in ${accounts} and failures >= ${limit} and expires_at >= now()`,
      );
      return row?.until ?? undefined;
    });
  }

  /** Clears every failure of these accounts. */
  async clear(accounts: readonly string[]): Promise<void> {
    if (accounts.length === 0) return;
    await this.acrossTenants(() => clearFailures(this.db, accounts));
  }

  private async count<Result>(attempt: () => Promise<Result>, counters: readonly Counter[], clearSource: () => Promise<void>): Promise<Result> {
    const result = await attempt().catch(async (error: unknown) => {
      if (error instanceof ApiError && isFailure(error.problem)) await this.acrossTenants(() => this.add(counters));
      throw error;
    });
    await clearSource();
    return result;
  }

  /** Clears the failures of a source that has succeeded, and subtracts them from the account's total of unknown sources. */
  private async clearSource({ kind, subject, source }: Counter): Promise<void> {
    await this.acrossTenants(async () => {
      const [gone] = await queryRows<{ failures: number }>(
        this.db,
        sql`delete from login_failure where kind = ${kind} and subject = ${subject} and source = ${source} returning failures`,
      );
      if (!gone || kind !== 'pair') return;
      const [all] = await queryRows<{ failures: number }>(
        this.db,
        sql`update login_failure set failures = failures - ${gone.failures} where kind = 'account' and subject = ${subject} returning failures`,
      );
      if (all && all.failures <= 0) await queryRows(this.db, sql`delete from login_failure where kind = 'account' and subject = ${subject} and failures <= 0`);
    });
  }

  private async read(counters: readonly Counter[], subject: string, address: string): Promise<{ counted: StoredFailureCount[]; isKnown: boolean }> {
    const [tenantId = '', ...name] = subject.split('/');
    const keys = counters.map(({ kind, subject: of, source }) => sql`(${kind}, ${of}, ${source})`);
    return this.acrossTenants(async () => {
      const counted = await queryRows<StoredFailureCount>(
        this.db,
        sql`select kind, subject, source, failures, extract(epoch from now() - failed_at)::float8 as "secondsAgo" from login_failure
            where (kind, subject, source) in (${sql.join(keys, sql`, `)}) and expires_at >= now() and failures > 0`,
      );
      // Programs store no cookies, so an address with an earlier session of this account counts as known.
      const earlierSessions = await queryRows(
        this.db,
        sql`select 1 from session s join user_account u on u.id = s.user_id
            where u.tenant_id = ${tenantId} and lower(u.account) = ${name.join('/')} and u.is_deleted = 0 and s.address = ${address.slice(0, 64)} limit 1`,
      );
      return { counted, isKnown: earlierSessions.length > 0 };
    });
  }

  private async add(counters: readonly Counter[]): Promise<void> {
    const rows = counters.map(({ kind, subject, source }) => sql`(${kind}, ${subject}, ${source}, 1, now(), now() + interval '30 minutes')`);
    await queryRows(
      this.db,
      sql`insert into login_failure as known (kind, subject, source, failures, failed_at, expires_at) values ${sql.join(rows, sql`, `)}
          on conflict (kind, subject, source) do update set
            failures = case when known.expires_at < now() then 1 else greatest(known.failures, 0) + 1 end, failed_at = now(), expires_at = excluded.expires_at`,
    );
  }

  private async limit(): Promise<number> {
    return this.parameters.integer(failCount);
  }

  /** Runs work of one key in order of arrival; waiting occupies neither a thread nor a connection. */
  private async runInOrder<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.queues.get(key) ?? Promise.resolve()).then(work, work);
    this.queues.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.queues.get(key) === turn) this.queues.delete(key);
    }
  }

  private acrossTenants<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.db.asPlatform('counts failed sign-ins across tenants', work);
  }
}

/** Clears every failure of these accounts. Call it as the platform. */
export async function clearFailures(db: Database, accounts: readonly string[]): Promise<void> {
  await queryRows(db, sql`delete from login_failure where kind <> 'address' and subject in ${accounts}`);
}

/** Computes the delay after a failure: one second from the failure `from` on, doubled with each further one. */
const delaySeconds = (failures: number, from: number) => (failures < from ? 0 : Math.min(maxDelaySeconds, 2 ** Math.min(failures - from, 10)));

/** Excludes errors of an overloaded server, which say nothing about the attempt. */
const isFailure = ({ status }: Problem) => status < 500 && status !== 429;

/** Builds the counter key of an account, independent of upper and lower case. */
export const failureKey = (tenantId: string, account: string) => `${tenantId}/${account.trim().toLowerCase()}`.slice(0, 160);
