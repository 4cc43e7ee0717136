import { IconStar } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { useMediaQuery } from '../../platform/browser/use-media-query.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { useSlot } from '../../ui/slots/slots.ts';
import type { OpenedForm } from '../dialogs/use-opened-form.ts';
import { DraftNotice } from '../form/DraftNotice.tsx';
import type { CrudCalls, CrudPageProps, CrudScreen } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { listInput } from '../model/list-query.ts';
import { type ColumnSetting, shownColumns, type TableSettings } from '../model/table-settings.ts';
import type { FilterTrees } from '../search/FilterPicker.tsx';
import { ListSearch } from '../search/ListSearch.tsx';
import { TableTools, ToolButton } from '../table/tools/TableTools.tsx';
import type { TableSettingsState } from '../table/tools/use-table-settings.ts';
import { ViewSwitch } from '../views/ViewSwitch.tsx';
import { type ListSnapshot, ListToolbarItems, type ListToolbarProps } from './screen-additions.ts';
import { Toolbar } from './Toolbar.tsx';
import type { useArchiving } from './use-archiving.ts';
import type { useRemoval } from './use-removal.ts';

interface ListBarProps extends Pick<CrudPageProps, 'crud' | 'actions'> {
  readonly filter: CrudPageProps['filter'];
  readonly store: CrudStore;
  readonly screen: CrudScreen;
  readonly opened: OpenedForm;
  /** Fields of the columns, fields of the entity itself among them, and fields to filter by. */
  readonly fields: readonly ScreenField[];
  readonly own: readonly ScreenField[];
  readonly filters: readonly ScreenField[];
  readonly formContext: FilterTrees;
  readonly table: TableSettingsState;
  readonly removal: Pick<ReturnType<typeof useRemoval>, 'remove'>;
  readonly archiving: Pick<ReturnType<typeof useArchiving>, 'ask'>;
  readonly container: () => HTMLElement;
  /** Opens one of the dialogs of the list. */
  readonly onOpen: (dialog: 'bulk' | 'print' | 'help' | 'archived' | 'recycled') => void;
  readonly onChanged: () => void;
}

/** Renders the line above a list: search, views, actions and tools, with a notice of unsaved input above it. */
export function ListBar({ store, screen, opened, table, formContext, removal, archiving, container, onOpen, onChanged, ...list }: ListBarProps) {
  const { crud, actions = {}, filter, fields, own, filters } = list;
  const { settings, change, applyTemporary } = table;
  const isPhone = useMediaQuery('(max-width: 640px)');
  // On a phone the filter panel also contains the views and the items of plugins, so that the line has one button for all of them.
  const isInPanel = isPhone && filters.length > 0;
  const added = <ToolbarItems store={store} crud={crud} fields={own} settings={settings} filter={filter} container={container} onChanged={onChanged} />;
  return (
    <>
      <DraftNotice opened={opened} />
      <div className="crud-bar">
        {filters.length > 0 && (
          <ListSearch {...formContext} store={store} fields={filters} isPhone={isPhone}>
            <ViewSwitch store={store} crud={crud} fields={filters} />
            <ViewsButton store={store} crud={crud} settings={settings} onColumns={applyTemporary} />
            {isInPanel && added}
          </ListSearch>
        )}
        <Toolbar
          store={store}
          screen={screen}
          crud={crud}
          actions={actions.toolbar ?? []}
          addTitle={actions.add}
          removable={actions.remove}
          onRemove={(ids) => removal.remove(ids)}
          onArchive={(ids) => archiving.ask(ids)}
          onBulkEdit={() => onOpen('bulk')}
          extra={!isInPanel && added}
          isPhone={isPhone}
          tools={(overflow) => (
            <TableTools
              crud={crud}
              fields={fields}
              settings={settings}
              onSettings={change}
              onOpen={onOpen}
              onPrint={() => onOpen('print')}
              onHelp={() => onOpen('help')}
              overflow={overflow}
              isPhone={isPhone}
            />
          )}
        />
      </div>
    </>
  );
}

interface ToolbarItemsProps extends Omit<ListToolbarProps, 'readList'> {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly filter: CrudPageProps['filter'];
}

/** Shows what plugins add to the toolbars of all lists. */
function ToolbarItems({ store, fields, settings, filter = {}, ...props }: ToolbarItemsProps) {
  const readList = (): ListSnapshot => {
    const { selected, query } = store.state;
    const { current: _current, size: _size, ...filterInput } = listInput(props.crud, query);
    const shown = shownColumns(settings).map(({ name }) => name);
    const names = [...new Set([...shown, ...fields.map(({ name }) => name)])];
    const columns = names.map((name) => ({
      name,
      title: fields.find((field) => field.name === name)?.traits.title ?? ([name, name] as const),
      isShown: shown.includes(name),
    }));
    return { query: filterInput, filter, selected: [...selected.keys()], columns };
  };
  return useSlot(ListToolbarItems).map((added) => (
    <ContributionBoundary key={added.key} owner={added}>
      <added.part.Item {...props} readList={readList} />
    </ContributionBoundary>
  ));
}

const ViewsPanel = lazyComponent(() => import('../search/ViewsPanel.tsx'));

interface ViewsButtonProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly settings: TableSettings;
  /** Applies the columns of a view without saving them. */
  readonly onColumns: (columns: readonly ColumnSetting[]) => void;
}

/** Opens the saved views of a list. */
function ViewsButton(props: ViewsButtonProps) {
  const t = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const panel = <ViewsPanel {...props} onDone={() => setIsOpen(false)} />;
  return <ToolButton isLabelled align="start" title={t('table.views')} icon={<IconStar />} isOpen={isOpen} onOpen={setIsOpen} panel={panel} />;
}
