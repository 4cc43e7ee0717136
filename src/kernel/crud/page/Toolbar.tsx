import { Button } from '@arco-design/web-react';
import { IconArchive, IconDelete, IconEdit, IconPlus, IconRefresh } from '@arco-design/web-react/icon';
import { type ReactNode, type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { codes, maxSelection } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTransportErrorToast } from '../../platform/http/use-mutation.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { MenuChoice } from '../../ui/menus/MenuButton.tsx';
import type { CrudCalls, CrudScreen, RowAction, ToolbarAction } from '../model/crud-screen.ts';
import { selectableCount } from '../model/crud-state.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { listGap, quickRoom } from '../search/ListSearch.tsx';

interface ToolbarProps {
  readonly store: CrudStore;
  readonly screen: CrudScreen;
  readonly crud: CrudCalls;
  readonly actions: readonly ToolbarAction[];
  readonly addTitle: LocalizedText | undefined;
  /** Rows that may be deleted; all by default. */
  readonly removable: RowAction['when'];
  readonly onRemove: (ids: readonly string[]) => void;
  readonly onArchive: (ids: readonly string[]) => void;
  readonly onBulkEdit: () => void;
  /** Further actions on the table as a whole. */
  readonly extra?: ReactNode;
  /** Tools of the table, such as its settings, with the actions that do not fit into the line as entries of their menu. */
  readonly tools: (overflow: readonly MenuChoice[]) => ReactNode;
  /** True to have only the main action in the line. */
  readonly isPhone: boolean;
}

/** An action on the list or on its selected rows: a button, or an entry of the menu if the line has no room for it. */
type ListAction = Omit<MenuChoice, 'icon'> & { readonly image?: ReactNode; readonly isDanger?: boolean };

const everyRow = () => true;

/** Renders the actions on the table as a whole and the number of selected rows. */
export function Toolbar({ store, screen, crud, actions, addTitle, removable, onRemove, onArchive, onBulkEdit, extra, tools, isPhone }: ToolbarProps) {
  const t = useTranslation();
  const may = useGrants();
  const toasts = useService(Toasts);
  const showError = useTransportErrorToast();
  // Deferred, so that the check box is painted before the toolbar.
  const selected = useDeferredValue(useStore(store, (state) => state.selected));
  const isRemoving = useStore(store, (state) => state.removing);
  // A board and a calendar have no rows to select.
  const isTable = useStore(store, (state) => state.query.layout === undefined);
  const permitted = codes(crud.menu);
  // Rows an action has processed are no longer selected.
  const clearingScreen: CrudScreen = {
    ...screen,
    reload: () => {
      store.clearSelection();
      screen.reload();
    },
  };
  const runAction = (action: string, { when, onClick }: Pick<ToolbarAction, 'when' | 'onClick'>) => {
    const selectedRows = [...store.state.selected.values()];
    const applicable = when ? selectedRows.filter(when) : selectedRows;
    const skipped = selectedRows.length - applicable.length;
    if (when && selectedRows.length === 0) return toasts.warning(t('crud.chooseFirst'));
    if (skipped > 0 && applicable.length === 0) return toasts.warning(t('crud.noneFits', { action }));
    if (skipped > 0) toasts.info(t('crud.someFit', { action, count: skipped }));
    const ids = applicable.map(({ id }) => id);
    void Promise.resolve(onClick(ids, clearingScreen)).catch(showError);
  };
  const buttonsOf = (candidates: readonly ToolbarAction[]) =>
    candidates
      .filter((action) => may(action.code))
      .map((action) => ({ key: action.title[0], label: t(action.title), onSelect: () => runAction(t(action.title), action) }));
  // Actions on the list come first; while rows are selected, those on rows do.
  const listActions = buttonsOf(actions.filter(({ when }) => !when));
  const rowActions: readonly ListAction[] = [
    ...(crud.remove && may(permitted.delete)
      ? [
          {
            key: 'remove',
            label: t('crud.batchRemove'),
            image: <IconDelete />,
            isDanger: true,
            onSelect: () => runAction(t('crud.remove'), { when: removable ?? everyRow, onClick: onRemove }),
          },
        ]
      : []),
    ...(crud.bulkSubmit && may(permitted.edit) && selected.size > 0
      ? [{ key: 'bulk', label: t('table.bulkEdit'), image: <IconEdit />, onSelect: onBulkEdit }]
      : []),
    ...(crud.archive && may(permitted.delete) && selected.size > 0
      ? [{ key: 'archive', label: t('crud.archiveSelected'), image: <IconArchive />, onSelect: () => onArchive([...store.state.selected.keys()]) }]
      : []),
    ...buttonsOf(actions.filter(({ when, isForSelection = false }) => when && (selected.size > 0 || !isForSelection))),
  ];
  const shownActions: readonly ListAction[] = selected.size > 0 ? [...rowActions, ...listActions] : [...listActions, ...(isTable ? rowActions : [])];
  const reload = { key: 'reload', label: t('crud.reload'), onSelect: () => screen.reload() };
  const toolbar = useRef<HTMLDivElement>(null);
  const visibleCount = useVisibleActionCount(toolbar, shownActions.map(({ label }) => label).join());
  const overflow = isPhone ? [...shownActions, reload] : shownActions.slice(visibleCount);
  return (
    <>
      <SelectionStatus store={store} />
      <div ref={toolbar} className="crud-toolbar">
        {crud.submit && may(permitted.add) && (
          <Button type="primary" icon={<IconPlus />} onClick={() => screen.add()}>
            {addTitle ? t(addTitle) : t('crud.add')}
          </Button>
        )}
        {!isPhone &&
          shownActions.map(({ key, label, image, isDanger = false, onSelect }, index) => (
            <span
              key={key}
              data-action={listActions.some((action) => action.key === key) ? 'list' : 'rows'}
              className={index < visibleCount ? '' : 'crud-toolbar__measured'}
            >
              <Button icon={image} {...(isDanger ? { status: selected.size > 0 ? 'danger' : 'default', loading: isRemoving } : {})} onClick={onSelect}>
                {label}
              </Button>
            </span>
          ))}
        <span className="crud-toolbar__extra">{extra}</span>
        {!isPhone && <Button icon={<IconRefresh />} aria-label={reload.label} title={reload.label} onClick={reload.onSelect} />}
        {tools(overflow)}
      </div>
    </>
  );
}

