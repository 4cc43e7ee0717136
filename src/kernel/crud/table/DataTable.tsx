import { Table } from '@arco-design/web-react';
import { memo, type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { useText } from '../../i18n/use-words.ts';
import { useStore } from '../../use-store.ts';
import type { CrudPageProps, Row } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import type { ScreenField } from '../entity-fields.ts';
import { useColumnCount } from '../use-column-count.ts';
import type { Reading } from '../use-parents.ts';
import type { Branches } from './branches.ts';
import { detailing } from './row-details.tsx';
import { pressOnRow } from './row-keys.ts';
import { type OutlinedRow, outline } from './row-outline.ts';
import { actionColumn, buttonsWidth, choosing, type RowButton } from './table-columns.tsx';
import type { TableSettings } from './table-settings.ts';
import { useFieldColumns } from './use-field-columns.tsx';
import { useRoving } from './use-roving.ts';
import { useTableParts } from './use-table-parts.tsx';
import { useRowHeight, useWindow, windowFrom } from './use-window.ts';

interface DataTableProps extends Pick<CrudPageProps, 'crud' | 'columns' | 'details' | 'onRow'> {
  readonly store: CrudStore;
  readonly branches: Branches;
  readonly caption: string;
  readonly fields: readonly ScreenField[];
  readonly read: Reading;
  readonly settings: TableSettings;
  readonly onSettings: (settings: TableSettings) => void;
  readonly buttons: readonly RowButton[];
  /** False: rows are not chosen, since nothing is done with many. */
  readonly isChoosing: boolean;
  /** False: the list takes no sort. */
  readonly isSorting: boolean;
  /** What stands where there are no rows. */
  readonly vacancy: ReactNode;
}

/**
 * The rows of a screen. Old rows stay, dimmed, while the next are awaited; of very many only those in sight are drawn. Drawing gives way to
 * whatever the operator does meanwhile, and what happens to one row, a heading or the whole draws none of the others again.
 */
export function DataTable(props: DataTableProps) {
  const { store } = props;
  const rows = useStore(store, (state) => state.rows);
  const isLoading = useStore(store, (state) => state.status === 'loading');
  const isWaiting = useStore(store, (state) => state.status !== 'ready' && state.rows.length > 0);
  const late = useDeferredValue(rows);
  const drawn = late.length > 0 ? late : rows;
  return (
    <div className={isWaiting ? 'crud-table crud-table_waiting' : 'crud-table'} aria-busy={isLoading || drawn !== rows}>
      <Rows {...props} rows={drawn} />
    </div>
  );
}

const Rows = memo(function Rows({ rows, ...rest }: DataTableProps & { readonly rows: readonly Row[] }) {
  const { store, branches, caption, settings, buttons, isChoosing, vacancy, ...props } = rest;
  const text = useText();
  const { known, open } = useStore(branches, (state) => state);
  const box = useRef<HTMLDivElement>(null);
  // The buttons of a row leave two fifths of the table to what they are about.
  const hasRoom = useColumnCount(box, Math.max(300, buttonsWidth(buttons) * 0.85)) > 1;
  const outlined = useMemo(() => outline(rows, open, (row) => row.children ?? known[row.id]?.rows ?? []), [rows, open, known]);
  const places = useMemo(() => new Map(outlined.map((one, index) => [one.row.id, { ...one, index }])), [outlined]);
  const height = useRowHeight(box, settings.density, outlined.length > 0);
  const shown = useWindow(box, outlined.length, height);
  const roving = useRoving(places, outlined[shown.first]?.row.id);
  const components = useTableParts({ store, roving, caption, count: outlined.length, above: shown.above, below: shown.below });
  const { columns, nameOf } = useFieldColumns({ ...props, store, settings, branches, places });
  const menuOf = (row: Row) => `${text('crud.actions')} · ${nameOf(row)}`;
  const all = [...columns, ...(buttons.length > 0 ? [actionColumn({ buttons, title: text('crud.actions'), isRoomy: hasRoom, menuOf })] : [])];
  const isWindowed = outlined.length > windowFrom;
  const buttonOf = (key: string) => buttons.find((button) => button.key === key)?.onClick;

  const press = (event: React.KeyboardEvent<HTMLElement>) =>
    pressOnRow(event, box.current, height, {
      rows: outlined,
      isOpen: (id) => open.has(id),
      toggle: ({ row }: OutlinedRow, isOpen) => branches.toggle(row, isOpen),
      onView: buttonOf('view'),
      onEdit: buttonOf('edit'),
      onChoose: isChoosing ? (row) => store.choose([row.id], !store.state.selected.has(row.id)) : undefined,
      onTurn: (pages) => store.turnBy(pages),
    });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the rows inside, and is none itself
    <div ref={box} onKeyDown={press}>
      <Table<Row>
        rowKey="id"
        data={outlined.slice(shown.first, shown.last).map(({ row }) => row)}
        // Rows below others are laid out here, in the order in which they are in sight.
        childrenColumnName=":none"
        columns={all}
        components={components}
        size={settings.density}
        pagination={false}
        border={false}
        tableLayoutFixed
        scroll={{
          x: all.reduce((sum, column) => sum + Number(column.width), (isChoosing ? 40 : 0) + (props.details ? 40 : 0)),
          ...(isWindowed ? { y: 'min(70vh, 720px)' } : {}),
        }}
        noDataElement={vacancy}
        {...(isChoosing ? { rowSelection: choosing({ store, rows: outlined, nameOf, text }) } : {})}
        {...detailing({ ...props, text, nameOf })}
        onRow={(row: Row) => ({
          ...props.onRow?.(row),
          'data-row': row.id,
          'data-density': settings.density,
          onFocus: () => roving.move(row.id),
          ...(isWindowed ? { 'aria-rowindex': (places.get(row.id)?.index ?? 0) + 2 } : {}),
        })}
      />
    </div>
  );
});
