import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { ApiError, problems } from '#shared/errors';
import { IntervalTask } from '../../base/interval-task.ts';
import type { Log } from '../../base/log.ts';
import { type LimitKind, RateLimits, type Rates } from '../../base/rate-limits.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { expirySeconds } from '../replicas/replica-facts.ts';

/** Share of a rate that all servers together allow before they have asked: the tolerance of the limit. */
const unaskedShare = 0.1;
/** Share of a rate that a server leases at once. */
const leaseShare = 0.05;
/** Number of servers that is assumed until the database has answered. */
const assumedServers = 10;
/** Time for which a request waits for a lease; then only the limit of this server applies, for a second. */
const waitMs = 2000;
const unavailableMs = 1000;
/** Time without a request after which unused tokens are returned, and after which a few unreported requests are forgotten. */
const idleMs = 2000;
const minuteMs = 60_000;
/** Time in which the callers of one statement are gathered. */
const gatherMs = 5;
const maxShares = 50_000;
const maxPerStatement = 500;

/** The part of one limit that this server has. */
interface LimitShare {
  readonly name: string;
  readonly rate: number;
  readonly since: number;
  /** Leased tokens. */
  tokens: number;
  /** Requests allowed without a lease that the database has not counted yet, and those of the statement that runs; negative for returned tokens. */
  owed: number;
  reported: number;
  /** Requests that wait for a lease. */
  waiting: number;
  usedAt: number;
  deniedUntil: number;
}

/**
 * Limits request rates for all servers together. Each leases tokens in blocks from a table, for many callers with one statement, before its own run out; so requests seldom
 * wait for the database. Its own limit applies first, and alone while the database does not answer and on the embedded one.
 */
export class SharedRateLimits {
  private readonly own: RateLimits;
  private readonly shares = new LRUCache<string, LimitShare>({ max: maxShares });
  private readonly asking = new Set<LimitShare>();
  private next: Promise<void> | undefined;
  private running: Promise<void> | undefined;
  private servers = assumedServers;
  private unavailableUntil = 0;
  private readonly tasks: readonly IntervalTask[];

  constructor(
    private readonly db: Database,
    private readonly rates: Rates,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.own = new RateLimits(rates);
    const failed = (error: unknown) => log.warn({ err: error }, 'could not maintain shared rate limits');
    this.tasks = db.engine === 'postgres' ? [new IntervalTask(1, () => this.returnIdle(), failed), new IntervalTask(60, () => this.removeFull(), failed)] : [];
  }

  /** Throws if the caller has used up the limit, with the seconds until it has not. */
  async spend(kind: LimitKind, subject: string): Promise<void> {
    this.own.spend(kind, subject);
    const rate = this.rates[kind];
    if (rate === 0 || this.tasks.length === 0) return;
    const share = this.shareOf(`${kind} ${subject}`, rate);
    while (!this.take(share)) {
      if (performance.now() < this.unavailableUntil) return;
      share.waiting += 1;
      const isAnswered = await this.answered(share);
      share.waiting -= 1;
      if (!isAnswered) this.unavailableUntil = performance.now() + unavailableMs;
    }
  }

  async stop(): Promise<void> {
    for (const task of this.tasks) await task.stop();
    await this.next;
    await this.running;
  }

  private shareOf(name: string, rate: number): LimitShare {
    const now = performance.now();
    const share = this.shares.get(name) ?? { name, rate, since: now, tokens: 0, owed: 0, reported: 0, waiting: 0, usedAt: now, deniedUntil: 0 };
    if (!this.shares.has(name)) this.shares.set(name, share);
    return share;
  }

  /** Takes a token if this server has one; throws if the database has denied more for now. */
  private take(share: LimitShare): boolean {
    const now = performance.now();
    share.usedAt = now;
    if (share.deniedUntil > now) throw new ApiError(problems.tooManyRequests, { seconds: Math.max(1, Math.ceil((share.deniedUntil - now) / 1000)) });
    const unasked = Math.floor((share.rate * unaskedShare) / this.servers);
    if (share.tokens >= 1) share.tokens -= 1;
    else if (share.owed + Math.max(0, share.reported) < unasked) share.owed += 1;
    else return false;
    // Callers that send little are never reported.
    if (share.owed > unasked / 2 || (share.owed === 0 && share.tokens < leaseOf(share) / 2)) void this.ask(share);
    return true;
  }

