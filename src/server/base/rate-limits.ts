import { LRUCache } from 'lru-cache';
import { ApiError, problems } from '#shared/errors';

/** Kinds of limits: signing in and refreshing, creating captchas, other calls without a session (all by address), and calls by user. */
export type LimitKind = 'token' | 'captcha' | 'open' | 'calls';

/** Requests per minute; 0 for no limit. */
export type Rates = Readonly<Record<LimitKind, number>>;

interface Bucket {
  left: number;
  at: number;
}

const maxBuckets = 50_000;
const minute = 60_000;

/** Limits request rates with token buckets in this process: a minute's amount at once, refilled over each minute. */
export class RateLimits {
  private readonly buckets = new LRUCache<string, Bucket>({ max: maxBuckets });

  constructor(
    private readonly rates: Rates,
    private readonly now: () => number = Date.now,
  ) {}

  /** Throws if the bucket is empty, with the seconds until it is not. */
  spend(kind: LimitKind, subject: string): void {
    const rate = this.rates[kind];
    if (rate === 0) return;
    const bucket = this.bucket(`${kind} ${subject}`, rate);
    if (bucket.left < 1) throw new ApiError(problems.tooManyRequests, { seconds: Math.max(1, Math.ceil(((1 - bucket.left) * 60) / rate)) });
    bucket.left -= 1;
  }

  private bucket(name: string, rate: number): Bucket {
    const at = this.now();
    const known = this.buckets.get(name);
    const left = known ? Math.min(rate, known.left + (Math.max(0, at - known.at) * rate) / minute) : rate;
    const bucket = { left, at };
    this.buckets.set(name, bucket);
    return bucket;
  }
}
