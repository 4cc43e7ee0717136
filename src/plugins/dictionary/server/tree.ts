import type { Branch } from '../contract.ts';

interface Row {
  readonly id: string;
  readonly parentId: string;
}

/** Rows as the tree below `root`, siblings in the order given; rows that hang on none of them are left out. */
export function treeBelow<One extends Row>(root: string, rows: readonly One[]): Branch<One>[] {
  const byParent = new Map<string, One[]>();
  for (const row of rows) byParent.set(row.parentId, [...(byParent.get(row.parentId) ?? []), row]);
  const below = (id: string): Branch<One>[] =>
    (byParent.get(id) ?? []).map((row) => {
      const children = below(row.id);
      return children.length > 0 ? { ...row, children } : row;
    });
  return below(root);
}
