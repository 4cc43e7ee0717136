import { Button, Trigger } from '@arco-design/web-react';
import { IconArchive, IconFilter, IconHistory, IconPrinter, IconQuestionCircle, IconSettings, IconStar } from '@arco-design/web-react/icon';
import { type ReactNode, Suspense, useState } from 'react';
import { codes } from '#shared/menu-entry';
import { useStore } from '../../../base/react/use-store.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { useGrants } from '../../../platform/permission/use-can.tsx';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import type { CrudCalls } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import type { ColumnSetting, TableSettings } from '../../model/table-settings.ts';
import type { FilterTrees } from '../../search/FilterPicker.tsx';

const SettingsPanel = lazyComponent(() => import('./SettingsPanel.tsx'));
const FilterBuilder = lazyComponent(() => import('../../search/FilterBuilder.tsx'));
const ViewsPanel = lazyComponent(() => import('../../search/ViewsPanel.tsx'));

interface TableToolsProps extends FilterTrees {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly fields: readonly ScreenField[];
  readonly filters: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly onSettings: (settings: TableSettings | undefined) => void;
  /** Applies the columns of a view without saving them. */
  readonly onColumns: (columns: readonly ColumnSetting[]) => void;
  /** Opens the rows that have left the list. */
  readonly onOpen: (which: 'archived' | 'recycled') => void;
  readonly onPrint: () => void;
  readonly onHelp: () => void;
}

/** Renders the tools of the table: filters, views, settings, printing and help. */
export function TableTools({ store, crud, fields, filters, settings, onSettings, onColumns, onOpen, onPrint, onHelp, ...trees }: TableToolsProps) {
  const t = useTranslation();
  const may = useGrants();
  const isFiltered = useStore(store, ({ query }) => (query.conditions ?? []).length > 0);
  return (
    <>
      {filters.length > 0 && (
        <ToolButton
          title={t('table.filterBuilder')}
          icon={<IconFilter />}
          isOn={isFiltered}
          panel={(close) => <FilterBuilder {...trees} store={store} fields={filters} onDone={close} />}
        />
      )}
      {crud.list.filterable && (
        <ToolButton
          title={t('table.views')}
          icon={<IconStar />}
          panel={(close) => <ViewsPanel store={store} crud={crud} settings={settings} onColumns={onColumns} onDone={close} />}
        />
      )}
      {crud.archived && <Button icon={<IconArchive />} aria-label={t('crud.archivedRows')} title={t('crud.archivedRows')} onClick={() => onOpen('archived')} />}
      {crud.recycled && may(codes(crud.menu).delete) && (
        <Button icon={<IconHistory />} aria-label={t('crud.recycleBin')} title={t('crud.recycleBin')} onClick={() => onOpen('recycled')} />
      )}
      <Button icon={<IconPrinter />} aria-label={t('table.print')} title={t('table.print')} onClick={onPrint} />
      <Button icon={<IconQuestionCircle />} aria-label={t('table.help')} title={`${t('table.help')} (?)`} onClick={onHelp} />
      <ToolButton
        title={t('crud.settings')}
        icon={<IconSettings />}
        panel={() => <SettingsPanel fields={fields} settings={settings} onChange={onSettings} />}
      />
    </>
  );
}

interface ToolButtonProps {
  readonly title: string;
  readonly icon: ReactNode;
  /** True when the tool is active, such as a filter that applies. */
  readonly isOn?: boolean;
  readonly panel: (close: () => void) => ReactNode;
}

/** Renders a tool of the table; its panel is loaded when it is first opened and is mounted inside the page. */
function ToolButton({ title, icon, isOn = false, panel }: ToolButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Trigger
      trigger="click"
      position="br"
      escToClose
      unmountOnExit
      popupVisible={isOpen}
      onVisibleChange={setIsOpen}
      getPopupContainer={(button) => button.closest('.crud-toolbar') ?? document.body}
      popup={() => <Suspense fallback={<div className="crud-popup" />}>{panel(() => setIsOpen(false))}</Suspense>}
    >
      <Button icon={icon} aria-label={title} title={title} aria-expanded={isOpen} aria-haspopup="dialog" className={isOn ? 'crud-toolbar__tool_on' : ''} />
    </Trigger>
  );
}
