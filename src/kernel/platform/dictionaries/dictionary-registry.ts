import { BehaviorSubject, type Observable, of, switchMap } from 'rxjs';
import type { Disposer } from '../../base/bus/bus.ts';
import { Dictionaries, type DictionaryEntry, type DictionarySource } from './dictionaries.ts';

/** Implements `Dictionaries`: subscribers stay subscribed while the plugin that provides the entries stops and starts. */
export class DictionaryRegistry extends Dictionaries {
  private readonly source$ = new BehaviorSubject<DictionarySource | undefined>(undefined);

  entries$(code: string): Observable<readonly DictionaryEntry[]> {
    return this.source$.pipe(switchMap((source) => (source ? source(code) : of([]))));
  }

  provideBy(source: DictionarySource): Disposer {
    this.source$.next(source);
    return () => {
      if (this.source$.value === source) this.source$.next(undefined);
    };
  }
}
