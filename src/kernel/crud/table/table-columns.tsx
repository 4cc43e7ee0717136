import type { TableColumnProps, TableProps } from '@arco-design/web-react';
import { IconCaretDown, IconCaretUp } from '@arco-design/web-react/icon';
import type { Widget } from '#shared/fields';
import type { Words, WordValues } from '#shared/text';
import type { TextKey } from '../../i18n/texts.ts';
import { useStore } from '../../use-store.ts';
import type { Row } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import type { ScreenField } from '../entity-fields.ts';
import type { Sort } from '../list-query.ts';
import { textWidth } from '../text-width.ts';
import { RowMenu } from './RowMenu.tsx';
import type { OutlinedRow } from './row-outline.ts';

type Column = TableColumnProps<Row>;
type Text = (key: TextKey, values?: WordValues) => string;

const usualWidth = 150;
const widths: { readonly [Kind in Widget]?: number } = {
  textarea: 200,
  number: 104,
  choice: 96,
  flag: 88,
  date: 120,
  time: 104,
  'date-time': 184,
  money: 120,
  image: 88,
};

/** The pixels a column takes until somebody says otherwise: its kind's, at least its heading's, and within reason what the longest of a few options needs. */
export function widthOf({ traits }: ScreenField, title: string, say: (words: Words) => string): number {
  const widest = Math.max(0, ...(traits.options ?? []).map(([, words]) => textWidth(say(words)) + 50));
  return traits.width ?? Math.max(widths[traits.widget] ?? usualWidth, textWidth(title) + 56, Math.min(widest, usualWidth));
}

const nextSort = (field: string, sort: Sort | undefined): Sort | undefined =>
  sort?.field !== field ? { field, direction: 'asc' } : sort.direction === 'asc' ? { field, direction: 'desc' } : undefined;

const sortTexts = { asc: 'crud.sortUp', desc: 'crud.sortDown' } as const;

interface SortHeadingProps {
  readonly store: CrudStore;
  readonly field: string;
  readonly title: string;
  readonly text: Text;
}

/** A heading that sorts: ascending, descending, not at all. */
export function SortHeading({ store, field, title, text }: SortHeadingProps) {
  const sort = useStore(store, (state) => state.query.sort);
  const direction = sort?.field === field ? sort.direction : undefined;
  const next = nextSort(field, sort);
  const hint = text(next ? sortTexts[next.direction] : 'crud.sortOff', { name: title });
  return (
    <button type="button" className="crud-sort" title={hint} onClick={() => store.sortBy(next)}>
      {title}
      <span className="crud-sort__marks" aria-hidden="true">
        <IconCaretUp className={direction === 'asc' ? 'crud-sort__mark_on' : ''} />
        <IconCaretDown className={direction === 'desc' ? 'crud-sort__mark_on' : ''} />
      </span>
    </button>
  );
}

interface Choosing {
  readonly store: CrudStore;
  readonly rows: readonly OutlinedRow[];
  readonly nameOf: (row: Row) => string;
  readonly text: Text;
}

/** The check boxes of the rows; the one above stands for this page alone. */
export function choosing({ store, rows, nameOf, text }: Choosing): NonNullable<TableProps<Row>['rowSelection']> {
  const ids = rows.map(({ row }) => row.id);
  return {
    type: 'checkbox',
    checkAll: false,
    columnTitle: <Choice store={store} ids={ids} label={text('crud.selectAll')} />,
    renderCell: (_, __, row) => <Choice store={store} ids={[row.id]} label={text('crud.selectRow', { name: nameOf(row) })} />,
  };
}

interface ChoiceProps {
  readonly store: CrudStore;
  readonly ids: readonly string[];
  readonly label: string;
}

/** The browser's own: a hundred of them are drawn with every page, and Arco's is nine elements each. */
function Choice({ store, ids, label }: ChoiceProps) {
  const chosen = useStore(store, ({ selected }) => ids.filter((id) => selected.has(id)).length);
  const isAll = ids.length > 0 && chosen === ids.length;
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && !isAll;
      }}
      type="checkbox"
      className="crud-table__choose"
      aria-label={label}
      checked={isAll}
      disabled={ids.length === 0}
      onChange={({ target }) => store.choose(ids, target.checked)}
    />
  );
}

/** A button of a row. */
export interface RowButton {
  readonly key: string;
  readonly title: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** False: this row does without. */
  readonly isOffered?: (row: Row) => boolean;
  readonly onClick: (row: Row) => void;
}

interface RowActions {
  readonly buttons: readonly RowButton[];
  readonly title: string;
  /** What the buttons of the rows take side by side. */
  readonly needed: number;
  /** False: there is no room, and one button opens them all. */
  readonly isRoomy: boolean;
  /** What that button is called. */
  readonly menuOf: (row: Row) => string;
}

const offeredFor = (row: Row, buttons: readonly RowButton[]) => buttons.filter(({ isOffered }) => isOffered?.(row) ?? true);
const sideBySide = (buttons: readonly RowButton[]) => 24 + buttons.reduce((sum, button) => sum + 20 + textWidth(button.title), 0);

/** The pixels that the row with the widest buttons takes for them; without rows there may be all of them. */
export const buttonsWidth = (buttons: readonly RowButton[], rows: readonly Row[]): number =>
  rows.reduce((most, row) => Math.max(most, sideBySide(offeredFor(row, buttons))), 0) || sideBySide(buttons);

/** The column of what can be done with one row; it stays in sight. */
export function actionColumn({ buttons, title, needed, isRoomy, menuOf }: RowActions): Column {
  const choices = (row: Row) =>
    offeredFor(row, buttons).map((button) => ({
      key: button.key,
      label: button.title,
      isDisabled: button.isDisabled ?? false,
      onChoose: () => button.onClick(row),
    }));
  return {
    key: ':actions',
    title,
    fixed: 'right',
    width: Math.max(32 + textWidth(title), isRoomy ? needed : 0),
    render: (_: unknown, row) => (isRoomy ? <RowButtons buttons={buttons} row={row} /> : <RowMenu label={menuOf(row)} choices={choices(row)} />),
  };
}

function RowButtons({ buttons, row }: { readonly buttons: readonly RowButton[]; readonly row: Row }) {
  return (
    <span className="crud-table__actions">
      {offeredFor(row, buttons).map(({ key, title, isDanger, isDisabled, onClick }) => (
        <button
          key={key}
          type="button"
          className={isDanger ? 'crud-table__action crud-table__action_danger' : 'crud-table__action'}
          disabled={isDisabled ?? false}
          onClick={(event) => {
            event.stopPropagation();
            onClick(row);
          }}
        >
          {title}
        </button>
      ))}
    </span>
  );
}
