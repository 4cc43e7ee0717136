import { LRUCache } from 'lru-cache';
import { ApiError, problems } from '#shared/errors';

/** Kinds of limits: signing in and refreshing, creating captchas, other calls without a session (all by address), and calls by user. */
export type LimitKind = 'token' | 'captcha' | 'open' | 'calls';

/** Requests per minute; 0 for no limit. */
export type Rates = Readonly<Record<LimitKind, number>>;

interface Bucket {
  tokens: number;
  /** Time at which `tokens` was computed, in milliseconds. */
  readonly refilledAt: number;
}

const maxBuckets = 50_000;
const minuteMs = 60_000;

/** Limits request rates with token buckets in this process: a minute's amount at once, refilled over each minute. */
export class RateLimits {
  private readonly buckets = new LRUCache<string, Bucket>({ max: maxBuckets });

  constructor(
    private readonly rates: Rates,
    private readonly now: () => number = Date.now,
  ) {}

  /** Takes a token; throws if the bucket is empty, with the seconds until it has one. */
  spend(kind: LimitKind, subject: string): void {
    const rate = this.rates[kind];
    if (rate === 0) return;
    const bucket = this.bucket(`${kind} ${subject}`, rate);
    if (bucket.tokens < 1) throw new ApiError(problems.tooManyRequests, { seconds: Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / rate)) });
    bucket.tokens -= 1;
  }

  private bucket(name: string, rate: number): Bucket {
    const now = this.now();
    const previous = this.buckets.get(name);
    const tokens = previous ? Math.min(rate, previous.tokens + (Math.max(0, now - previous.refilledAt) * rate) / minuteMs) : rate;
    const bucket = { tokens, refilledAt: now };
    this.buckets.set(name, bucket);
    return bucket;
  }
}
