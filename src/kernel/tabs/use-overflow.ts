import { type RefObject, useEffect, useState } from 'react';

/** Which way there is more of a row than it has room for, and how to get there. */
interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
  readonly scroll: (direction: -1 | 1) => void;
}

const none = { before: false, after: false };

/** Follows how much of a row is out of sight. `count` is how much stands in it. */
export function useOverflow(row: RefObject<HTMLElement | null>, count: number): Overflow {
  const [hidden, setHidden] = useState(none);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands in the row is not an event of the row.
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const look = () => setHidden((known) => renewed(known, element));
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [row, count]);

  const scroll = (direction: -1 | 1) => {
    const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    row.current?.scrollBy({ left: direction * row.current.clientWidth * 0.6, behavior });
  };
  return { ...hidden, scroll };
}

function renewed(known: typeof none, { scrollLeft, scrollWidth, clientWidth }: HTMLElement): typeof none {
  const [before, after] = [scrollLeft > 1, scrollLeft < scrollWidth - clientWidth - 1];
  return known.before === before && known.after === after ? known : { before, after };
}
