import { BehaviorSubject } from 'rxjs';
import type { JsonStorage } from '../storage.ts';

/** One thing that went wrong in this browser, `product.md` §3. */
export interface ErrorEntry {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly type: 'error' | 'rejection' | 'request' | 'plugin';
  readonly message: string;
  readonly stack: string;
  /** Whatever else helps: the plugin's id, the call's path. */
  readonly info: string;
  /** How often it happened in a row, where that was more than once. */
  readonly count?: number;
}

/** The most entries kept, and the most the badge shows. */
export const errorLogLimit = 99;

const key = 'error-log';
const version = 1;

/** What went wrong in this browser lately, newest first, kept over a reload. */
export class ErrorLog {
  private readonly subject: BehaviorSubject<readonly ErrorEntry[]>;
  readonly entries$;

  constructor(private readonly storage: JsonStorage) {
    const stored = storage.read<{ version: number; entries: readonly ErrorEntry[] }>(key);
    this.subject = new BehaviorSubject<readonly ErrorEntry[]>(stored?.version === version && Array.isArray(stored.entries) ? stored.entries : []);
    this.entries$ = this.subject.asObservable();
  }

  get entries(): readonly ErrorEntry[] {
    return this.subject.value;
  }

  record(type: ErrorEntry['type'], error: unknown, info = ''): void {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    const entry: ErrorEntry = { url: location.href, time: Date.now(), type, message: message.slice(0, 2000), stack: (stack ?? '').slice(0, 4000), info };
    const [latest, ...older] = this.entries;
    if (latest && isSame(latest, entry)) this.keep([{ ...entry, count: (latest.count ?? 1) + 1 }, ...older]);
    else this.keep([entry, ...this.entries].slice(0, errorLogLimit));
  }

  /** Drops these entries; what has come since stays. */
  forget(entries: readonly ErrorEntry[]): void {
    const gone = new Set(entries);
    this.keep(this.entries.filter((entry) => !gone.has(entry)));
  }

  clear(): void {
    this.keep([]);
  }

  private keep(entries: readonly ErrorEntry[]): void {
    this.storage.write(key, { version, entries });
    this.subject.next(entries);
  }
}

/** The same fault again: a timer that fails every second is one entry. */
function isSame(before: ErrorEntry, now: ErrorEntry): boolean {
  return before.type === now.type && before.message === now.message && before.stack === now.stack && before.info === now.info;
}
