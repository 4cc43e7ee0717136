import { useRef } from 'react';

/** Returns the previous list while the new one has the same elements, so that memoized values that depend on the list are kept. */
export function useStableList<Element>(list: readonly Element[], isSame: (one: Element, other: Element) => boolean = Object.is): readonly Element[] {
  const previous = useRef(list);
  const isEqual = list.length === previous.current.length && list.every((element, index) => isSame(element, previous.current[index] as Element));
  if (!isEqual) previous.current = list;
  return previous.current;
}
