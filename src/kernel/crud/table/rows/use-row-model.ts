import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { CrudPageProps, Row } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import type { Column } from '../columns/column.ts';
import type { ActionLayout } from '../columns/row-actions.tsx';
import type { ChildRows } from './child-rows.ts';
import type { RowModel } from './TableRow.tsx';
import type { useRowActions } from './use-row-actions.ts';

interface RowModelOptions {
  readonly store: CrudStore;
  readonly childRows: ChildRows;
  readonly columns: readonly Column[];
  readonly titleKey: string | undefined;
  readonly density: string;
  readonly showsCards: boolean;
  readonly isSelectable: boolean;
  readonly isTree: boolean;
  readonly isLeadingPinned: boolean;
  readonly layout: ActionLayout;
  readonly actions: Pick<ReturnType<typeof useRowActions>, 'run' | 'openBelow'>;
  readonly onRow: CrudPageProps['onRow'];
  readonly details: ((row: Row) => ReactNode) | undefined;
  readonly nameOf: (row: Row) => string;
}

/** Returns what all rows of a table have in common, the same object while nothing of it changes, and the ids of the rows with expanded details. */
export function useRowModel({ store, childRows, actions, ...options }: RowModelOptions): { readonly model: RowModel; readonly expanded: ReadonlySet<string> } {
  const t = useTranslation();
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const { columns, titleKey, density, showsCards, isSelectable, isTree, isLeadingPinned, layout, onRow, details, nameOf } = options;
  const { run, openBelow } = actions;
  const model = useMemo(
    (): RowModel => ({
      columns,
      titleKey,
      density,
      showsCards,
      isSelectable,
      isTree,
      isLeadingPinned,
      layout,
      onRow,
      details,
      nameOf,
      textOf: (key, row) => (key === 'select' ? t('crud.selectRow', { name: nameOf(row) }) : `${t('crud.actions')} · ${nameOf(row)}`),
      onAction: run,
      onMenu: openBelow,
      onSelect: (row, isSelected) => store.selectRows([row], isSelected),
      onToggleChildren: (row, isOpen) => childRows.toggle(row, isOpen),
      onDetails: ({ id }) => setExpanded((former) => toggled(former, id)),
    }),
    [t, store, childRows, run, openBelow, columns, titleKey, density, showsCards, isSelectable, isTree, isLeadingPinned, layout, onRow, details, nameOf],
  );
  return { model, expanded };
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/**
 * Returns the slot of each row by its id, which is the React key of the row. A row keeps its slot while it is listed, and rows that replace others take their slots:
 * the next page changes the contents of the elements that are there, which is much faster than creating others.
 */
export function useRowSlots(ids: readonly string[]): ReadonlyMap<string, number> {
  const former = useRef<ReadonlyMap<string, number>>(new Map());
  return useMemo(() => {
    former.current = slotsOf(ids, former.current);
    return former.current;
  }, [ids]);
}

/** Assigns a slot to each id, the former one where there is one. */
export function slotsOf(ids: readonly string[], former: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const listed = new Set(ids);
  const vacant: number[] = [];
  let next = 0;
  for (const [id, slot] of former) {
    next = Math.max(next, slot + 1);
    if (!listed.has(id)) vacant.push(slot);
  }
  vacant.reverse();
  return new Map(ids.map((id) => [id, former.get(id) ?? vacant.pop() ?? next++]));
}
