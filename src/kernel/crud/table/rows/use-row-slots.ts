import { useMemo, useRef } from 'react';

/**
 * Returns the slot of each row by its id, which is the React key of the row. A row keeps its slot while it is listed, and rows that replace others take their slots:
 * the next page changes the contents of the elements that are there, which is much faster than creating others.
 */
export function useRowSlots(ids: readonly string[]): ReadonlyMap<string, number> {
  const former = useRef<ReadonlyMap<string, number>>(new Map());
  return useMemo(() => {
    former.current = slotsOf(ids, former.current);
    return former.current;
  }, [ids]);
}

/** Assigns a slot to each id, the former one where there is one. */
export function slotsOf(ids: readonly string[], former: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const listed = new Set(ids);
  const vacant: number[] = [];
  let next = 0;
  for (const [id, slot] of former) {
    next = Math.max(next, slot + 1);
    if (!listed.has(id)) vacant.push(slot);
  }
  vacant.reverse();
  return new Map(ids.map((id) => [id, former.get(id) ?? vacant.pop() ?? next++]));
}
