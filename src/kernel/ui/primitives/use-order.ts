import { useState } from 'react';
import type { QueryState } from '../../platform/http/use-query.ts';

/** Shows the rows of a query in the order given to `order` while `keep` saves it; a failure to save loads the rows again. */
export function useOrder<Row>({ data, refetch }: Pick<QueryState<readonly Row[]>, 'data' | 'refetch'>, save: (rows: readonly Row[]) => Promise<boolean>) {
  const [moved, setMoved] = useState<{ readonly from: typeof data; readonly rows: readonly Row[] }>();
  const order = async (rows: readonly Row[]) => {
    setMoved({ from: data, rows });
    if (!(await save(rows).catch(() => false))) refetch();
  };
  return { rows: moved && moved.from === data ? moved.rows : data, order };
}
