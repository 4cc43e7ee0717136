import { useEffect } from 'react';
import './printed.css';

/** Opens the browser's print dialog after the component has rendered its printed content, and calls `onDone` after it is closed. */
export function usePrinted(onDone: () => void): void {
  useEffect(() => {
    window.addEventListener('afterprint', onDone);
    const timer = setTimeout(() => window.print());
    return () => {
      clearTimeout(timer);
      window.removeEventListener('afterprint', onDone);
    };
  }, [onDone]);
}
