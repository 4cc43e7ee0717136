import { type RefObject, useLayoutEffect, useState } from 'react';

/** Space of a table in pixels; 0 until it is measured. */
export interface TableSpace {
  readonly width: number;
  /** Number of rows that fit into the window below the top of the table, at least `minRows`. */
  readonly rows: number;
  /** Height of the heading, which equals that of a row with one line. */
  readonly line: number;
}

/** Minimum page size of a list that fits the window: the default page size of the API. */
export const minRows = 10;
const maxRows = 100;
/** Height of the pager and the page padding below the table. */
const heightBelow = 96;

/**
 * Measures the space of a table before the first paint, and again when the window or the density changes. `fit` receives the number of rows of the first
 * measurement before the effects of the page run, so that the first request of a list already has the right page size. Later only a resized window changes
 * that number, because content that appears above or below the table must not load the page again.
 */
export function useTableSpace(box: RefObject<HTMLElement | null>, density: string, fit: (rows: number) => void): TableSpace {
  const [space, setSpace] = useState<TableSpace>({ width: 0, rows: minRows, line: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have another height with another density
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (isResized: boolean) => {
      const width = element.clientWidth;
      if (width === 0) return undefined;
      const line = element.querySelector('thead')?.offsetHeight ?? 0;
      const top = element.getBoundingClientRect().top + scrollOffset(element);
      const fittingRows = line > 0 ? Math.floor((window.innerHeight - top - heightBelow) / line) - 1 : minRows;
      const rows = Math.min(maxRows, Math.max(minRows, fittingRows));
      setSpace((previous) => {
        const next = { width, line, rows: isResized || previous.line === 0 ? rows : previous.rows };
        return previous.width === next.width && previous.rows === next.rows && previous.line === next.line ? previous : next;
      });
      return line > 0 ? rows : undefined;
    };
    const first = measure(true);
    if (first !== undefined) fit(first);
    const observer = new ResizeObserver(() => measure(false));
    observer.observe(element);
    const onResize = () => measure(true);
    window.addEventListener('resize', onResize);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', onResize);
    };
  }, [box, density]);
  return space;
}

function scrollOffset(element: HTMLElement): number {
  let scrolled = window.scrollY;
  for (let parent = element.parentElement; parent; parent = parent.parentElement) scrolled += parent.scrollTop;
  return scrolled;
}
