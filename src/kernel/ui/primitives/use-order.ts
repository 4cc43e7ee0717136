import { useEffect, useState } from 'react';

/** Loads the rows of a reorderable list; loads them again when `read` changes and when saving fails. `rows` is `undefined` until they are loaded. */
export function useOrder<Row>(read: (signal: AbortSignal) => Promise<readonly Row[]>, keep: (rows: readonly Row[]) => Promise<boolean>) {
  const [rows, setRows] = useState<readonly Row[]>();
  const [reads, setReads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another read is what asks again
  useEffect(() => {
    const leaving = new AbortController();
    read(leaving.signal).then(setRows, () => undefined);
    return () => leaving.abort();
  }, [read, reads]);
  const order = async (next: readonly Row[]) => {
    setRows(next);
    if (!(await keep(next).catch(() => false))) setReads((count) => count + 1);
  };
  return { rows, order };
}
