import { Table } from '@arco-design/web-react';
import { IconCaretDown, IconCaretRight } from '@arco-design/web-react/icon';
import { type ComponentProps, type ReactNode, useMemo, useRef } from 'react';
import { useText, useWords } from '../i18n/use-words.ts';
import { useStore } from '../use-store.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';
import type { CrudStore } from './crud-store.ts';
import type { ScreenField } from './entity-fields.ts';
import { actionColumn, ariaSort, choosing, fieldColumn, type RowButton, SortHeading } from './table-columns.tsx';
import type { TableSettings } from './table-settings.ts';
import { useColumnCount } from './use-column-count.ts';
import type { Reading } from './use-parents.ts';

interface DataTableProps extends Pick<CrudPageProps, 'columns' | 'onRow'> {
  readonly store: CrudStore;
  readonly caption: string;
  readonly fields: readonly ScreenField[];
  readonly read: Reading;
  readonly settings: TableSettings;
  readonly buttons: readonly RowButton[];
  /** False: rows are not chosen, since nothing is done with many. */
  readonly isChoosing: boolean;
  /** False: the list takes no sort. */
  readonly isSorting: boolean;
  /** What stands where there are no rows. */
  readonly vacancy: ReactNode;
}

/** The rows of a screen. Old rows stay, dimmed, while the next are awaited. */
export function DataTable({ store, caption, fields, read, settings, buttons, columns = {}, onRow, isChoosing, isSorting, vacancy }: DataTableProps) {
  const text = useText();
  const say = useWords();
  const rows = useStore(store, (state) => state.rows);
  const status = useStore(store, (state) => state.status);
  const selected = useStore(store, (state) => state.selected);
  const sort = useStore(store, (state) => state.query.sort);
  const box = useRef<HTMLDivElement>(null);
  const hasRoom = useColumnCount(box, 300) > 1;
  const components = useMemo(() => ({ table: captioned(caption) }), [caption]);
  const shown = fields.filter(({ name }) => !settings.hidden.includes(name));
  const nameOf = (row: Row) => String((shown[0] && row[shown[0].name]) ?? row.id);

  const menuOf = (row: Row) => `${text('crud.actions')} · ${nameOf(row)}`;

  const fieldColumns = shown.map((field) => {
    const isSortable = isSorting && field.traits.sort === true;
    const heading = (title: string) =>
      isSortable ? <SortHeading field={field.name} title={title} sort={sort} text={text} onSort={(chosen) => store.sortBy(chosen)} /> : title;
    return {
      ...fieldColumn(field, columns[field.name], { say, read, heading }),
      ...(isSortable ? { onHeaderCell: () => ({ 'aria-sort': ariaSort(field.name, sort) }) } : {}),
    };
  });
  const all = [...fieldColumns, ...(buttons.length > 0 ? [actionColumn({ buttons, title: text('crud.actions'), isRoomy: hasRoom, menuOf })] : [])];

  return (
    <div ref={box} className={status === 'ready' || rows.length === 0 ? 'crud-table' : 'crud-table crud-table_waiting'} aria-busy={status === 'loading'}>
      <Table<Row>
        rowKey="id"
        data={rows as Row[]}
        columns={all}
        components={components}
        size={settings.density}
        pagination={false}
        border={false}
        tableLayoutFixed
        scroll={{ x: all.reduce((sum, column) => sum + Number(column.width), isChoosing ? 40 : 0) }}
        noDataElement={vacancy}
        rowClassName={(row) => (selected.has(row.id) ? 'crud-table__row_chosen' : '')}
        {...(isChoosing ? { rowSelection: choosing({ store, rows, selected, nameOf, text }) } : {})}
        {...(onRow ? { onRow: (row: Row) => onRow(row) } : {})}
        expandProps={{
          strictTreeData: true,
          // Arco adds the click.
          icon: ({ expanded, record }) => (
            <button
              type="button"
              className="crud-table__expand"
              aria-expanded={expanded}
              aria-label={text(expanded ? 'crud.collapseRow' : 'crud.expandRow', { name: nameOf(record as Row) })}
            >
              {expanded ? <IconCaretDown /> : <IconCaretRight />}
            </button>
          ),
        }}
      />
    </div>
  );
}

function captioned(caption: string) {
  return ({ children, ...props }: ComponentProps<'table'>) => (
    <table {...props}>
      <caption className="visually-hidden">{caption}</caption>
      {children}
    </table>
  );
}