/** Shows the number of selected rows, and selects those of all pages. */
function SelectionStatus({ store }: { readonly store: CrudStore }) {
  const t = useTranslation();
  const count = useDeferredValue(useStore(store, (state) => state.selected.size));
  const dropped = useStore(store, (state) => state.dropped);
  const selectable = useDeferredValue(useStore(store, selectableCount));
  const isSelecting = useStore(store, (state) => state.selecting);
  return (
    <span className="crud-toolbar__selection">
      <span role="status">
        {count > 0 && t('crud.selected', { count })}
        {dropped > 0 && <span className="crud-toolbar__dropped">{t('crud.dropped', { count: dropped })}</span>}
      </span>
      {selectable > 0 && (
        <Button type="text" size="mini" loading={isSelecting} onClick={() => void store.selectAll()}>
          {t(selectable < maxSelection ? 'crud.selectAllPages' : 'crud.selectFirst', { count: selectable })}
        </Button>
      )}
      {count > 0 && (
        <Button type="text" size="mini" onClick={() => store.clearSelection()}>
          {t('crud.clearSelection')}
        </Button>
      )}
    </span>
  );
}

/** Width in pixels below which the line shows icons in place of some texts. */
const narrowWidth = 960;

const widthOf = (elements: Iterable<HTMLElement>) => [...elements].reduce((sum, { offsetWidth }) => sum + (offsetWidth && offsetWidth + listGap), 0);

/**
 * Returns the number of actions that fit into the line of a list; the others belong in the menu. Actions on the list take precedence over its quick filters. The toolbar
 * renders all of them, marked with `data-action`, so that each can be measured. `names` changes with the actions. The line gets the attribute `data-narrow` where it has
 * little room, and `data-tight` where not even its tools fit beside the search.
 */
function useVisibleActionCount(toolbar: RefObject<HTMLElement | null>, names: string): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other actions have other widths
  useLayoutEffect(() => {
    const line = toolbar.current?.parentElement;
    if (!line) return;
    const all = (selector: string) => line.querySelectorAll<HTMLElement>(selector);
    const measure = () => {
      if (line.clientWidth === 0) return;
      line.toggleAttribute('data-narrow', line.clientWidth < narrowWidth);
      const others = widthOf(all(':scope > .crud-toolbar > :not([data-action])'));
      const search = widthOf(all(':scope > .crud-search > :not(.crud-search__quick)'));
      let free = line.clientWidth - others - search - widthOf(all(':scope > .crud-toolbar__selection'));
      line.toggleAttribute('data-tight', free < 0);
      free -= quickRoom(line, free - widthOf(all('[data-action=list]')));
      const fits = [...all('[data-action]')].filter(({ offsetWidth }) => {
        free -= offsetWidth + listGap;
        return free >= 0;
      });
      setRoom(fits.length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const part of [line, ...all(':scope > .crud-search, :scope > .crud-toolbar__selection, .crud-toolbar__extra')]) observer.observe(part);
    return () => observer.disconnect();
  }, [toolbar, names]);
  return room;
}
