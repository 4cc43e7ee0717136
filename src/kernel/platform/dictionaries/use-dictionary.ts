import { useMemo } from 'react';
import { of } from 'rxjs';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Dictionaries, type DictionaryEntry } from './dictionaries.ts';

const none: readonly DictionaryEntry[] = [];

/** Returns the entries of a dictionary, an empty list until they are loaded; without a code nothing is fetched. */
export function useDictionary(code: string | undefined): readonly DictionaryEntry[] {
  const dictionaries = useService(Dictionaries);
  const entries$ = useMemo(() => (code ? dictionaries.entries$(code) : of(none)), [dictionaries, code]);
  return useStream(entries$, none);
}
