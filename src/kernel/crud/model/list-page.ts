import { maxCountedRows, type SearchedRange } from '#shared/contract';
import type { Row } from './crud-screen.ts';
import { flatten } from './entity-fields.ts';

/** Total of a list; a lower bound unless it is exact. */
export interface PageTotal {
  readonly total: number;
  readonly totalExact: boolean;
}

/** Rows of a list reply with their total. */
export interface ListPage extends PageTotal {
  readonly rows: readonly Row[];
  readonly paged: boolean;
  /** Set for a search that is bounded by time. */
  readonly searched: SearchedRange | undefined;
}

/** True when the server has not counted beyond the rows it sent, and would do so. */
export const isUncounted = ({ total, totalExact, searched }: ListPage) => !totalExact && total < maxCountedRows && !searched;

/** Reads the reply of a list: a page, or a plain array with all rows. */
export function pageOf(data: unknown): ListPage {
  if (Array.isArray(data)) return { rows: data as Row[], total: flatten(data as Row[]).length, totalExact: true, paged: false, searched: undefined };
  const { records, total, totalExact, searched } = (data ?? {}) as { records?: Row[] | null; total?: number; totalExact?: boolean; searched?: SearchedRange };
  return { rows: records ?? [], total: total ?? 0, totalExact: totalExact ?? true, paged: true, searched };
}