  /** Resolves true once the database has answered for this share, or has failed; false after the time that a request waits. */
  private answered(share: LimitShare): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs, false);
      void this.ask(share).then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Asks for this share with the next statement; never rejects. */
  private ask(share: LimitShare): Promise<void> {
    this.asking.add(share);
    this.next ??= this.askNext();
    return this.next;
  }

  private async askNext(): Promise<void> {
    await Promise.all([this.running, pause(gatherMs)]);
    // All servers lock rows in this order.
    const shares = [...this.asking].sort((one, other) => (one.name < other.name ? -1 : 1));
    this.asking.clear();
    this.next = undefined;
    this.running = this.leaseAll(shares);
    await this.running;
  }

  private async leaseAll(shares: readonly LimitShare[]): Promise<void> {
    try {
      for (let start = 0; start < shares.length; start += maxPerStatement) await this.lease(shares.slice(start, start + maxPerStatement));
    } catch (error) {
      if (performance.now() > this.unavailableUntil) this.log.warn({ err: error }, 'rate limits are not shared while the database does not answer');
      this.unavailableUntil = performance.now() + unavailableMs;
    }
  }

  private async lease(batch: readonly LimitShare[]): Promise<void> {
    const requests = batch.map((share) => {
      const wanted = share.owed < 0 ? 0 : Math.max(0, leaseOf(share) + share.waiting - share.tokens);
      share.reported = share.owed;
      share.owed = 0;
      return { share, wanted };
    });
    try {
      const rows = await this.db.asPlatform('leases tokens of rate limits for addresses and users of all tenants', () => this.leaseRows(requests));
      const bySubject = new Map(rows.map((row) => [row.subject, row]));
      for (const { share, wanted } of requests) {
        const { granted = 0, tokens = 0, servers = this.servers } = bySubject.get(share.name) ?? {};
        this.servers = Math.max(1, servers);
        share.reported = 0;
        share.tokens += granted;
        if (wanted > 0 && granted === 0) share.deniedUntil = performance.now() + ((1 - tokens) * minuteMs) / share.rate;
      }
    } catch (error) {
      for (const { share } of requests) {
        share.owed += share.reported;
        share.reported = 0;
      }
      throw error;
    }
  }

  private leaseRows(requests: readonly { readonly share: LimitShare; readonly wanted: number }[]) {
    const asked = JSON.stringify(requests.map(({ share, wanted }) => ({ subject: share.name, rate: share.rate, wanted, owed: share.reported })));
    const refilled = sql.raw(
      'least(excluded.rate, kept.tokens + greatest(0, extract(epoch from excluded.seen_time - kept.seen_time)) * excluded.rate / 60 - excluded.owed)',
    );
    const granted = sql`least(excluded.wanted, greatest(0, floor(${refilled})))::int`;
    return queryRows<{ subject: string; granted: number; tokens: number; servers: number }>(
      this.db,
      sql`insert into rate_limit as kept (subject, rate, wanted, owed, tokens, granted, seen_time)
          select subject, rate, wanted, owed, least(rate, rate - owed) - granted, granted, clock_timestamp()
          from (select *, least(wanted, greatest(0, floor(rate - owed)))::int as granted
                from jsonb_to_recordset(${asked}::jsonb) as a(subject text, rate float8, wanted int, owed int)) asked
          order by subject collate "C"
          on conflict (subject) do update set rate = excluded.rate, wanted = excluded.wanted, owed = excluded.owed, seen_time = excluded.seen_time,
            granted = ${granted}, tokens = ${refilled} - ${granted}
          returning subject, granted, tokens,
            (select count(*)::int from replica where seen_time > clock_timestamp() - make_interval(secs => ${expirySeconds})) as servers`,
    );
  }

  private async returnIdle(): Promise<void> {
    const now = performance.now();
    for (const share of [...this.shares.values()]) {
      if (now - share.usedAt < idleMs || share.waiting > 0 || share.reported !== 0 || share.deniedUntil > now) continue;
      if (share.tokens > 0) {
        share.owed -= share.tokens;
        share.tokens = 0;
        void this.ask(share);
      } else if (share.owed <= 0 || now - share.since > minuteMs) {
        if (!this.asking.has(share)) this.shares.delete(share.name);
      }
    }
  }

  /** Removes the rows of callers that may send a minute's amount again. */
  private async removeFull(): Promise<void> {
    await this.db.asPlatform('removes rate limits of addresses and users that have not called for two minutes', () =>
      this.db.sql.execute(
        sql`delete from rate_limit where subject in (
              select subject from rate_limit where seen_time < clock_timestamp() - interval '2 minutes' for update skip locked)`,
      ),
    );
  }
}

const leaseOf = ({ rate }: LimitShare) => Math.max(1, Math.ceil(rate * leaseShare));
