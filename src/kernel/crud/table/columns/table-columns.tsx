import type { TableColumnProps, TableProps } from '@arco-design/web-react';
import { IconCaretDown, IconCaretUp } from '@arco-design/web-react/icon';
import type { Widget } from '#shared/fields';
import type { LocalizedText, TextValues } from '#shared/text';
import { useStore } from '../../../base/react/use-store.ts';
import type { TextKey } from '../../../platform/i18n/texts.ts';
import { textWidth } from '../../model/cell-text.ts';
import type { Row } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import type { Sort } from '../../model/list-query.ts';
import type { OutlinedRow } from '../rows/row-outline.ts';

type Text = (key: TextKey, values?: TextValues) => string;

const defaultWidth = 150;
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

/** Returns the default width of a column in pixels: that of its widget, at least its heading's, and up to a limit that of its longest option. */
export function widthOf({ traits }: ScreenField, title: string, t: (text: LocalizedText) => string): number {
  const widest = Math.max(0, ...(traits.options ?? []).map(([, words]) => textWidth(t(words)) + 50));
  return traits.width ?? Math.max(widths[traits.widget] ?? defaultWidth, textWidth(title) + 56, Math.min(widest, defaultWidth));
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

/** Renders a heading that cycles through ascending, descending and no sort. */
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

interface SelectColumnOptions {
  readonly store: CrudStore;
  readonly rows: readonly OutlinedRow[];
  readonly nameOf: (row: Row) => string;
  readonly text: Text;
}

/** Returns the checkboxes of the rows; the one in the heading selects this page only. */
export function rowSelection({ store, rows, nameOf, text }: SelectColumnOptions): NonNullable<TableProps<Row>['rowSelection']> {
  return {
    type: 'checkbox',
    checkAll: false,
    columnTitle: <SelectionCheckbox store={store} rows={rows.map(({ row }) => row)} label={text('crud.selectAll')} />,
    renderCell: (_, __, row) => <SelectionCheckbox store={store} rows={[row]} label={text('crud.selectRow', { name: nameOf(row) })} />,
  };
}

interface SelectionCheckboxProps {
  readonly store: CrudStore;
  readonly rows: readonly Row[];
  readonly label: string;
}

/** Renders a native checkbox: a page renders a hundred of them, and Arco's consists of nine elements. */
function SelectionCheckbox({ store, rows, label }: SelectionCheckboxProps) {
  const selectedCount = useStore(store, ({ selected }) => rows.filter(({ id }) => selected.has(id)).length);
  const isAll = rows.length > 0 && selectedCount === rows.length;
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = selectedCount > 0 && !isAll;
      }}
      type="checkbox"
      className="crud-table__choose"
      aria-label={label}
      checked={isAll}
      disabled={rows.length === 0}
      onChange={({ target }) => store.selectRows(rows, target.checked)}
    />
  );
}

/** A column with the label of its values in a card. */
export type LabelledColumn = TableColumnProps<Row> & { readonly label?: string };

/** Adapts a column to a card: nothing is pinned, and the first column becomes the title of the card. */
export function onCard({ fixed: _, align: __, className, ...column }: LabelledColumn, index: number): LabelledColumn {
  const cellClass = column.key === ':actions' ? 'crud-card__actions' : index === 0 ? 'crud-card__title' : 'crud-card__value';
  return { ...column, className: className ? `${String(className)} ${cellClass}` : cellClass };
}
