import { useEffect } from 'react';
import './printed.css';

/** Opens the browser's print dialog once the page shows what is printed, such as an element of the class `print-sheet` in the body, and calls `onDone` after it is closed. */
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
