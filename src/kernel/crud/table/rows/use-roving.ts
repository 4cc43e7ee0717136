import { useLayoutEffect, useState } from 'react';
import { Store } from '../../../base/store/store.ts';

/** Id of the one row that Tab reaches: the last focused one. */
export class Roving extends Store<{ readonly id: string | undefined }> {
  move(id: string | undefined): void {
    this.update(() => ({ id }));
  }
}

/** Moves the tab stop to the first rendered row when the row that had it is gone. */
export function useRoving(places: ReadonlyMap<string, unknown>, first: string | undefined): Roving {
  const [roving] = useState(() => new Roving({ id: first }));
  useLayoutEffect(() => {
    if (!places.has(roving.state.id ?? '')) roving.move(first);
  }, [roving, places, first]);
  return roving;
}
