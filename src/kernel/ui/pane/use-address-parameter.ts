import { useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { map, of } from 'rxjs';
import { useStream } from '../../base/react/use-stream.ts';
import type { HistoryChange } from './page-address.ts';
import { PaneContext } from './pane-context.ts';

/** Options of a value in the address. */
export interface AddressOptions {
  /** `replace` adds no entry to the browser's history, for a text that filters while it is typed; `push` by default. */
  readonly change?: HistoryChange;
  /** Parameters that are removed when the value changes, such as the page of a list. */
  readonly resets?: readonly string[];
}

/**
 * Holds a choice of a page, such as its inner tab, in the page's address: a reload, a copied link and the browser's back button restore it. The first of
 * `values` is the default, which the address does not show. Inside a panel, which the address does not describe, the choice is local.
 */
export function useAddressParameter<const Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
  options?: AddressOptions,
): readonly [Value, (value: Value) => void] {
  const [text, setText] = useAddressText(name, options);
  return [values.find((value) => value === text) ?? values[0], (value) => setText(value === values[0] ? '' : value)];
}

/** Holds a text of a page, such as the id of a selected node, in the page's address, like `useAddressParameter`; empty by default. */
export function useAddressText(name: string, { change: historyChange = 'push', resets = [] }: AddressOptions = {}): readonly [string, (text: string) => void] {
  const { address } = useContext(PaneContext);
  const [local, setLocal] = useState('');
  const text$ = useMemo(() => address?.search$.pipe(map((search) => new URLSearchParams(search).get(name) ?? '')) ?? of(''), [address, name]);
  const text = useStream(text$, '');
  const resetNames = resets.join();
  const setText = useCallback(
    (next: string) => {
      if (!address) return setLocal(next);
      address.change((parameters) => {
        for (const reset of resetNames.split(',')) parameters.delete(reset);
        if (next === '') parameters.delete(name);
        else parameters.set(name, next);
      }, historyChange);
    },
    [address, name, historyChange, resetNames],
  );
  return [address ? text : local, setText];
}

/** Holds the page number of a list in the page's address, for lists that are not generic screens. */
export function useAddressPage(): readonly [number, (page: number) => void] {
  const [text, setText] = useAddressText('page');
  return [Math.max(1, Math.trunc(Number(text)) || 1), (page) => setText(page === 1 ? '' : String(page))];
}

/** A page of a list, as the server returns it. */
interface LoadedPage {
  readonly records: readonly unknown[];
  readonly current: number;
  readonly pages: number;
}

/** Opens the last page of a list when the open one no longer exists, for example because its last row was deleted. */
export function useExistingPage(page: LoadedPage | undefined, [current, setCurrent]: ReturnType<typeof useAddressPage>): void {
  const lastPage = page && page.current === current && page.records.length === 0 && page.pages > 0 ? page.pages : current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the setter is another function in each render
  useEffect(() => {
    if (lastPage < current) setCurrent(lastPage);
  }, [lastPage, current]);
}
