import { startTransition, useEffect, useState } from 'react';
import type { Row } from '../../model/crud-screen.ts';

/** Returns true while only the visible ones of the rows are to be rendered, because most of them are others than before, such as those of the next page. The rest follows, yielding to input. */
export function useFirstPart(rows: readonly Row[]): boolean {
  const [state, setState] = useState({ rows, isPart: false });
  const isPart = state.rows === rows ? state.isPart : state.isPart || areOthers(rows, state.rows);
  if (state.rows !== rows) setState({ rows, isPart });

  useEffect(() => {
    if (isPart) startTransition(() => setState({ rows, isPart: false }));
  }, [rows, isPart]);
  return isPart;
}

/** Returns true if most of the rows are not among the former ones. */
function areOthers(rows: readonly Row[], former: readonly Row[]): boolean {
  if (rows === former) return false;
  const known = new Set(former.map(({ id }) => id));
  return rows.filter(({ id }) => known.has(id)).length * 2 < rows.length;
}
