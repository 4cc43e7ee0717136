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
    this.keep([entry, ...this.entries].slice(0, errorLogLimit));
  }

  clear(): void {
    this.keep([]);
  }

  private keep(entries: readonly ErrorEntry[]): void {
    this.storage.write(key, { version, entries });
    this.subject.next(entries);
  }
}
