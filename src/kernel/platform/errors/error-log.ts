import { BehaviorSubject } from 'rxjs';
import type { Disposer } from '../../base/bus/bus.ts';
import type { JsonStorage } from '../browser/storage.ts';

/** One error of this browser. */
export interface ErrorEntry {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly type: 'error' | 'rejection' | 'request' | 'plugin';
  readonly message: string;
  readonly stack: string;
  /** Further context, such as the plugin's id or the path of the call. */
  readonly info: string;
  /** Number of consecutive occurrences, where there were several. */
  readonly count?: number;
}

/** Limit of stored entries and of the number on the badge. */
export const errorLogLimit = 99;

const key = 'error-log';
const version = 1;

/** Stores the latest errors of this browser, newest first, across reloads. */
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
    if (latest && isSame(latest, entry)) this.store([{ ...entry, count: (latest.count ?? 1) + 1 }, ...older]);
    else this.store([entry, ...this.entries].slice(0, errorLogLimit));
  }

  /** Removes these entries; later ones stay. */
  removeEntries(entries: readonly ErrorEntry[]): void {
    const removed = new Set(entries);
    this.store(this.entries.filter((entry) => !removed.has(entry)));
  }

  clear(): void {
    this.store([]);
  }

  private store(entries: readonly ErrorEntry[]): void {
    this.storage.write(key, { version, entries });
    this.subject.next(entries);
  }
}

/** Compares two entries, so that a timer that fails every second fills one entry. */
function isSame(before: ErrorEntry, now: ErrorEntry): boolean {
  return before.type === now.type && before.message === now.message && before.stack === now.stack && before.info === now.info;
}

/** Records uncaught errors of this window in the error log, and rejections that `handles` does not. */
export function recordWindowErrors(log: ErrorLog, handles: (reason: unknown) => boolean): Disposer {
  const onError = (event: ErrorEvent) => log.record('error', event.error ?? event.message, event.filename ? `${event.filename}:${event.lineno}` : '');
  const onRejection = ({ reason }: PromiseRejectionEvent) => {
    if (!handles(reason)) log.record('rejection', reason);
  };
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
