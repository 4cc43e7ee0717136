import { useMemo } from 'react';
import { BehaviorSubject, type Observable, of, switchMap } from 'rxjs';
import type { Tone } from '#shared/fields';
import type { Disposer } from '../../base/bus/bus.ts';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';

/** One entry of a dictionary: the stored value and the title shown for it. */
export interface DictionaryEntry {
  readonly key: string;
  readonly title: string;
  /** Colour of the entry in lists, where the dictionary defines one. */
  readonly tone?: Tone;
  /** True for an entry that is no longer offered and whose title says so. */
  readonly isArchived?: boolean;
}

/** Reads the entries of a dictionary in their order; emits again when they or the language change, and never errors. */
export type DictionarySource = (code: string) => Observable<readonly DictionaryEntry[]>;

/** The values a deployment can choose from, by dictionary code. One plugin provides them; without one every dictionary is empty. */
export abstract class Dictionaries {
  /** Shared by all subscribers and live; emits nothing before the entries are loaded. */
  abstract entries$(code: string): Observable<readonly DictionaryEntry[]>;
  /** Reads the entries from this source from now on; the returned function removes it and leaves none. */
  abstract provideBy(source: DictionarySource): Disposer;
}

const none: readonly DictionaryEntry[] = [];

/** Returns the entries of a dictionary, an empty list until they are loaded; without a code nothing is fetched. */
export function useDictionary(code: string | undefined): readonly DictionaryEntry[] {
  const dictionaries = useService(Dictionaries);
  const entries$ = useMemo(() => (code ? dictionaries.entries$(code) : of(none)), [dictionaries, code]);
  return useStream(entries$, none);
}

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
