import type { Row } from '../crud-screen.ts';

/** A row as it stands in a table: how deep, and whether rows stand below it. */
export interface OutlinedRow {
  readonly row: Row;
  readonly level: number;
  readonly hasChildren: boolean;
}

type Below = (row: Row) => readonly Row[];

/** The rows of a forest that are in sight, each parent before its children; what stands below a row that is not open is left out. */
export function outline(rows: readonly Row[], open: ReadonlySet<string>, below: Below = (row) => row.children ?? []): OutlinedRow[] {
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
