import { lazy, Suspense, useRef, useState } from 'react';
import { codes, type Entity } from '#shared/contract';
import { useText, useWords } from '../i18n/use-words.ts';
import { useStore } from '../use-store.ts';
import type { CrudPageProps, CrudScreen, Row } from './crud-screen.ts';
import type { CrudStore } from './crud-store.ts';
import { DataTable } from './DataTable.tsx';
import { columnFields, searchFields } from './entity-fields.ts';
import { Paging } from './Paging.tsx';
import { SearchArea } from './SearchArea.tsx';
import { TableSettingsButton } from './TableSettingsButton.tsx';
import { Toolbar } from './Toolbar.tsx';
import type { RowButton } from './table-columns.tsx';
import { useCrudStore } from './use-crud-store.ts';
import { useGrants } from './use-grants.ts';
import { useOpenedForm } from './use-opened-form.ts';
import { useParents } from './use-parents.ts';
import { useRemoval } from './use-removal.ts';
import { useTableSettings } from './use-table-settings.ts';
import { Failure, Vacancy } from './Vacancy.tsx';
import './crud.css';
import './table.css';
import './form.css';

const FormDialog = lazy(() => import('./FormDialog.tsx'));
const ViewDialog = lazy(() => import('./ViewDialog.tsx'));

/** The generic screen of `product.md` §2, drawn from a contract; a page that needs more passes it, and never forks this. */
export function CrudPage<E extends Entity>(props: CrudPageProps<E>) {
  return <Screen key={props.crud.list.path} {...(props as unknown as CrudPageProps)} />;
}

function Screen(props: CrudPageProps) {
  const { crud, filter, actions = {} } = props;
  const text = useText();
  const say = useWords();
  const page = useRef<HTMLElement>(null);
  const container = () => page.current ?? document.body;
  const store = useCrudStore(crud, filter);
  const fields = columnFields(crud.entity, props.fields);
  const { trees, read } = useParents(store, fields, props.parents);
  const reload = () => {
    store.reload();
    trees.reload();
  };
  const { form, open, close } = useOpenedForm(reload, props);
  const remove = useRemoval(store);
  const [viewed, setViewed] = useState<Row>();
  const [settings, changeSettings] = useTableSettings(props);
  const hasStaleRows = useStore(store, (state) => state.status === 'failed' && state.rows.length > 0);
  const screen: CrudScreen = { reload, add: (initial) => open(undefined, initial), edit: (row) => open(row), view: setViewed };
  const buttons = useRowButtons(store, props, screen, (row) => remove([row.id]));
  const may = useGrants();
  const filters = searchFields(crud, props.fields);

  return (
    <section ref={page} className="crud">
      {filters.length > 0 && <SearchArea store={store} fields={filters} />}
      <Toolbar store={store} screen={screen} crud={crud} actions={actions.toolbar ?? []} onRemove={remove}>
        <TableSettingsButton fields={fields} settings={settings} onChange={changeSettings} />
      </Toolbar>
      {hasStaleRows && <Failure store={store} />}
      <DataTable
        {...props}
        store={store}
        caption={props.title ? say(props.title) : text('crud.caption')}
        fields={fields}
        read={read}
        settings={settings}
        buttons={buttons}
        isChoosing={(crud.remove !== undefined && may(codes(crud.menu).delete)) || actions.toolbar !== undefined}
        isSorting={crud.list.rows !== undefined}
        vacancy={<Vacancy store={store} crud={crud} onAdd={screen.add} />}
      />
      <Paging store={store} />
      <Suspense>
        {form && <FormDialog {...props} form={form} trees={trees} container={container} onClose={close} />}
        {viewed && <ViewDialog {...props} row={viewed} trees={trees} read={read} container={container} onClose={() => setViewed(undefined)} />}
      </Suspense>
    </section>
  );
}

/** The buttons of each row that this user may press and whose calls there are. */
function useRowButtons(store: CrudStore, { crud, actions = {} }: CrudPageProps, screen: CrudScreen, remove: (row: Row) => void): RowButton[] {
  const text = useText();
  const say = useWords();
  const may = useGrants();
  const permitted = codes(crud.menu);
  const isDisabled = useStore(store, (state) => state.removing);
  return [
    ...(crud.detail && may(permitted.view) ? [{ key: 'view', title: text('crud.view'), onClick: screen.view }] : []),
    ...(crud.submit && may(permitted.edit) ? [{ key: 'edit', title: text('crud.edit'), onClick: screen.edit }] : []),
    ...(actions.row ?? [])
      .filter(({ code }) => may(code))
      .map(({ title, onClick }) => ({ key: title[0], title: say(title), onClick: (row: Row) => onClick(row, screen) })),
    ...(crud.remove && may(permitted.delete) ? [{ key: 'remove', title: text('crud.remove'), isDanger: true, isDisabled, onClick: remove }] : []),
  ];
}
