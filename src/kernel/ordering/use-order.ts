import { useEffect, useState } from 'react';

/** The rows of a list that is put in order: read anew when `read` is another, and when what was shown could not be kept. Nothing until they are there. */
export function useOrder<Row>(read: (signal: AbortSignal) => Promise<readonly Row[]>, keep: (rows: readonly Row[]) => Promise<boolean>) {
  const [rows, show] = useState<readonly Row[]>();
  const [reads, readAgain] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another read is what asks again
  useEffect(() => {
    const leaving = new AbortController();
    read(leaving.signal).then(show, () => undefined);
    return () => leaving.abort();
  }, [read, reads]);
  const order = async (next: readonly Row[]) => {
    show(next);
    if (!(await keep(next).catch(() => false))) readAgain((count) => count + 1);
  };
  return { rows, order };
}
