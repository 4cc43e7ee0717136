import type { TableColumnProps } from '@arco-design/web-react';
import type { Row } from '../../model/crud-screen.ts';

/** A column with the label of its values in a card. */
export type LabelledColumn = TableColumnProps<Row> & { readonly label?: string };

/** Adapts a column to a card: nothing is pinned, and the first column becomes the title of the card. */
export function onCard({ fixed: _, align: __, className, ...column }: LabelledColumn, index: number): LabelledColumn {
  const cellClass = column.key === ':actions' ? 'crud-card__actions' : index === 0 ? 'crud-card__title' : 'crud-card__value';
  return { ...column, className: className ? `${String(className)} ${cellClass}` : cellClass };
}
