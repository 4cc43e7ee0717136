import { type RefObject, useLayoutEffect, useState } from 'react';

/** How many columns of at least this width an element has room for, from one to six; six until it is measured. */
export function useColumnCount(element: RefObject<Element | null>, width: number): number {
  const [count, setCount] = useState(6);
  useLayoutEffect(() => {
    if (!element.current) return;
    const measure = (available: number) => available > 0 && setCount(Math.min(6, Math.max(1, Math.floor(available / width))));
    measure(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => entry && measure(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, width]);
  return count;
}
