import { Button } from '@arco-design/web-react';
import { IconMore, IconSettings } from '@arco-design/web-react/icon';
import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { codes } from '#shared/menu-entry';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { useGrants } from '../../../platform/permission/use-can.tsx';
import { lazyComponent } from '../../../ui/loading/lazy-component.tsx';
import { MenuButton, type MenuChoice } from '../../../ui/menus/MenuButton.tsx';
import { usePopup } from '../../../ui/overlays/use-popup.ts';
import type { CrudCalls } from '../../model/crud-screen.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import type { TableSettings } from '../../model/table-settings.ts';

const SettingsPanel = lazyComponent(() => import('./SettingsPanel.tsx'));

interface TableToolsProps {
  readonly crud: CrudCalls;
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly onSettings: (settings: TableSettings | undefined) => void;
  /** Opens the archived or the deleted rows. */
  readonly onOpen: (panel: 'archived' | 'recycled') => void;
  readonly onPrint: () => void;
  readonly onHelp: () => void;
  /** Actions that the line of the list has no room for. */
  readonly overflow: readonly MenuChoice[];
  /** True to open the settings from the menu, too. */
  readonly isPhone: boolean;
}

/** Renders the tools of the table: its settings, and a menu with archived and deleted rows, printing and help. */
export function TableTools({ crud, fields, settings, onSettings, onOpen, onPrint, onHelp, overflow, isPhone }: TableToolsProps) {
  const t = useTranslation();
  const may = useGrants();
  const [isOpen, setIsOpen] = useState(false);
  const choices: MenuChoice[] = [
    ...overflow,
    ...(crud.archived ? [{ key: 'archived', label: t('crud.archivedRows'), onSelect: () => onOpen('archived') }] : []),
    ...(crud.recycled && may(codes(crud.menu).delete) ? [{ key: 'recycled', label: t('crud.recycleBin'), onSelect: () => onOpen('recycled') }] : []),
    ...(isPhone ? [{ key: 'settings', label: t('crud.settings'), onSelect: () => setIsOpen(true) }] : []),
    { key: 'print', label: t('table.print'), onSelect: onPrint },
    { key: 'help', label: t('table.help'), onSelect: onHelp },
  ];
  return (
    <>
      <ToolButton
        title={t('crud.settings')}
        icon={<IconSettings />}
        isHidden={isPhone}
        align="end"
        isOpen={isOpen}
        onOpen={setIsOpen}
        panel={<SettingsPanel fields={fields} settings={settings} onChange={onSettings} />}
      />
      <MenuButton label={t('table.more')} choices={choices}>
        <IconMore />
      </MenuButton>
    </>
  );
}

interface ToolButtonProps {
  readonly title: string;
  readonly icon: ReactNode;
  /** True to show the title beside the icon. */
  readonly isLabelled?: boolean;
  /** True when the panel is opened from elsewhere and only its place is needed. */
  readonly isHidden?: boolean;
  /** Edge of the button with which the panel is aligned. */
  readonly align: 'start' | 'end';
  readonly isOpen: boolean;
  /** Must be the same function while the panel is open. */
  readonly onOpen: (isOpen: boolean) => void;
  readonly panel: ReactNode;
}

/** Renders a tool of the table; its panel is loaded when it is first opened and is mounted below the button. */
export function ToolButton({ title, icon, isLabelled = false, isHidden = false, align, isOpen, onOpen, panel }: ToolButtonProps) {
  const root = useRef<HTMLSpanElement>(null);
  const close = useCallback(() => onOpen(false), [onOpen]);
  usePopup(root, isOpen, close);
  return (
    <span ref={root} className="crud-tool">
      {!isHidden && (
        <Button icon={icon} title={title} aria-label={title} aria-expanded={isOpen} aria-haspopup="dialog" onClick={() => onOpen(!isOpen)}>
          {isLabelled && <span className="crud-bar__label">{title}</span>}
        </Button>
      )}
      {isOpen && (
        <div className={`crud-tool__popup crud-tool__popup_${align}`}>
          <Suspense fallback={<div className="crud-popup" />}>{panel}</Suspense>
        </div>
      )}
    </span>
  );
}
