import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Counts the entries of a row that fit side by side. It measures copies of them in a hidden element, the ruler, that is as wide as the row. If some do not fit,
 * `overflowButtonWidth` pixels are left for the overflow button; if all fit, the count is infinite.
 */
export function useFittingCount<Ruler extends HTMLElement>(
  labels: readonly string[],
  overflowButtonWidth: number,
): { readonly ruler: RefObject<Ruler | null>; readonly count: number } {
  const ruler = useRef<Ruler>(null);
  const [count, setCount] = useState(Number.POSITIVE_INFINITY);
  const content = labels.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: other labels have other widths
  useLayoutEffect(() => {
    const measured = ruler.current;
    if (!measured) return;
    const measure = () => setCount(countFitting(measured.clientWidth, [...measured.children] as HTMLElement[], overflowButtonWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [content, overflowButtonWidth]);

  return { ruler, count };
}

function countFitting(availableWidth: number, entries: readonly HTMLElement[], overflowButtonWidth: number): number {
  const ends = entries.map((entry) => entry.offsetLeft + entry.offsetWidth);
  // While the row is not displayed, its width is 0 and nothing can be measured.
  if (availableWidth === 0 || (ends.at(-1) ?? 0) <= availableWidth) return Number.POSITIVE_INFINITY;
  return ends.filter((end) => end <= availableWidth - overflowButtonWidth).length;
}
