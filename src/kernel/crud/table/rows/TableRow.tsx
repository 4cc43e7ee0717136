import { IconCaretDown, IconCaretRight, IconLoading, IconRefresh } from '@arco-design/web-react/icon';
import { memo, type ReactNode } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import type { CrudPageProps, Row } from '../../model/crud-screen.ts';
import { type Column, cellClass, classNames } from '../columns/column.ts';
import { type ActionLayout, offeredActions, RowActions } from '../columns/row-actions.tsx';
import type { LoadedChildren } from './child-rows.ts';
import { SelectionCheckbox } from './SelectionCheckbox.tsx';

/** Everything that all rows of a table have in common; a new one renders every row again. */
export interface RowModel {
  readonly columns: readonly Column[];
  /** Key of the column whose text opens the record, if there is one. */
  readonly titleKey: string | undefined;
  /** True when rows are cards. */
  readonly showsCards: boolean;
  readonly isSelectable: boolean;
  readonly isTree: boolean;
  readonly isLeadingPinned: boolean;
  readonly density: string;
  readonly layout: ActionLayout;
  readonly onRow: CrudPageProps['onRow'];
  readonly details: ((row: Row) => ReactNode) | undefined;
  readonly nameOf: (row: Row) => string;
  readonly textOf: (key: 'select' | 'menu', row: Row) => string;
  readonly onAction: (key: string, row: Row) => void;
  readonly onMenu: (row: Row, keys: readonly string[], opener: HTMLElement) => void;
  readonly onSelect: (row: Row, isSelected: boolean) => void;
  readonly onToggleChildren: (row: Row, isOpen: boolean) => void;
  readonly onDetails: (row: Row) => void;
}

interface TableRowProps {
  readonly model: RowModel;
  readonly row: Row;
  readonly level: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  readonly childrenStatus: LoadedChildren['status'] | undefined;
  readonly isSelected: boolean;
  readonly isExpanded: boolean;
  /** Position in a list of which only a part is rendered. */
  readonly index: number | undefined;
}

/**
 * Renders a row and the details that expand below it. It is rendered again only when something of its own has changed. Another row may take its place and its
 * elements, so parts that keep a state, such as the cells of pages, have the id of the row in their key.
 */
export const TableRow = memo(function TableRow({ model, row, isSelected, isExpanded, index, ...place }: TableRowProps) {
  const { columns, showsCards, isSelectable, details, layout } = model;
  const { onClick, className } = model.onRow?.(row) ?? {};
  const role = showsCards ? { role: 'cell' } : {};
  const leading = classNames('crud-table__lead', model.isLeadingPinned && 'crud-table__pinned crud-table__pinned_left');
  return (
    <>
      <tr
        data-row={row.id}
        data-density={model.density}
        tabIndex={-1}
        className={classNames('crud-table__row', isSelected && 'crud-table__row_chosen', className)}
        onClick={onClick}
        {...(showsCards ? { role: 'row' } : {})}
        {...(index === undefined ? {} : { 'aria-rowindex': index + 2 })}
      >
        {details && (
          <td {...role} className={classNames(leading, 'crud-table__lead_details')}>
            <DetailsButton name={model.nameOf(row)} isExpanded={isExpanded} onToggle={() => model.onDetails(row)} />
          </td>
        )}
        {isSelectable && (
          <td {...role} className={classNames(leading, 'crud-table__lead_select')}>
            <SelectionCheckbox label={model.textOf('select', row)} isChecked={isSelected} onChange={(isChecked) => model.onSelect(row, isChecked)} />
          </td>
        )}
        {columns.map((column, columnIndex) => {
          const inner = column.render(row, column.key === model.titleKey ? (content) => titleOf(model, row, content) : undefined);
          const content = columnIndex === 0 && model.isTree ? inTree(model, row, inner, place) : inner;
          if (showsCards) return card(column, isCardTitle(model, column, columnIndex), content, row.id);
          return (
            <td key={cellKey(column, row.id)} className={cellClass(column)} style={column.pinStyle}>
              {content}
            </td>
          );
        })}
        {showsCards && primaryAction(model, row)}
        {layout.buttons.length > 0 && (
          <td {...role} className={showsCards ? 'crud-card__actions' : 'crud-table__pinned crud-table__pinned_right crud-table__actions-cell'}>
            <RowActions {...layout} row={row} menuLabel={model.textOf('menu', row)} onAction={model.onAction} onMenu={model.onMenu} />
          </td>
        )}
      </tr>
      {details && isExpanded && (
        <tr key={row.id} className="crud-table__details" {...(showsCards ? { role: 'row' } : {})}>
          <td {...role} colSpan={99}>
            {details(row)}
          </td>
        </tr>
      )}
    </>
  );
});

