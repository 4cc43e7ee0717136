import { type RefObject, useEffect, useState } from 'react';

/** Directions in which a row has hidden content, and a function that scrolls it. */
interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
  readonly scroll: (direction: -1 | 1) => void;
}

const none = { before: false, after: false };

/** Follows the hidden content of a row. `count` is the number of its elements. */
export function useOverflow(row: RefObject<HTMLElement | null>, count: number): Overflow {
  const [hidden, setHidden] = useState(none);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the content fires no event on the row.
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
