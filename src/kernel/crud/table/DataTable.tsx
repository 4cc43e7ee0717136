import {
  type ComponentProps,
  type CSSProperties,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { useIsPhone } from '../../ui/primitives/breakpoint.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import { type TableSettings, withColumn } from '../model/table-settings.ts';
import { classNames } from './columns/column.ts';
import type { RowButton } from './columns/row-actions.tsx';
import { useColumns } from './columns/use-columns.tsx';
import { useLayout } from './columns/use-layout.ts';
import { useTableSpace } from './columns/use-table-space.ts';
import type { ChildRows } from './rows/child-rows.ts';
import { LoadMore } from './rows/LoadMore.tsx';
import { rowDetails } from './rows/row-details.tsx';
import { focusRow, handleRowKey, type OutlinedRow, outline, useRovingTabIndex } from './rows/row-keys.ts';
import { SkeletonRows } from './rows/SkeletonRows.tsx';
import { TableHead } from './rows/TableHead.tsx';
import { TableRow } from './rows/TableRow.tsx';
import { useRowActions } from './rows/use-row-actions.ts';
import { useRowModel, useRowSlots } from './rows/use-row-model.ts';
import { useTooltips } from './rows/use-tooltips.ts';
import { useFirstPart, useRowHeight, useWindow, windowFrom } from './rows/use-window.ts';

const RowMenu = lazy(() => import('./rows/RowMenu.tsx'));

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
  /** True when the number of rows of a page follows the height of the window. */
  readonly followsWindow: boolean;
  /** Content in place of an empty table. */
  readonly emptyState: ReactNode;
}

/** Milliseconds before loading rows are dimmed: a faster answer would only flicker. */
const dimDelayMs = 150;

/**
 * Renders the rows of a screen. Old rows stay, dimmed, while the next are loading. Of other rows, such as those of the next page, the visible ones are painted first and
 * the rest follows, yielding to input; of a long list only the visible ones are rendered. A change of one row, a heading or the selection does not render the other rows.
 * On a phone rows are cards.
 */
export function DataTable(props: DataTableProps) {
  const { store } = props;
  const rows = useStore(store, (state) => state.rows);
  const isLoading = useStore(store, (state) => state.status === 'loading');
  const isWaiting = useIsLate(useStore(store, (state) => state.status !== 'ready' && state.rows.length > 0));
  const deferredRows = useDeferredValue(rows);
  const displayedRows = deferredRows.length > 0 ? deferredRows : rows;
  const isFirstPart = useFirstPart(displayedRows);
  return (
    <div className={isWaiting ? 'crud-table crud-table_waiting' : 'crud-table'} aria-busy={isLoading || displayedRows !== rows}>
      <Rows {...props} rows={displayedRows} isFirstPart={isFirstPart} />
    </div>
  );
}

/** Returns true once a condition has held for `dimDelayMs`. */
function useIsLate(condition: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setIsLate(true), dimDelayMs);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [condition]);
  return condition && isLate;
}

/** Cards scroll, so their number does not follow the window. */
const cardsPerPage = 10;

const densityClasses = { default: 'crud-table__rows_default', middle: 'crud-table__rows_middle', small: 'crud-table__rows_small' } as const;

interface RowsProps extends DataTableProps {
  readonly rows: readonly Row[];
  /** True while only the visible rows of a new list are rendered. */
  readonly isFirstPart: boolean;
}

