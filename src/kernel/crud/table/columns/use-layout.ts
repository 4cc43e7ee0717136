import { useMemo, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { Row } from '../../model/crud-screen.ts';
import { type Column, pinProperty } from './column.ts';
import { fitWidths, type MeasuredColumn } from './column-widths.ts';
import { type ActionLayout, actionsWidth, type RowButton } from './row-actions.tsx';
import type { TableSpace } from './use-table-space.ts';

interface LayoutOptions {
  readonly columns: readonly Column[];
  readonly measured: readonly MeasuredColumn[];
  readonly rows: readonly Row[];
  readonly buttons: readonly RowButton[];
  readonly titleKey: string | undefined;
  readonly isTree: boolean;
  readonly showsCards: boolean;
  readonly isSelectable: boolean;
  readonly hasDetails: boolean;
  readonly space: TableSpace;
}

/** Width of the columns of check boxes and of expand buttons. */
export const leadWidth = 40;
/** Largest share of the table's width that the actions may take. */
const maxActionsShare = 0.15;

/** Computes the widths of all columns, the offsets of pinned cells and the layout of the actions. */
export function useLayout({ columns, measured, rows, buttons, titleKey, isTree, showsCards, isSelectable, hasDetails, space }: LayoutOptions) {
  const t = useTranslation();
  const [dragged, setDragged] = useState<{ readonly name: string; readonly width: number }>();
  const titleOpensRecord = titleKey !== undefined && buttons.some(({ key }) => key === 'view');
  const actionsSpace = showsCards ? 0 : space.width > 0 ? Math.floor(space.width * maxActionsShare) : Number.POSITIVE_INFINITY;
  const actions = useMemo(
    (): ActionLayout => ({ buttons, availableWidth: actionsSpace, titleOpensRecord: !showsCards && titleOpensRecord }),
    [buttons, actionsSpace, showsCards, titleOpensRecord],
  );
  const actionWidth = useMemo(
    () => (buttons.length > 0 && !showsCards ? actionsWidth(rows, t('crud.actions'), actions) : 0),
    [rows, actions, buttons, showsCards, t],
  );
  const leads = [...(hasDetails ? [':details'] : []), ...(isSelectable ? [':select'] : [])].map((key) => ({ key, width: leadWidth }));
  const leading = leads.length * leadWidth;
  const treeWidth = isTree ? 40 : 0;
  const sized = measured.map((column, index) => {
    if (column.key === dragged?.name) return { ...column, width: dragged.width, isGrowing: false };
    return index === 0 ? { ...column, width: column.width + treeWidth } : column;
  });
  const fitted = dragged ? sized.map(({ width }) => width) : fitWidths(sized, space.width - leading - actionWidth);
  const data = sized.map(({ key }, index) => ({ key, width: Math.floor(fitted[index] ?? 0) }));
  const widths = [...leads, ...data, ...(actionWidth > 0 ? [{ key: ':actions', width: actionWidth }] : [])];
  return {
    widths,
    width: widths.reduce((sum, { width }) => sum + width, 0),
    actions,
    titleOpensRecord,
    isLeadingPinned: columns.some(({ pin }) => pin === 'left'),
    properties: { ...pinProperties(columns, data, leading, actionWidth), '--table-room': space.width > 0 ? `${space.width}px` : undefined },
    setDragged,
  };
}

/** Returns the offsets of the pinned cells, and the widths that they cover, as CSS properties. */
function pinProperties(columns: readonly Column[], data: readonly { readonly key: string; readonly width: number }[], leading: number, actionWidth: number) {
  const properties: Record<string, string> = {};
  const offset = (side: 'left' | 'right', from: number) => {
    let covered = from;
    const pinned = columns.flatMap(({ pin }, index) => (pin === side ? (data[index] ?? []) : []));
    for (const { key, width } of side === 'left' ? pinned : pinned.reverse()) {
      properties[pinProperty(key)] = `${covered}px`;
      covered += width;
    }
    properties[`--pinned-${side}`] = `${side === 'left' && pinned.length === 0 ? 0 : covered}px`;
  };
  offset('left', leading);
  offset('right', actionWidth);
  return properties;
}
