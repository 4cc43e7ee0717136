import { catchError, combineLatest, defer, EMPTY, filter, mergeMap, type Observable, of, Subject, shareReplay, startWith, switchMap, takeUntil } from 'rxjs';
import type { DictionaryEntry, Http, Locale } from '#kernel';
import { isBusinessCode, plainCode } from '#shared/rich-fields';

const freshFor = 60_000;

interface Known {
  readonly entries$: Observable<readonly DictionaryEntry[]>;
  /** From when on whoever asks has them read again; never while they are being read. */
  staleAt: number;
}

/** Entries of dictionaries for whoever shows or picks them: each read once, again after a change, in another language, or when somebody new asks a minute later. */
export class DictionaryEntries {
  private readonly known = new Map<string, Known>();
  /** Without a code: all of them. */
  private readonly outdated$ = new Subject<string | undefined>();
  private readonly ended$ = new Subject<void>();

  constructor(
    private readonly http: Http,
    private readonly locale: Locale,
  ) {}

  /** The entries of one dictionary that may still be chosen. */
  readonly entries$ = (code: string): Observable<readonly DictionaryEntry[]> =>
    defer(() => {
      const known = this.known.get(code) ?? this.follow(code);
      if (Date.now() >= known.staleAt) this.outdate(code);
      return known.entries$;
    });

  /** They have changed: those that are known, or this one of them, are read again. */
  outdate(code?: string): void {
    this.outdated$.next(code);
  }

  dispose(): void {
    this.ended$.next();
    this.ended$.complete();
    this.known.clear();
  }

  private follow(code: string): Known {
    const outdated$ = this.outdated$.pipe(
      filter((which) => which === undefined || which === code),
      startWith(code),
    );
    const entries$ = combineLatest([this.locale.language$, outdated$]).pipe(
      switchMap(() => this.read(code, known)),
      takeUntil(this.ended$),
      shareReplay(1),
    );
    const known: Known = { entries$, staleAt: Number.POSITIVE_INFINITY };
    this.known.set(code, known);
    return known;
  }

  /** Nothing when it fails: what was known before stays, and whoever asks next has it read again. */
  private read(code: string, known: Known): Observable<readonly DictionaryEntry[]> {
    known.staleAt = Number.POSITIVE_INFINITY;
    return defer(() => this.ask(code)).pipe(
      catchError(() => of({ success: false } as const)),
      mergeMap((answer) => {
        known.staleAt = answer.success ? Date.now() + freshFor : 0;
        return answer.success ? of(answer.data.map(({ dictKey, dictValue, tone }) => ({ key: dictKey, title: dictValue, ...(tone ? { tone } : {}) }))) : EMPTY;
      }),
    );
  }

  /** The contract comes with the first question: no console waits for it before. */
  private async ask(code: string) {
    const { dict, dictBiz } = await import('../contract.ts');
    const [call, plain] = isBusinessCode(code) ? ([dictBiz.dictionary, plainCode(code)] as const) : ([dict.dictionary, code] as const);
    return this.http.send(call, { code: plain }, { quiet: true });
  }
}
