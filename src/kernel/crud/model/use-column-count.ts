import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the number of columns of at least this width that fit into an element, from one to `most`; `most` until it is measured. */
export function useColumnCount(element: RefObject<Element | null>, width: number, max = 6): number {
  const [count, setCount] = useState(max);
  useLayoutEffect(() => {
    if (!element.current) return;
    const measure = (available: number) => available > 0 && setCount(Math.min(max, Math.max(1, Math.floor(available / width))));
    measure(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => entry && measure(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, width, max]);
  return count;
}
