import type { TableColumnProps } from '@arco-design/web-react';
import type { Row } from '../crud-screen.ts';

/** A column, and what its values are called where they stand below one another. */
export type LabelledColumn = TableColumnProps<Row> & { readonly label?: string };

/** The column within a card: nothing to scroll past, so nothing is pinned, and the first one is what the card is called. */
export function onCard({ fixed: _, align: __, className, ...column }: LabelledColumn, index: number): LabelledColumn {
  const place = column.key === ':actions' ? 'crud-card__actions' : index === 0 ? 'crud-card__title' : 'crud-card__value';
  return { ...column, className: className ? `${String(className)} ${place}` : place };
}
