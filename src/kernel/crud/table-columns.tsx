import { Button, Checkbox, type TableColumnProps, type TableProps } from '@arco-design/web-react';
import { IconCaretDown, IconCaretUp } from '@arco-design/web-react/icon';
import type { ReactNode } from 'react';
import type { Words, WordValues } from '#shared/text';
import type { TextKey } from '../i18n/texts.ts';
import type { ColumnOverride, Row } from './crud-screen.ts';
import type { CrudStore } from './crud-store.ts';
import { flatten, type ScreenField } from './entity-fields.ts';
import type { Sort } from './list-query.ts';
import { RowMenu } from './RowMenu.tsx';
import { textWidth } from './text-width.ts';
import type { Reading } from './use-parents.ts';

type Column = TableColumnProps<Row>;
type Text = (key: TextKey, values?: WordValues) => string;
type Say = (words: Words) => string;

const widths = { text: 150, textarea: 200, number: 104, choice: 96, 'date-time': 172, parent: 150 } as const;

/** A column as its field and the page's override say. */
export function fieldColumn(
  field: ScreenField,
  override: ColumnOverride | undefined,
  { say, read, heading }: { say: Say; read: Reading; heading: (title: string) => ReactNode },
): Column {
  const title = say(override?.title ?? field.traits.title);
  return {
    key: field.name,
    dataIndex: field.name,
    title: heading(title),
    width: override?.width ?? Math.max(widths[field.traits.widget], textWidth(say(field.traits.title)) + 56),
    ellipsis: true,
    render: (_: unknown, row) => (override?.render ? override.render(row) : read(field, row)),
  };
}

const nextSort = (field: string, sort: Sort | undefined): Sort | undefined =>
  sort?.field !== field ? { field, direction: 'asc' } : sort.direction === 'asc' ? { field, direction: 'desc' } : undefined;

const sortTexts = { asc: 'crud.sortUp', desc: 'crud.sortDown' } as const;

interface SortHeadingProps {
  readonly field: string;
  readonly title: string;
  readonly sort: Sort | undefined;
  readonly text: Text;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** A heading that sorts: ascending, descending, not at all. */
export function SortHeading({ field, title, sort, text, onSort }: SortHeadingProps) {
  const direction = sort?.field === field ? sort.direction : undefined;
  const next = nextSort(field, sort);
  const hint = text(next ? sortTexts[next.direction] : 'crud.sortOff', { name: title });
  return (
    <button type="button" className="crud-sort" title={hint} onClick={() => onSort(next)}>
      {title}
      <span className="crud-sort__marks" aria-hidden="true">
        <IconCaretUp className={direction === 'asc' ? 'crud-sort__mark_on' : ''} />
        <IconCaretDown className={direction === 'desc' ? 'crud-sort__mark_on' : ''} />
      </span>
    </button>
  );
}

/** What assistive technology hears of a column's order. */
export const ariaSort = (field: string, sort: Sort | undefined) => (sort?.field !== field ? 'none' : sort.direction === 'asc' ? 'ascending' : 'descending');

interface Choosing {
  readonly store: CrudStore;
  readonly rows: readonly Row[];
  readonly selected: ReadonlySet<string>;
  readonly nameOf: (row: Row) => string;
  readonly text: Text;
}

/** The check boxes of the rows; the one above stands for this page alone. */
export function choosing({ store, rows, selected, nameOf, text }: Choosing): NonNullable<TableProps<Row>['rowSelection']> {
  const ids = flatten(rows).map(({ id }) => id);
  const chosen = ids.filter((id) => selected.has(id)).length;
  const isAll = ids.length > 0 && chosen === ids.length;
  return {
    type: 'checkbox',
    checkAll: false,
    columnTitle: (
      <Checkbox
        className="crud-table__choose"
        checked={isAll}
        indeterminate={chosen > 0 && !isAll}
        disabled={ids.length === 0}
        onChange={(choose) => store.choose(ids, choose)}
      >
        <span className="visually-hidden">{text('crud.selectAll')}</span>
      </Checkbox>
    ),
    renderCell: (_, __, row) => (
      <Checkbox className="crud-table__choose" checked={selected.has(row.id)} onChange={(choose) => store.choose([row.id], choose)}>
        <span className="visually-hidden">{text('crud.selectRow', { name: nameOf(row) })}</span>
      </Checkbox>
    ),
  };
}

/** A button of a row. */
export interface RowButton {
  readonly key: string;
  readonly title: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: (row: Row) => void;
}

interface RowActions {
  readonly buttons: readonly RowButton[];
  readonly title: string;
  /** False: there is no room, and one button opens them all. */
  readonly isRoomy: boolean;
  /** What that button is called. */
  readonly menuOf: (row: Row) => string;
}

/** The column of what can be done with one row; it stays in sight. */
export function actionColumn({ buttons, title, isRoomy, menuOf }: RowActions): Column {
  const choices = (row: Row) =>
    buttons.map((button) => ({ key: button.key, label: button.title, isDisabled: button.isDisabled ?? false, onChoose: () => button.onClick(row) }));
  return {
    key: ':actions',
    title,
    fixed: 'right',
    width: isRoomy ? 24 + buttons.reduce((sum, button) => sum + 20 + textWidth(button.title), 0) : 32 + textWidth(title),
    render: (_: unknown, row) => (isRoomy ? <RowButtons buttons={buttons} row={row} /> : <RowMenu label={menuOf(row)} choices={choices(row)} />),
  };
}

function RowButtons({ buttons, row }: { readonly buttons: readonly RowButton[]; readonly row: Row }) {
  return (
    <span className="crud-table__actions">
      {buttons.map(({ key, title, isDanger, isDisabled, onClick }) => (
        <Button
          key={key}
          type="text"
          size="mini"
          disabled={isDisabled ?? false}
          {...(isDanger ? { status: 'danger' as const } : {})}
          onClick={(event) => {
            event.stopPropagation();
            onClick(row);
          }}
        >
          {title}
        </Button>
      ))}
    </span>
  );
}
