import { useEffect } from 'react';

/** Opens the browser's print dialog once the page shows what is printed, and calls `onDone` after it is closed. */
export function usePrinted(onDone: () => void): void {
  useEffect(() => {
    window.addEventListener('afterprint', onDone);
    const waiting = setTimeout(() => window.print());
    return () => {
      clearTimeout(waiting);
      window.removeEventListener('afterprint', onDone);
    };
  }, [onDone]);
}
