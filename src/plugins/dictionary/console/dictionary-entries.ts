import { Observable, ReplaySubject, type Subscription } from 'rxjs';
import type { DictionaryEntry, Http, Locale } from '#kernel';
import { isBusinessCode, stripBusinessPrefix } from '#shared/rich-fields';
import { archivedName, rowStates } from '#shared/row-states';
import { type Language, localize } from '#shared/text';
import type { DictRow } from '../contract.ts';

const maxAgeMs = 60_000;

interface CachedEntries {
  readonly entries$: ReplaySubject<readonly DictionaryEntry[]>;
  /** Time (ms) after which the next reader triggers a reload; infinite while loading. */
  staleAt: number;
  /** Number of requests so far; only the answer to the last one counts. */
  requests: number;
}

type EntryRow = Pick<DictRow, 'dictKey' | 'dictValue' | 'dictValueEn' | 'tone' | 'isDeleted'>;

function entryOf({ dictKey, dictValue, dictValueEn, tone, isDeleted }: EntryRow, language: Language): DictionaryEntry {
  const name = localize([dictValue, dictValueEn || dictValue], language);
  const isArchived = isDeleted === rowStates.archived;
  const title = isArchived ? localize(archivedName, language, { name }) : name;
  return { key: dictKey, title, ...(tone ? { tone } : {}), ...(isArchived ? { isArchived } : {}) };
}

/** Cache of dictionary entries for the console. Each dictionary is loaded once, and again after a change, in another language, or for a new reader after a minute. */
export class DictionaryEntries {
  private readonly cached = new Map<string, CachedEntries>();
  private readonly languageChanges: Subscription;

  constructor(
    private readonly http: Http,
    private readonly locale: Locale,
  ) {
    this.languageChanges = locale.language$.subscribe(() => this.invalidate());
  }

  /** Streams the entries of one dictionary that can be selected, then the archived ones. */
  readonly entries$ = (code: string): Observable<readonly DictionaryEntry[]> =>
    new Observable((subscriber) => {
      const entry = this.cached.get(code) ?? { entries$: new ReplaySubject(1), staleAt: 0, requests: 0 };
      this.cached.set(code, entry);
      if (Date.now() >= entry.staleAt) void this.load(code, entry);
      return entry.entries$.subscribe(subscriber);
    });

  /** Loads one dictionary again, or all without a code, if they are in the cache. */
  invalidate(code?: string): void {
    for (const [cachedCode, entry] of this.cached) if (code === undefined || code === cachedCode) void this.load(cachedCode, entry);
  }

  dispose(): void {
    this.languageChanges.unsubscribe();
    for (const { entries$ } of this.cached.values()) entries$.complete();
    this.cached.clear();
  }

  /** Loads entries into the cache. If that fails, those in the cache stay, and the next reader tries again. */
  private async load(code: string, entry: CachedEntries): Promise<void> {
    entry.staleAt = Number.POSITIVE_INFINITY;
    entry.requests += 1;
    const { requests } = entry;
    const { language } = this.locale;
    const response = await this.request(code).catch(() => undefined);
    if (requests !== entry.requests) return;
    entry.staleAt = response?.success ? Date.now() + maxAgeMs : 0;
    if (response?.success) entry.entries$.next(response.data.map((row) => entryOf(row, language)));
  }

  /** The contract is loaded with the first call so that it does not delay the start of the console. */
  private async request(code: string) {
    const { dict, dictBiz } = await import('../contract.ts');
    const [call, dictCode] = isBusinessCode(code) ? ([dictBiz.dictionary, stripBusinessPrefix(code)] as const) : ([dict.dictionary, code] as const);
    return this.http.send(call, { code: dictCode, includesArchived: true }, { quiet: true });
  }
}
