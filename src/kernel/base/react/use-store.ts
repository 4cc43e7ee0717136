import { useMemo, useSyncExternalStore } from 'react';
import type { Store } from '../store/store.ts';
import type { StatePath, ValueAt } from '../store/store-paths.ts';

/** Returns the result of a selector on a store; the component renders again only when the result changes. */
export function useStore<State extends object, Selected>(store: Store<State>, selector: (state: State) => Selected): Selected {
  const selection = useMemo(() => store.selection(selector), [store, selector]);
  return useSyncExternalStore(selection.subscribe, selection.read);
}

/** Returns the value at a path of a store, such as `['rows', 5]`. A change of one row then renders only the components that show this row. */
export function useStorePath<State extends object, const Path extends StatePath>(store: Store<State>, path: Path): ValueAt<State, Path> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys of the path decide; callers create a new list for each render.
  const selection = useMemo(() => store.selectionAt(path), [store, ...path]);
  return useSyncExternalStore(selection.subscribe, selection.read);
}
