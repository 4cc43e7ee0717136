import { catchError, combineLatest, defer, EMPTY, filter, mergeMap, type Observable, of, Subject, shareReplay, startWith, switchMap, takeUntil } from 'rxjs';
import type { DictionaryEntry, Http, Locale } from '#kernel';
import { isBusinessCode, stripBusinessPrefix } from '#shared/rich-fields';
import { archivedName, rowStates } from '#shared/row-states';
import { type Language, localize } from '#shared/text';
import type { DictRow } from '../contract.ts';

const maxAgeMs = 60_000;

interface CachedEntries {
  readonly entries$: Observable<readonly DictionaryEntry[]>;
  /** Time (ms) after which the next reader triggers a reload; infinite while loading. */
  staleAt: number;
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
  /** Emits the code of an outdated dictionary, or `undefined` for all of them. */
  private readonly outdated$ = new Subject<string | undefined>();
  private readonly ended$ = new Subject<void>();

  constructor(
    private readonly http: Http,
    private readonly locale: Locale,
  ) {}

  /** Streams the entries of one dictionary that can be selected, then the archived ones. */
  readonly entries$ = (code: string): Observable<readonly DictionaryEntry[]> =>
    defer(() => {
      const entry = this.cached.get(code) ?? this.create(code);
      if (Date.now() >= entry.staleAt) this.invalidate(code);
      return entry.entries$;
    });

  /** Marks one dictionary, or all without a code, as outdated; those in the cache are loaded again. */
  invalidate(code?: string): void {
    this.outdated$.next(code);
  }

  dispose(): void {
    this.ended$.next();
    this.ended$.complete();
    this.cached.clear();
  }

  private create(code: string): CachedEntries {
    const outdated$ = this.outdated$.pipe(
      filter((which) => which === undefined || which === code),
      startWith(code),
    );
    const entries$ = combineLatest([this.locale.language$, outdated$]).pipe(
      switchMap(([language]) => this.load(code, cached, language)),
      takeUntil(this.ended$),
      shareReplay(1),
    );
    const cached: CachedEntries = { entries$, staleAt: Number.POSITIVE_INFINITY };
    this.cached.set(code, cached);
    return cached;
  }

  /** Emits nothing when loading fails: the cached entries stay, and the next reader tries again. */
  private load(code: string, cached: CachedEntries, language: Language): Observable<readonly DictionaryEntry[]> {
    cached.staleAt = Number.POSITIVE_INFINITY;
    return defer(() => this.request(code)).pipe(
      catchError(() => of({ success: false } as const)),
      mergeMap((response) => {
        cached.staleAt = response.success ? Date.now() + maxAgeMs : 0;
        return response.success ? of(response.data.map((row) => entryOf(row, language))) : EMPTY;
      }),
    );
  }

  /** The contract is loaded with the first call so that it does not delay the start of the console. */
  private async request(code: string) {
    const { dict, dictBiz } = await import('../contract.ts');
    const [call, dictCode] = isBusinessCode(code) ? ([dictBiz.dictionary, stripBusinessPrefix(code)] as const) : ([dict.dictionary, code] as const);
    return this.http.send(call, { code: dictCode, includesArchived: true }, { quiet: true });
  }
}
