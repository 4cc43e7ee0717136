import { Table } from '@arco-design/web-react';
import { type CSSProperties, memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useIsPhone } from '../../ui/primitives/breakpoint.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import type { TableSettings } from '../model/table-settings.ts';
import { useColumnCount } from '../model/use-column-count.ts';
import { actionColumn, type RowButton } from './columns/row-buttons.tsx';
import { onCard, rowSelection } from './columns/table-columns.tsx';
import { useFieldColumns } from './columns/use-field-columns.tsx';
import type { ChildRows } from './rows/child-rows.ts';
import { expandableDetails } from './rows/expandable-details.tsx';
import { LoadMore } from './rows/LoadMore.tsx';
import { focusRow, pressOnRow, useRoving } from './rows/row-keys.ts';
import { type OutlinedRow, outline } from './rows/row-outline.ts';
import { useRowHeight, useWindow, windowFrom } from './rows/use-window.ts';
import { useTableParts } from './use-table-parts.tsx';

interface DataTableProps extends Pick<CrudPageProps, 'crud' | 'columns' | 'details' | 'onRow'> {
  readonly store: CrudStore;
  readonly childRows: ChildRows;
  readonly caption: string;
  readonly fields: readonly ScreenField[];
  readonly format: FormatField;
  readonly settings: TableSettings;
  readonly onSettings: (settings: TableSettings) => void;
  readonly buttons: readonly RowButton[];
  /** False when rows cannot be selected, because there are no bulk actions. */
  readonly isSelectable: boolean;
  /** False when the list cannot be sorted. */
  readonly isSortable: boolean;
  /** Content in place of an empty table. */
  readonly emptyState: ReactNode;
}

/** Milliseconds before loading rows are dimmed: a faster answer would only flicker. */
const dimDelayMs = 150;

/**
 * Renders the rows of a screen. Old rows stay, dimmed, while the next are loading; of a long list only the visible ones are rendered. Rendering yields
 * to input, and a change of one row, a heading or the selection does not render the other rows. On a phone rows are cards.
 */
export function DataTable(props: DataTableProps) {
  const { store } = props;
  const rows = useStore(store, (state) => state.rows);
  const isLoading = useStore(store, (state) => state.status === 'loading');
  const isWaiting = useIsLate(useStore(store, (state) => state.status !== 'ready' && state.rows.length > 0));
  const late = useDeferredValue(rows);
  const drawn = late.length > 0 ? late : rows;
  return (
    <div className={isWaiting ? 'crud-table crud-table_waiting' : 'crud-table'} aria-busy={isLoading || drawn !== rows}>
      <Rows {...props} rows={drawn} />
    </div>
  );
}

/** Returns true once a condition has held for `soon` milliseconds. */
function useIsLate(isSo: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const timer = setTimeout(() => setIsLate(true), dimDelayMs);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isSo]);
  return isSo && isLate;
}

const Rows = memo(function Rows({ rows, ...rest }: DataTableProps & { readonly rows: readonly Row[] }) {
  const { store, childRows, caption, settings, buttons, isSelectable, emptyState, ...props } = rest;
  const t = useTranslation();
  const { known, open } = useStore(childRows, (state) => state);
  const box = useRef<HTMLDivElement>(null);
  const outlined = useMemo(() => outline(rows, open, (row) => row.children ?? known[row.id]?.rows ?? []), [rows, open, known]);
  const available = 48 * useColumnCount(box, 48, 60);
  const places = useMemo(() => new Map(outlined.map((one, index) => [one.row.id, { ...one, index }])), [outlined]);
  const height = useRowHeight(box, settings.density, outlined.length > 0);
  const isLong = outlined.length > windowFrom;
  const isCarded = useIsPhone();
  const shown = useWindow(box, outlined.length, height, isCarded);
  const roving = useRoving(places, outlined[shown.first]?.row.id);
  const components = useTableParts({ store, roving, caption, count: outlined.length, above: shown.above, below: shown.below, isCarded });
  const { columns, nameOf } = useFieldColumns({ ...props, store, settings, childRows, positions: places });
  const leading = (isSelectable ? 40 : 0) + (props.details ? 40 : 0);
  const usedWidth = columns.reduce((sum, { width }) => sum + Number(width), leading);
  // The buttons of a row get the width the columns leave, at least a third of the table.
  const room = isCarded ? 0 : Math.max(available / 3, available - usedWidth);
  const menuOf = (row: Row) => `${t('crud.actions')} · ${nameOf(row)}`;
  const all = [
    ...columns,
    ...(buttons.length > 0
      ? [actionColumn({ buttons, rows: outlined.map(({ row }) => row), title: t('crud.actions'), availableWidth: room, menuLabelOf: menuOf })]
      : []),
  ];
  const pinned = (side: 'left' | 'right') => all.reduce((sum, { fixed, width }) => (fixed === side ? sum + Number(width) : sum), 0);
  const buttonOf = (key: string) => buttons.find((button) => button.key === key)?.onClick;

  const press = (event: React.KeyboardEvent<HTMLElement>) =>
    pressOnRow(event, box.current, height, {
      rows: shown.more ? outlined.slice(0, shown.last) : outlined,
      isOpen: (id) => open.has(id),
      toggle: ({ row }: OutlinedRow, isOpen) => childRows.toggle(row, isOpen),
      onView: buttonOf('view'),
      onEdit: buttonOf('edit'),
      onSelect: isSelectable ? (row) => store.selectRows([row], !store.state.selected.has(row.id)) : undefined,
      onPage: (pages) => store.stepPages(pages),
    });

  const more = () => {
    shown.more?.();
    focusRow(box.current, shown.last, height, outlined[shown.last]?.row.id);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the keys of the rows inside and is no control itself
    <div
      ref={box}
      onKeyDown={press}
      className={isCarded ? 'crud-table__rows crud-table__cards' : 'crud-table__rows'}
      style={{ '--pinned-left': `${leading + pinned('left')}px`, '--pinned-right': `${pinned('right')}px` } as CSSProperties}
    >
      <Table<Row>
        rowKey="id"
        data={outlined.slice(shown.first, shown.last).map(({ row }) => row)}
        // The tree is laid out here, in display order, so Arco's own tree is disabled.
        childrenColumnName=":none"
        columns={isCarded ? all.map(onCard) : all}
        components={components}
        size={settings.density}
        pagination={false}
        border={false}
        hover={!isCarded}
        tableLayoutFixed
        {...(isCarded
          ? {}
          : {
              scroll: {
                x: all.reduce((sum, column) => sum + Number(column.width), leading),
                ...(isLong ? { y: 'min(70vh, 720px)' } : {}),
              },
            })}
        noDataElement={emptyState}
        {...(isSelectable ? { rowSelection: rowSelection({ store, rows: outlined, nameOf, text: t }) } : {})}
        {...expandableDetails({ ...props, text: t, nameOf })}
        onRow={(row: Row) => ({
          ...props.onRow?.(row),
          'data-row': row.id,
          'data-density': settings.density,
          onFocus: () => roving.move(row.id),
          ...(isLong ? { 'aria-rowindex': (places.get(row.id)?.index ?? 0) + 2 } : {}),
        })}
      />
      {shown.more && <LoadMore rendered={shown.last} count={outlined.length} onMore={more} />}
    </div>
  );
});
