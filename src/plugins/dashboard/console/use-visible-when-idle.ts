import { type RefObject, useEffect, useState } from 'react';

const quietMilliseconds = 1000;
const margin = '100px';

/** True once an element was visible, or nearly, while nothing was fetched for a second; used to load large content last. */
export function useVisibleWhenIdle(place: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (isSeen || !element) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setIsSeen(true), quietMilliseconds);
    };
    const fetched = new PerformanceObserver(wait);
    const sight = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        fetched.disconnect();
        if (!entries.at(-1)?.isIntersecting) return;
        fetched.observe({ type: 'resource' });
        wait();
      },
      { rootMargin: margin },
    );
    sight.observe(element);
    return () => {
      clearTimeout(timer);
      fetched.disconnect();
      sight.disconnect();
    };
  }, [place, isSeen]);
  return isSeen;
}
