import { type RefObject, useEffect, useRef } from 'react';
import type { Row } from './crud-screen.ts';

/** Where the list has turned its page below an opened row, what the row was opened by is gone: once it is closed, the row itself has the focus. */
export function useRowFocus(page: RefObject<HTMLElement | null>, opened: Row | undefined): void {
  const last = useRef<string>(undefined);
  const id = opened?.id;
  useEffect(() => {
    const closed = id === undefined ? last.current : undefined;
    last.current = id;
    if (closed === undefined) return;
    // Whoever still has something to give the focus back to has done so by then.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) page.current?.querySelector<HTMLElement>(`[data-row="${closed}"]`)?.focus();
    });
    return () => clearTimeout(timer);
  }, [page, id]);
}
