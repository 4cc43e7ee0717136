import type { Row } from '../../model/crud-screen.ts';

/** A row with its depth in the tree. */
export interface OutlinedRow {
  readonly row: Row;
  readonly level: number;
  readonly hasChildren: boolean;
}

type ChildrenOf = (row: Row) => readonly Row[];

/** Flattens the visible rows of a forest, each parent before its children; children of a collapsed row are left out. */
export function outline(rows: readonly Row[], open: ReadonlySet<string>, below: ChildrenOf = (row) => row.children ?? []): OutlinedRow[] {
  const outlined: OutlinedRow[] = [];
  const walk = (level: number, some: readonly Row[]) => {
    for (const row of some) {
      const children = below(row);
      outlined.push({ row, level, hasChildren: children.length > 0 || row.hasChildren === true });
      if (open.has(row.id)) walk(level + 1, children);
    }
  };
  walk(0, rows);
  return outlined;
}
