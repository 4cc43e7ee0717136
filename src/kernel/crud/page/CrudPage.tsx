import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { codes, type Entity } from '#shared/contract';
import { Bus } from '../../base/bus/bus.ts';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { useOpenedForm } from '../dialogs/use-opened-form.ts';
import { DraftNotice } from '../form/DraftNotice.tsx';
import type { CrudPageProps, CrudScreen, Row } from '../model/crud-screen.ts';
import { columnFields, searchFields } from '../model/entity-fields.ts';
import { useParents } from '../model/parent-trees.ts';
import { RowsChanged } from '../model/rows-changed.ts';
import { useCrudStore } from '../model/use-crud-store.ts';
import { ActiveFilterBar } from '../search/ActiveFilterBar.tsx';
import { SearchArea } from '../search/SearchArea.tsx';
import { useFirstView, useLateView } from '../search/use-views.ts';
import { DataTable } from '../table/DataTable.tsx';
import { useChildRows } from '../table/rows/child-rows.ts';
import { EmptyState, Failure } from '../table/tools/EmptyState.tsx';
import { Paging } from '../table/tools/Paging.tsx';
import { TableTools } from '../table/tools/TableTools.tsx';
import { useTableSettings } from '../table/tools/use-table-settings.ts';
import { Toolbar } from './Toolbar.tsx';
import { ToolbarItems } from './ToolbarItems.tsx';
import { useAdditions } from './use-additions.tsx';
import { useArchiving } from './use-archiving.ts';
import { type RowRemoval, useRemoval } from './use-removal.ts';
import { useRowButtons } from './use-row-buttons.ts';
import '../form/crud.css';
import '../table/table.css';
import '../table/cards.css';
import '../form/form.css';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const typing = 'input, textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox], [role=combobox]';

/**
 * Handles the keys of this screen while its tab is shown: never while the operator types, never with a modifier except the browser's own shortcut for
 * `print`; of nested screens the innermost handles the key.
 */
function useShortcuts(page: RefObject<HTMLElement | null>, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;

  // Effects of a hidden tab are unmounted, so only the visible pane listens.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPrint = event.key === 'p' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      const does = latest.current[isPrint ? 'print' : event.key];
      if (!does || event.defaultPrevented || event.repeat || (!isPrint && (event.ctrlKey || event.metaKey || event.altKey))) return;
      const target = event.target instanceof Element ? event.target : document.body;
      const screens = document.querySelectorAll('.crud');
      const isMine = (target.closest('.crud') ?? [...screens].findLast((screen) => screen.checkVisibility?.() ?? true)) === page.current;
      if (!isMine || (!isPrint && target.matches(typing)) || page.current?.querySelector('.arco-modal, .crud-form-page')) return;
      event.preventDefault();
      does();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [page]);
}

const FormDialog = lazyComponent(() => import('../dialogs/FormDialog.tsx'));
const ViewDialog = lazyComponent(() => import('../dialogs/ViewDialog.tsx'));
const BulkEditDialog = lazyComponent(() => import('./BulkEditDialog.tsx'));
const InUseDialog = lazyComponent(() => import('./InUseDialog.tsx'));
const LeftRowsPanel = lazyComponent(() => import('./LeftRowsPanel.tsx'));
const ShortcutHelp = lazyComponent(() => import('./ShortcutHelp.tsx'));
const PrintSheet = lazyComponent(() => import('./PrintSheet.tsx'));

/** Renders the generic screen of a contract: filters, table, forms and actions. A page that needs more passes props instead of forking it. */
export function CrudPage<E extends Entity>(props: CrudPageProps<E>) {
  return <Screen key={props.crud.list.path} {...(props as unknown as CrudPageProps)} />;
}

