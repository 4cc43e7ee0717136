import { useLayoutEffect, useState } from 'react';
import { Store } from '../../store.ts';

/** The one row that Tab leads to: the last that had the focus. */
export class Roving extends Store<{ readonly id: string | undefined }> {
  move(id: string | undefined): void {
    this.update(() => ({ id }));
  }
}

/** It is always one of the rows there are: the first of those that are drawn, when the one it was is gone. */
export function useRoving(places: ReadonlyMap<string, unknown>, first: string | undefined): Roving {
  const [roving] = useState(() => new Roving({ id: first }));
  useLayoutEffect(() => {
    if (!places.has(roving.state.id ?? '')) roving.move(first);
  }, [roving, places, first]);
  return roving;
}
