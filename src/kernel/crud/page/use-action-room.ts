import { type RefObject, useLayoutEffect, useState } from 'react';
import { listGap, quickRoom } from '../search/ListSearch.tsx';

/** Width in pixels below which the line shows icons in place of some texts. */
const narrow = 960;

const widthOf = (elements: Iterable<HTMLElement>) => [...elements].reduce((sum, { offsetWidth }) => sum + (offsetWidth && offsetWidth + listGap), 0);

/**
 * Returns the number of actions that fit into the line of a list beside its quick filters, which yield to those on the whole list; the others belong in the menu. The
 * toolbar renders all of them, marked with `data-action`, so that each can be measured. `names` changes with the actions. The line gets the attribute `data-narrow` where
 * it has little room, and `data-tight` where not even its tools fit beside the search.
 */
export function useActionRoom(toolbar: RefObject<HTMLElement | null>, names: string): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other actions have other widths
  useLayoutEffect(() => {
    const line = toolbar.current?.parentElement;
    if (!line) return;
    const all = (selector: string) => line.querySelectorAll<HTMLElement>(selector);
    const measure = () => {
      if (line.clientWidth === 0) return;
      line.toggleAttribute('data-narrow', line.clientWidth < narrow);
      const others = widthOf(all(':scope > .crud-toolbar > :not([data-action])'));
      const search = widthOf(all(':scope > .crud-search > :not(.crud-search__quick)'));
      let free = line.clientWidth - others - search - widthOf(all(':scope > .crud-toolbar__selection'));
      line.toggleAttribute('data-tight', free < 0);
      free -= quickRoom(line, free - widthOf(all('[data-action=list]')));
      const fits = [...all('[data-action]')].filter(({ offsetWidth }) => {
        free -= offsetWidth + listGap;
        return free >= 0;
      });
      setRoom(fits.length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const part of [line, ...all(':scope > .crud-search, :scope > .crud-toolbar__selection, .crud-toolbar__extra')]) observer.observe(part);
    return () => observer.disconnect();
  }, [toolbar, names]);
  return room;
}
