import { type RefObject, Suspense, useContext, useEffect, useRef, useState } from 'react';
import { codes, type Entity } from '#shared/contract';
import { Bus } from '../../base/bus/bus.ts';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { type Pane, PaneContext } from '../../ui/pane/pane-context.ts';
import { useOpenedForm } from '../dialogs/use-opened-form.ts';
import { useOpenedRecord } from '../dialogs/use-opened-record.ts';
import type { CrudCalls, CrudPageProps, CrudScreen, RequiredEmptyTexts, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { columnFields, searchFields } from '../model/entity-fields.ts';
import { type ParentTrees, useParents } from '../model/parent-trees.ts';
import { RowsChanged } from '../model/rows-changed.ts';
import { useCrudStore } from '../model/use-crud-store.ts';
import { useShortcuts } from '../model/use-shortcuts.ts';
import { isFixed, relatedProps, ShownRelation } from '../record/related-list.ts';
import { ActiveFilterBar } from '../search/ActiveFilterBar.tsx';
import { focusSearch } from '../search/ListSearch.tsx';
import { NestedList, useAddressedList, useListAddress } from '../search/use-list-address.ts';
import { useLateView } from '../search/use-views.ts';
import { DataTable } from '../table/DataTable.tsx';
import { useChildRows } from '../table/rows/child-rows.ts';
import { EmptyState, Failure } from '../table/tools/EmptyState.tsx';
import { Paging } from '../table/tools/Paging.tsx';
import { useTableSettings } from '../table/tools/use-table-settings.ts';
import { ListBar } from './ListBar.tsx';
import { ListTotals } from './ListTotals.tsx';
import { PartialBatchReport } from './PartialBatchReport.tsx';
import { RemovalDialogs } from './RemovalDialogs.tsx';
import { useAdditions } from './use-additions.tsx';
import { useArchiving } from './use-archiving.ts';
import { useBatch, useKeptSelection } from './use-batch.ts';
import { useRemoval } from './use-removal.ts';
import { useRowButtons } from './use-row-buttons.ts';
import '../form/crud.css';
import '../table/table.css';
import '../table/cards.css';
import '../form/form.css';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';

const FormDialog = lazyComponent(() => import('../dialogs/FormDialog.tsx'));
const RecordView = lazyComponent(() => import('../record/RecordView.tsx'));
const LayoutView = lazyComponent(() => import('../views/LayoutView.tsx'));
const BulkEditDialog = lazyComponent(() => import('./BulkEditDialog.tsx'));
const ShortcutHelp = lazyComponent(() => import('./ShortcutHelp.tsx'));
const PrintSheet = lazyComponent(() => import('./PrintSheet.tsx'));

/** Renders the generic screen of a contract: filters, table, forms and actions. A page that needs more passes props instead of forking it. */
export function CrudPage<E extends Entity>(props: CrudPageProps<E> & RequiredEmptyTexts<E>) {
  const pane = useContext(PaneContext);
  const addressedPane = useContext(NestedList) ? undefined : pane;
  const own = relatedProps(props as unknown as CrudPageProps, useContext(ShownRelation));
  return (
    <NestedList value={true}>
      <Screen key={own.crud.list.path} {...own} addressedPane={addressedPane} />
    </NestedList>
  );
}

interface ScreenProps extends CrudPageProps {
  /** Tab whose address describes this list; absent for a list inside another. */
  readonly addressedPane: Pane | undefined;
}

function Screen({ addressedPane, ...ownProps }: ScreenProps) {
  const { props, added, inputs, summary } = useAdditions(ownProps);
  const { crud } = ownProps;
  const { filter, actions = {} } = props;
  const t = useTranslation();
  const page = useRef<HTMLElement>(null);
  const container = () => page.current ?? document.body;
  const list = useAddressedList(crud, filter, addressedPane?.address);
  const store = useCrudStore(crud, filter, list.initialQuery);
  useListAddress(store, crud, list);
  const childRows = useChildRows(store, crud);
  const own = columnFields(crud.entity, ownProps.fields);
  const fields = [...own, ...added];
  const filters = searchFields(crud, ownProps.fields);
  const { trees, format } = useParents(store, [...fields, ...filters], props.parents);
  const { reload, changed, saved } = useReloads(crud, { store, childRows, trees });
  const viewRef = useRef<(row: Row) => void>(undefined);
  const opened = useOpenedForm(saved, props, (row) => viewRef.current?.(row));
  const { form, open } = opened;
  const { batch, partial, setPartial } = useBatch(store, ownProps, reload);
  const removal = useRemoval(store, ownProps, { changed, onPartial: setPartial });
  const archiving = useArchiving(store, ownProps, changed);
  const { shown, show, view, place, missing } = useOpenedRecord(props, { address: list.address, store, opened });
  viewRef.current = view;
  useRowFocus(page, shown ?? form?.row);
  const [openPanel, setOpenPanel] = useState<'bulk' | 'print' | 'help' | 'archived' | 'recycled'>();
  const closePanel = () => setOpenPanel(undefined);
  const tableSettings = useTableSettings(props, fields, list.columns);
  const { settings, change, applyTemporary } = tableSettings;
  useLateView(crud, store, list.isStated, applyTemporary);
  const hasStaleRows = useStore(store, (state) => state.status === 'failed' && state.rows.length > 0);
  const screen: CrudScreen = {
    reload,
    add: (initial) => open(undefined, initial),
    edit: (row) => open(row),
    copy: opened.copy,
    view,
    openRowAction: opened.openRowAction,
    batch,
  };
  const buttons = useRowButtons(store, props, screen, { remove: (row) => removal.remove([row.id], row), archive: (row) => archiving.ask([row.id], row) });
  const may = useGrants();
  useKeptSelection(store, props);
  const shared = { ...props, inputs, summary, store, trees, format, container };
  const formContext = { trees, parents: props.parents ?? {} };
  const title = props.title ? t(props.title) : t('crud.caption');
  const layout = useStore(store, (state) => state.query.layout);
  const isSortable = crud.list.filterable !== undefined;
  const table = { ...props, store, caption: title, fields: fields.filter((field) => !isFixed(field, filter)), format, settings, onSettings: change, buttons };
  const permitted = codes(crud.menu);
  const mayChange = (crud.remove && may(permitted.delete)) || (crud.bulkSubmit && may(permitted.edit));
  const mayCopy = crud.submit !== undefined && may(permitted.add);
  const hide = () => show(undefined);
  const copyButton = { key: 'copy', title: t('form.copy'), onClick: (row: Row) => void opened.copy(row) };
  const recordButtons = [...buttons.filter(({ key }) => key !== 'view'), ...(mayCopy ? [copyButton] : [])];
  useShortcuts(page, {
    '/': () => focusSearch(page.current),
    n: crud.submit && may(permitted.add) ? () => screen.add() : undefined,
    '?': () => setOpenPanel('help'),
    print: () => setOpenPanel('print'),
  });

  return (
    <section ref={page} className="crud">
      {place !== 'page' && (
        <>
          <ListBar
            {...{ crud, actions, filter, store, screen, opened, fields, own, filters, formContext, removal, archiving, container }}
            table={tableSettings}
            onOpen={setOpenPanel}
            onChanged={saved}
          />
          <ActiveFilterBar store={store} fields={filters} format={format} onDescribe={addressedPane?.address && addressedPane.setDetails} />
          {hasStaleRows && <Failure store={store} />}
          {layout ? (
            <Suspense>
              <LayoutView {...table} layout={layout} filters={filters} isSortable={isSortable} />
            </Suspense>
          ) : (
            <>
              <DataTable
                {...table}
                childRows={childRows}
                isSelectable={mayChange || actions.toolbar !== undefined}
                isSortable={isSortable}
                followsWindow={addressedPane !== undefined}
                emptyState={<EmptyState store={store} crud={crud} noun={props.noun} texts={props.empty} onAdd={screen.add} />}
              />
              <ListTotals store={store} crud={crud} fields={own} settings={settings} />
              <Paging store={store} title={title} />
            </>
          )}
        </>
      )}
      <Suspense>
        {form && <FormDialog {...shared} form={form} opened={opened} mayCopy={mayCopy} onClose={opened.close} />}
        {shown && (
          <RecordView
            {...shared}
            row={shown}
            place={place}
            address={list.address}
            page={page}
            buttons={recordButtons}
            onNavigate={show}
            onChanged={saved}
            onClose={hide}
            onMissing={missing}
          />
        )}
        {openPanel === 'bulk' && (
          <BulkEditDialog
            {...shared}
            {...(ownProps.fields ? { fields: ownProps.fields } : {})}
            crud={crud}
            ids={[...store.state.selected.keys()]}
            onClose={closePanel}
            onDone={(result) => {
              setOpenPanel(undefined);
              setPartial(result && { result });
              saved();
            }}
          />
        )}
        {partial && (
          <PartialBatchReport
            crud={crud}
            result={partial.result}
            container={container}
            {...(partial.retry ? { onRetry: partial.retry } : {})}
            onSelect={(ids) => void store.selectIds(ids)}
            onClose={() => setPartial(undefined)}
          />
        )}
        <RemovalDialogs
          {...ownProps}
          removal={removal}
          archive={archiving.archive}
          openedPanel={openPanel}
          renderList={(props) => <CrudPage {...props} />}
          getContainer={container}
          onChanged={saved}
          onClose={closePanel}
        />
        {openPanel === 'help' && <ShortcutHelp container={container} onClose={closePanel} />}
        {openPanel === 'print' && <PrintSheet {...shared} title={title} fields={fields} filters={filters} settings={settings} onDone={closePanel} />}
      </Suspense>
    </section>
  );
}

interface ListParts {
  readonly store: CrudStore;
  readonly childRows: Pick<ReturnType<typeof useChildRows>, 'refresh'>;
  readonly trees: Pick<ParentTrees, 'reload'>;
}

/** Reloads everything that a list shows, and reports changed rows to other lists of the entity. */
function useReloads({ entity }: CrudCalls, { store, childRows, trees }: ListParts) {
  const bus = useService(Bus);
  const changed = () => bus.emit(RowsChanged, { entity: entity.name });
  const reload = () => {
    store.reload();
    childRows.refresh();
    trees.reload();
  };
  const saved = () => {
    reload();
    changed();
  };
  return { reload, changed, saved };
}

/** Restores the focus after an opened row is closed: if the list has changed its page meanwhile, the opener is gone and the row itself gets the focus. */
function useRowFocus(page: RefObject<HTMLElement | null>, opened: Row | undefined): void {
  const lastId = useRef<string>(undefined);
  const id = opened?.id;
  useEffect(() => {
    const closed = id === undefined ? lastId.current : undefined;
    lastId.current = id;
    if (closed === undefined) return;
    // The timeout lets other code restore its focus first.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) page.current?.querySelector<HTMLElement>(`[data-row="${closed}"]`)?.focus();
    });
    return () => clearTimeout(timer);
  }, [page, id]);
}
