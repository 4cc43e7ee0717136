import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Counts the entries of a hidden ruler, as wide as its row, that fit side by side; if some do not, `reserve` pixels are set aside for the overflow button. */
export function useFittingCount<Ruler extends HTMLElement>(
  labels: readonly string[],
  reserve: number,
): { readonly ruler: RefObject<Ruler | null>; readonly count: number } {
  const ruler = useRef<Ruler>(null);
  const [count, setCount] = useState(Number.POSITIVE_INFINITY);
  const content = labels.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: other labels have other widths
  useLayoutEffect(() => {
    const measured = ruler.current;
    if (!measured) return;
    const measure = () => setCount(countFitting(measured.clientWidth, [...measured.children] as HTMLElement[], reserve));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [content, reserve]);

  return { ruler, count };
}

function countFitting(availableWidth: number, entries: readonly HTMLElement[], reserve: number): number {
  const ends = entries.map((entry) => entry.offsetLeft + entry.offsetWidth);
  // An element without a layout has no width to measure.
  if (availableWidth === 0 || (ends.at(-1) ?? 0) <= availableWidth) return Number.POSITIVE_INFINITY;
  return ends.filter((end) => end <= availableWidth - reserve).length;
}
