import { maxCountedRows } from '#shared/contract';
import type { Row } from './crud-screen.ts';
import type { CrudState } from './crud-store.ts';
import { flatten } from './entity-fields.ts';

/** Total of a list and whether it is exact. */
export type PageTotal = Pick<CrudState, 'total' | 'totalExact'>;

/** True when the server has not counted beyond the rows it sent. */
export const isUncounted = ({ total, totalExact }: PageTotal): boolean => !totalExact && total < maxCountedRows;

/** Reads the reply of a list call: a page, or an array that is not paged. */
export function pageOf(data: unknown): Pick<CrudState, 'rows' | 'paged'> & PageTotal {
  if (Array.isArray(data)) return { rows: data as Row[], total: flatten(data as Row[]).length, totalExact: true, paged: false };
  const { records, total, totalExact } = (data ?? {}) as { records?: Row[] | null; total?: number; totalExact?: boolean };
  return { rows: records ?? [], total: total ?? 0, totalExact: totalExact ?? true, paged: true };
}