const titleOf = ({ onAction }: RowModel, row: Row, content: ReactNode) => (
  <button
    type="button"
    className="crud-table__open"
    onClick={(event) => {
      event.stopPropagation();
      onAction('view', row);
    }}
  >
    {content ?? '—'}
  </button>
);

/** Renders the button of a card for the primary action of the list. */
function primaryAction({ layout, onAction }: RowModel, row: Row) {
  const primary = offeredActions(layout.buttons, row).find(({ isPrimary }) => isPrimary);
  if (!primary) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: with another `display` some browsers drop the role of a table cell
    <td role="cell" className="crud-card__value">
      <button
        type="button"
        className="crud-card__primary"
        onClick={(event) => {
          event.stopPropagation();
          onAction(primary.key, row);
        }}
      >
        {primary.title}
      </button>
    </td>
  );
}

type TreePlace = Pick<TableRowProps, 'level' | 'hasChildren' | 'isOpen' | 'childrenStatus'>;

const inTree = ({ nameOf, onToggleChildren }: RowModel, row: Row, content: ReactNode, { level, hasChildren, isOpen, childrenStatus }: TreePlace) => (
  <span className="crud-table__branch" style={{ paddingInlineStart: level * 18 }}>
    {hasChildren ? (
      <ExpandButton name={nameOf(row)} isOpen={isOpen} status={row.children ? undefined : childrenStatus} onToggle={(opens) => onToggleChildren(row, opens)} />
    ) : (
      <span className="crud-table__leaf" />
    )}
    {content}
  </span>
);

/** Key of a cell in its row; a page may keep a state in its cells. */
const cellKey = ({ key, isCustom }: Column, id: string) => (isCustom ? `${key} ${id}` : key);

/** Tests for the column that is the title of a card: the one that opens the record, or the first. */
const isCardTitle = ({ columns, titleKey }: RowModel, { key }: Column, columnIndex: number) =>
  columns.some((column) => column.key === titleKey) ? key === titleKey : columnIndex === 0;

/** Renders a cell of a card: its title, or a value with a label. */
const card = (column: Column, isTitle: boolean, content: ReactNode, id: string) => (
  <td
    key={cellKey(column, id)}
    // biome-ignore lint/a11y/noRedundantRoles: with another `display` some browsers drop the role of a table cell
    role="cell"
    className={classNames(isTitle ? 'crud-card__title' : 'crud-card__value', column.isCustom && 'crud-table__foreign')}
  >
    <span className="crud-card__label">{column.title}</span>
    <div className="crud-card__content">{content}</div>
  </td>
);

interface DetailsButtonProps {
  readonly name: string;
  readonly isExpanded: boolean;
  readonly onToggle: () => void;
}

/** Expands and collapses the content below a row. */
function DetailsButton({ name, isExpanded, onToggle }: DetailsButtonProps) {
  const t = useTranslation();
  return (
    <button
      type="button"
      className="crud-table__expand"
      aria-expanded={isExpanded}
      aria-label={t(isExpanded ? 'table.collapseDetails' : 'table.expandDetails', { name })}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon name={isExpanded ? 'chevronDown' : 'chevronRight'} size={14} />
    </button>
  );
}

interface ExpandButtonProps {
  readonly name: string;
  readonly isOpen: boolean;
  /** State of loading the children; absent where they are loaded already. */
  readonly status?: 'loading' | 'ready' | 'failed' | undefined;
  readonly onToggle: (isOpen: boolean) => void;
}

/** Expands and collapses the children of a row; after a failure it loads them again. */
function ExpandButton({ name, isOpen, status, onToggle }: ExpandButtonProps) {
  const t = useTranslation();
  const hasFailed = isOpen && status === 'failed';
  const isLoading = isOpen && status === 'loading';
  const label = t(hasFailed ? 'table.retryBelow' : isLoading ? 'table.loadingBelow' : isOpen ? 'crud.collapseRow' : 'crud.expandRow', { name });
  const Icon = hasFailed ? IconRefresh : isLoading ? IconLoading : isOpen ? IconCaretDown : IconCaretRight;
  return (
    <button
      type="button"
      className={hasFailed ? 'crud-table__expand crud-table__expand_failed' : 'crud-table__expand'}
      aria-expanded={isOpen}
      aria-busy={isLoading}
      aria-label={label}
      title={hasFailed ? label : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(hasFailed || !isOpen);
      }}
    >
      <Icon spin={isLoading} />
    </button>
  );
}