function Screen(ownProps: CrudPageProps) {
  const { props, added, inputs } = useAdditions(ownProps);
  const { crud } = ownProps;
  const { filter, actions = {} } = props;
  const t = useTranslation();
  const page = useRef<HTMLElement>(null);
  const container = () => page.current ?? document.body;
  const view = useFirstView(crud);
  const { columns: viewed, ...begun } = view ?? {};
  const store = useCrudStore(crud, filter, begun);
  const childRows = useChildRows(store, crud);
  const own = columnFields(crud.entity, ownProps.fields);
  const fields = [...own, ...added];
  const filters = searchFields(crud, ownProps.fields);
  const { trees, format } = useParents(store, [...fields, ...filters], props.parents);
  const bus = useService(Bus);
  const changed = () => bus.emit(RowsChanged, { entity: crud.entity.name });
  const reload = () => {
    store.reload();
    childRows.refresh();
    trees.reload();
  };
  const saved = () => {
    reload();
    changed();
  };
  const opened = useOpenedForm(saved, props);
  const { form, open } = opened;
  const removal = useRemoval(store, ownProps, changed);
  const { remove } = removal;
  const closeExtra = () => setExtra(undefined);
  const archiving = useArchiving(store, ownProps, changed);
  const [shown, setShown] = useState<Row>();
  useRowFocus(page, shown ?? form?.row);
  const [extra, setExtra] = useState<'bulk' | 'print' | 'help' | 'archived' | 'recycled'>();
  const { settings, change, applyTemporary } = useTableSettings(props, fields, viewed);
  useLateView(crud, store, view, applyTemporary);
  const hasStaleRows = useStore(store, (state) => state.status === 'failed' && state.rows.length > 0);
  const screen: CrudScreen = {
    reload,
    add: (initial) => open(undefined, initial),
    edit: (row) => open(row),
    copy: opened.copy,
    view: setShown,
    openRowAction: opened.openRowAction,
  };
  const buttons = useRowButtons(store, props, screen, {
    remove: (row) => remove([row.id], row),
    archive: (row) => archiving.ask([row.id], row),
  });
  const may = useGrants();
  const shared = { ...props, inputs, store, trees, format, container };
  const formContext = { trees, parents: props.parents ?? {} };
  const title = props.title ? t(props.title) : t('crud.caption');
  const permitted = codes(crud.menu);
  const mayChange = (crud.remove && may(permitted.delete)) || (crud.bulkSubmit && may(permitted.edit));
  const isCopying = crud.submit !== undefined && may(permitted.add);
  const copyShown = (row: Row) => {
    setShown(undefined);
    void opened.copy(row);
  };
  useShortcuts(page, {
    '/': () => page.current?.querySelector<HTMLElement>('.crud-search :is(input, [role=combobox])')?.focus(),
    n: crud.submit && may(permitted.add) ? () => screen.add() : undefined,
    '?': () => setExtra('help'),
    print: () => setExtra('print'),
  });

  return (
    <section ref={page} className="crud">
      <DraftNotice opened={opened} />
      {filters.length > 0 && <SearchArea {...formContext} store={store} fields={filters} />}
      <Toolbar
        store={store}
        screen={screen}
        crud={crud}
        actions={actions.toolbar ?? []}
        removable={actions.remove}
        onRemove={(ids) => remove(ids)}
        onArchive={(ids) => archiving.ask(ids)}
        onBulkEdit={() => setExtra('bulk')}
        extra={<ToolbarItems store={store} crud={crud} fields={own} settings={settings} filter={filter} container={container} onChanged={saved} />}
      >
        <TableTools
          {...formContext}
          store={store}
          crud={crud}
          fields={fields}
          filters={filters}
          settings={settings}
          onSettings={change}
          onColumns={applyTemporary}
          onOpen={setExtra}
          onPrint={() => setExtra('print')}
          onHelp={() => setExtra('help')}
        />
      </Toolbar>
      <ActiveFilterBar store={store} fields={filters} format={format} />
      {hasStaleRows && <Failure store={store} />}
      <DataTable
        {...props}
        store={store}
        childRows={childRows}
        caption={title}
        fields={fields}
        format={format}
        settings={settings}
        onSettings={change}
        buttons={buttons}
        isSelectable={mayChange || actions.toolbar !== undefined}
        isSortable={crud.list.filterable !== undefined}
        emptyState={<EmptyState store={store} crud={crud} onAdd={screen.add} />}
      />
      <Paging store={store} of={title} />
      <Suspense>
        {form && <FormDialog {...shared} form={form} opened={opened} isCopying={isCopying} onClose={opened.close} />}
        {shown && (
          <ViewDialog
            {...shared}
            row={shown}
            mayEdit={crud.submit !== undefined && may(permitted.edit) && (actions.edit?.(shown) ?? true)}
            onTurn={setShown}
            onCopy={isCopying ? copyShown : undefined}
            onChanged={saved}
            onClose={() => setShown(undefined)}
          />
        )}
        {extra === 'bulk' && (
          <BulkEditDialog
            {...shared}
            {...(ownProps.fields ? { fields: ownProps.fields } : {})}
            crud={crud}
            ids={[...store.state.selected.keys()]}
            onClose={closeExtra}
            onDone={() => {
              setExtra(undefined);
              saved();
            }}
          />
        )}
        <RemovalDialogs {...ownProps} removal={removal} archive={archiving.archive} left={extra} container={container} onChanged={saved} onClose={closeExtra} />
        {extra === 'help' && <ShortcutHelp container={container} onClose={closeExtra} />}
        {extra === 'print' && <PrintSheet {...shared} title={title} fields={fields} filters={filters} settings={settings} onDone={() => setExtra(undefined)} />}
      </Suspense>
    </section>
  );
}

interface RemovalDialogsProps extends Omit<CrudPageProps, 'filter' | 'actions'> {
  readonly removal: RowRemoval;
  readonly archive: (ids: readonly string[]) => Promise<void>;
  /** Opened panel of rows that have left the list, if it is one of these. */
  readonly left: string | undefined;
  readonly container: () => Element;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Shows why rows cannot be deleted, and the rows that have been archived or deleted. */
function RemovalDialogs({ removal: { refused, dismiss }, archive, left, container, onChanged, onClose, ...screen }: RemovalDialogsProps) {
  const may = useGrants();
  const mayArchive = screen.crud.archive !== undefined && may(codes(screen.crud.menu).delete);
  const archiveInstead = () => {
    dismiss();
    if (refused) void archive(refused.ids);
  };
  return (
    <>
      {refused && <InUseDialog refused={refused} container={container} onArchive={mayArchive ? archiveInstead : undefined} onClose={dismiss} />}
      {(left === 'archived' || left === 'recycled') && (
        <LeftRowsPanel {...screen} which={left} list={(props) => <CrudPage {...props} />} onChanged={onChanged} onClose={onClose} />
      )}
    </>
  );
}

/** Restores the focus after an opened row is closed: if the list has changed its page meanwhile, the opener is gone and the row itself gets the focus. */
function useRowFocus(page: RefObject<HTMLElement | null>, opened: Row | undefined): void {
  const last = useRef<string>(undefined);
  const id = opened?.id;
  useEffect(() => {
    const closed = id === undefined ? last.current : undefined;
    last.current = id;
    if (closed === undefined) return;
    // The timeout lets other code restore its focus first.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) page.current?.querySelector<HTMLElement>(`[data-row="${closed}"]`)?.focus();
    });
    return () => clearTimeout(timer);
  }, [page, id]);
}
