import { IconCaretDown, IconCaretUp } from '@arco-design/web-react/icon';
import { type PointerEvent, useMemo, useRef } from 'react';
import { useStore } from '../../../base/react/use-store.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { Row } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import type { Sort } from '../../model/list-query.ts';
import { type Column, cellClass, classNames } from '../columns/column.ts';
import { SelectionCheckbox } from './SelectionCheckbox.tsx';
import type { RowModel } from './TableRow.tsx';

interface TableHeadProps {
  readonly model: RowModel;
  readonly store: CrudStore;
  readonly rows: readonly Row[];
  readonly selected: ReadonlyMap<string, Row>;
  readonly onResize: (name: string, width: number, isFinal: boolean) => void;
}

/** Renders the headings; the checkbox selects the rows of this page only. */
export function TableHead({ model, store, rows, selected, onResize }: TableHeadProps) {
  const t = useTranslation();
  const count = useMemo(() => rows.reduce((sum, { id }) => (selected.has(id) ? sum + 1 : sum), 0), [rows, selected]);
  const isAll = rows.length > 0 && count === rows.length;
  const lead = classNames('crud-table__lead', model.isLeadingPinned && 'crud-table__pinned crud-table__pinned_left');
  return (
    <thead>
      <tr {...(model.showsCards ? { role: 'row' } : {})}>
        {model.details && (
          <th scope="col" className={classNames(lead, 'crud-table__lead_details')}>
            <span className="visually-hidden">{t('crud.viewTitle')}</span>
          </th>
        )}
        {model.isSelectable && (
          <th scope="col" className={classNames(lead, 'crud-table__lead_select')}>
            <SelectionCheckbox
              label={t('crud.selectAll')}
              isChecked={isAll}
              isMixed={count > 0 && !isAll}
              isDisabled={rows.length === 0}
              onChange={(isSelected) => store.selectRows(rows, isSelected)}
            />
          </th>
        )}
        {model.columns.map((column) => (
          <Heading key={column.key} store={store} column={column} onResize={onResize} />
        ))}
        {model.layout.buttons.length > 0 && (
          <th scope="col" className="crud-table__pinned crud-table__pinned_right">
            {t('crud.actions')}
          </th>
        )}
      </tr>
    </thead>
  );
}

const orders = { asc: 'ascending', desc: 'descending' } as const;
const sortTexts = { asc: 'crud.sortUp', desc: 'crud.sortDown' } as const;

interface HeadingProps {
  readonly store: CrudStore;
  readonly column: Column;
  /** Called while the edge is dragged, and once more with `isFinal` when it is released. */
  readonly onResize: (name: string, width: number, isFinal: boolean) => void;
}

/** Renders the heading of a column, with `aria-sort` where the list can be sorted by it. */
function Heading({ store, column, onResize }: HeadingProps) {
  const { key, title, sortField } = column;
  const sort = useStore(store, (state) => state.query.sort);
  const direction = sort?.field === sortField ? sort?.direction : undefined;
  return (
    <th
      scope="col"
      className={cellClass(column)}
      style={column.pinStyle}
      {...(sortField === undefined ? {} : { 'aria-sort': direction ? orders[direction] : 'none' })}
    >
      <span className="crud-table__title">
        {sortField === undefined ? title : <SortButton store={store} field={sortField} title={title} direction={direction} />}
      </span>
      <ResizeHandle title={title} onDrag={(width, isFinal) => onResize(key, width, isFinal)} />
    </th>
  );
}

const nextDirection = { none: 'asc', asc: 'desc', desc: undefined } as const;

interface SortButtonProps {
  readonly store: CrudStore;
  readonly field: string;
  readonly title: string;
  readonly direction: Sort['direction'] | undefined;
}

/** Renders a heading that cycles through ascending, descending and no sort. The request starts in a task of its own, so that the click is painted before the rows change. */
function SortButton({ store, field, title, direction }: SortButtonProps) {
  const t = useTranslation();
  const next = nextDirection[direction ?? 'none'];
  const hint = t(next ? sortTexts[next] : 'crud.sortOff', { name: title });
  return (
    <button type="button" className="crud-sort" title={hint} onClick={() => setTimeout(() => store.sortBy(next && { field, direction: next }))}>
      <span className="crud-sort__title">{title}</span>
      <span className="crud-sort__marks" aria-hidden="true">
        <IconCaretUp className={direction === 'asc' ? 'crud-sort__mark_on' : ''} />
        <IconCaretDown className={direction === 'desc' ? 'crud-sort__mark_on' : ''} />
      </span>
    </button>
  );
}

interface ResizeHandleProps {
  readonly title: string;
  readonly onDrag: (width: number, isFinal: boolean) => void;
}

/** Renders the edge of a heading that resizes its column; keyboard users resize in the settings. */
function ResizeHandle({ title, onDrag }: ResizeHandleProps) {
  const t = useTranslation();
  const start = useRef<{ readonly x: number; readonly width: number; frame: number }>(undefined);
  const widthAt = ({ clientX }: PointerEvent) => (start.current ? start.current.width + clientX - start.current.x : 0);

  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: event.currentTarget.closest('th')?.getBoundingClientRect().width ?? 0, frame: 0 };
  };
  const drag = (event: PointerEvent) => {
    const width = widthAt(event);
    if (!start.current) return;
    cancelAnimationFrame(start.current.frame);
    start.current.frame = requestAnimationFrame(() => onDrag(width, false));
  };
  const end = (event: PointerEvent) => {
    if (!start.current) return;
    cancelAnimationFrame(start.current.frame);
    onDrag(widthAt(event), true);
    start.current = undefined;
  };
  return (
    <span
      className="crud-table__handle"
      aria-hidden="true"
      title={t('table.resize', { name: title })}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