const Rows = memo(function Rows({ rows, isFirstPart, ...props }: RowsProps) {
  const { store, childRows, caption, settings, onSettings, buttons, isSelectable, emptyState, format, followsWindow, onRow } = props;
  const { childrenById, open } = useStore(childRows, (state) => state);
  const selected = useStore(store, (state) => state.selected);
  const box = useRef<HTMLDivElement>(null);
  const outlined = useMemo(() => outline(rows, open, (row) => row.children ?? childrenById[row.id]?.rows ?? []), [rows, open, childrenById]);
  const all = useMemo(() => outlined.map(({ row }) => row), [outlined]);
  const slots = useRowSlots(useMemo(() => all.map(({ id }) => id), [all]));
  const isTree = useMemo(() => outlined.some(({ level, hasChildren }) => level > 0 || hasChildren), [outlined]);
  const showsCards = useIsPhone();
  const fit = (rows: number) => (followsWindow ? store.fitPage(settings.size ?? (showsCards ? cardsPerPage : rows)) : undefined);
  const space = useTableSpace(box, settings.density, fit);
  const height = useRowHeight(box, settings.density, outlined.length > 0);
  const isLong = outlined.length > windowFrom;
  const shown = useWindow(box, outlined.length, height, { showsCards, isFirstPart });
  const roving = useRovingTabIndex(box);
  const tooltips = useTooltips();
  const { columns, measured, titleKey, nameOf } = useColumns({ ...props, rows: all });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the details of a page are its own
  const details = useMemo(() => rowDetails(props, format), [props.details, props.crud, format]);
  const actions = useRowActions(buttons, nameOf);
  const layout = useLayout({
    columns,
    measured,
    rows: all,
    buttons: actions.buttons,
    titleKey,
    isTree,
    showsCards,
    isSelectable,
    hasDetails: details !== undefined,
    space,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is made of these
  useEffect(() => {
    if (space.line > 0) fit(space.rows);
  }, [store, followsWindow, settings.size, space]);

  const { model, expanded } = useRowModel({
    ...{ store, childRows, columns, showsCards, isSelectable, isTree, actions, onRow, details, nameOf },
    titleKey: layout.titleOpensRecord ? titleKey : undefined,
    density: settings.density,
    isLeadingPinned: layout.isLeadingPinned,
    layout: layout.actions,
  });

  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) =>
    handleRowKey(event, box.current, height, {
      rows: shown.more ? outlined.slice(0, shown.last) : outlined,
      isOpen: (id) => open.has(id),
      toggle: ({ row }: OutlinedRow, isOpen) => childRows.toggle(row, isOpen),
      onAction: actions.run,
      onMenu: actions.openAt,
      onSelect: isSelectable ? (row) => store.selectRows([row], !store.state.selected.has(row.id)) : undefined,
      onPage: (pages) => store.stepPages(pages),
    });

  const showMore = () => {
    shown.more?.();
    focusRow(box.current, shown.last, height, outlined[shown.last]?.row.id);
  };
  const resize = useResize(settings, onSettings, layout.setDragged);
  const roles = showsCards ? { role: 'table' } : {};
  const isScrolling = !showsCards && space.line > 0 && outlined.length > Math.max(space.rows, 10);

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the keys of the rows inside and is no control itself */}
      <div
        ref={box}
        onKeyDown={onKeyDown}
        onFocus={roving.onFocus}
        onContextMenu={(event) => actions.onContextMenu(event, all)}
        onMouseOver={tooltips}
        className={classNames(
          'crud-table__rows',
          densityClasses[settings.density],
          showsCards && 'crud-table__cards',
          layout.width > space.width && 'crud-table__rows_wide',
        )}
        style={layout.properties as CSSProperties}
      >
        <div
          className="crud-table__scroll"
          // Without rows nothing inside has the focus, so the headings are scrolled by the region's own.
          {...(outlined.length === 0 && layout.width > space.width && !showsCards ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
          style={isScrolling ? { maxHeight: (space.rows + 1) * space.line + 16 } : isLong && !showsCards ? { maxHeight: 'min(70vh, 720px)' } : {}}
        >
          <table {...roles} style={showsCards ? {} : { width: layout.width || '100%' }} {...(isLong ? { 'aria-rowcount': outlined.length + 1 } : {})}>
            <caption className="visually-hidden">{caption}</caption>
            {!showsCards && (
              <colgroup>
                {layout.widths.map(({ key, width }) => (
                  <col key={key} style={{ width }} />
                ))}
              </colgroup>
            )}
            <TableHead model={model} store={store} rows={all} selected={selected} onResize={resize} />
            <tbody>
              {shown.above > 0 && <Spacer height={shown.above} />}
              {outlined.slice(shown.first, shown.last).map(({ row, level, hasChildren }, offset) => (
                <TableRow
                  key={slots.get(row.id)}
                  model={model}
                  row={row}
                  level={level}
                  hasChildren={hasChildren}
                  isOpen={open.has(row.id)}
                  childrenStatus={childrenById[row.id]?.status}
                  isSelected={selected.has(row.id)}
                  isExpanded={expanded.has(row.id)}
                  index={isLong ? shown.first + offset : undefined}
                />
              ))}
              {shown.below > 0 && <Spacer height={shown.below} />}
              {outlined.length === 0 && <Placeholder store={store} columns={layout.widths.length} line={space.line} emptyState={emptyState} />}
            </tbody>
          </table>
        </div>
        {shown.more && <LoadMore rendered={shown.last} count={outlined.length} onMore={showMore} />}
      </div>
      <Suspense>{actions.menu && <RowMenu menu={actions.menu} onClose={actions.closeMenu} />}</Suspense>
    </>
  );
});

/** Saves a dragged width once the edge is released. */
function useResize(
  settings: TableSettings,
  onSettings: (settings: TableSettings) => void,
  resize: (dragged: { name: string; width: number } | undefined) => void,
) {
  const latest = useRef({ settings, onSettings });
  latest.current = { settings, onSettings };
  return useCallback(
    (name: string, width: number, isFinal: boolean) => {
      resize(isFinal ? undefined : { name, width });
      if (isFinal) latest.current.onSettings(withColumn(latest.current.settings, name, { width }));
    },
    [resize],
  );
}

/** Renders rows in the shape of the columns while the first ones are loading, otherwise the reason why there are none. */
function Placeholder({ store, emptyState, ...shape }: ComponentProps<typeof SkeletonRows> & { readonly store: CrudStore; readonly emptyState: ReactNode }) {
  const isLoading = useStore(store, (state) => state.status === 'loading');
  if (isLoading) return <SkeletonRows {...shape} />;
  return (
    <tr className="crud-table__empty">
      <td colSpan={99}>{emptyState}</td>
    </tr>
  );
}

const Spacer = ({ height }: { readonly height: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content takes no focus
  <tr aria-hidden="true">
    <td style={{ height, padding: 0 }} />
  </tr>
);
