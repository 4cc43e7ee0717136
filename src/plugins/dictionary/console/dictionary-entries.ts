import { catchError, combineLatest, defer, EMPTY, filter, mergeMap, type Observable, of, Subject, shareReplay, startWith, switchMap, takeUntil } from 'rxjs';
import type { DictionaryEntry, Http, Locale } from '#kernel';
import { isBusinessCode, stripBusinessPrefix } from '#shared/rich-fields';

const maxAgeMs = 60_000;

interface CachedEntries {
  readonly entries$: Observable<readonly DictionaryEntry[]>;
  /** Time (ms) after which the next reader triggers a reload; infinite while loading. */
  staleAt: number;
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

  /** Streams the entries of one dictionary that can be selected. */
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
      switchMap(() => this.load(code, cached)),
      takeUntil(this.ended$),
      shareReplay(1),
    );
    const cached: CachedEntries = { entries$, staleAt: Number.POSITIVE_INFINITY };
    this.cached.set(code, cached);
    return cached;
  }

  /** Emits nothing when loading fails: the cached entries stay, and the next reader tries again. */
  private load(code: string, cached: CachedEntries): Observable<readonly DictionaryEntry[]> {
    cached.staleAt = Number.POSITIVE_INFINITY;
    return defer(() => this.request(code)).pipe(
      catchError(() => of({ success: false } as const)),
      mergeMap((response) => {
        cached.staleAt = response.success ? Date.now() + maxAgeMs : 0;
        return response.success
          ? of(response.data.map(({ dictKey, dictValue, tone }) => ({ key: dictKey, title: dictValue, ...(tone ? { tone } : {}) })))
          : EMPTY;
      }),
    );
  }

  /** The contract is loaded with the first call so that it does not delay the start of the console. */
  private async request(code: string) {
    const { dict, dictBiz } = await import('../contract.ts');
    const [call, dictCode] = isBusinessCode(code) ? ([dictBiz.dictionary, stripBusinessPrefix(code)] as const) : ([dict.dictionary, code] as const);
    return this.http.send(call, { code: dictCode }, { quiet: true });
  }
}
