import { type RefObject, useEffect, useRef } from 'react';
import type { Row } from '../model/crud-screen.ts';

/** Restores the focus after an opened row is closed: if the list has changed its page meanwhile, the opener is gone and the row itself gets the focus. */
export function useRowFocus(page: RefObject<HTMLElement | null>, opened: Row | undefined): void {
  const last = useRef<string>(undefined);
  const id = opened?.id;
  useEffect(() => {
    const closed = id === undefined ? last.current : undefined;
    last.current = id;
    if (closed === undefined) return;
    // The timeout lets other code restore its focus first.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) page.current?.querySelector<HTMLElement>(`[data-row="${closed}"]`)?.focus();
    });
    return () => clearTimeout(timer);
  }, [page, id]);
}
