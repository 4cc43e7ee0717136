import { Button } from '@arco-design/web-react';
import type { RefObject } from 'react';
import { rowStates } from '#shared/row-states';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuButton } from '../../ui/menus/MenuButton.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import { Tag } from '../cells/Tag.tsx';
import type { Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { useShortcuts } from '../model/use-shortcuts.ts';
import { offeredActions, type RowButton } from '../table/columns/row-actions.tsx';
import { type FindRow, RecordPager } from './RecordPager.tsx';
import { recordMessages } from './record-messages.ts';
import type { RecordLinks, RecordPlace } from './record-place.ts';

interface RecordHeaderProps {
  readonly row: Row;
  readonly name: string;
  readonly place: RecordPlace;
  readonly buttons: readonly RowButton[];
  readonly store: CrudStore;
  readonly links: RecordLinks;
  /** Section of the screen, whose keys the header handles. */
  readonly page: RefObject<HTMLElement | null>;
  readonly onNavigate: (find: FindRow) => Promise<void>;
  readonly onPlace: (place: 'page' | 'beside') => void;
  readonly onClose: () => void;
}

/** Number of actions that are buttons; the others are in a menu. */
const maxButtons = { page: 3, beside: 1, drawer: 2 } as const;

/** Shows the name of a record, its neighbours in the list, and what can be done with it. */
export function RecordHeader({ row, name, place, buttons, store, links, page, onNavigate, onPlace, onClose }: RecordHeaderProps) {
  const t = useTranslation();
  const isArchived = row.isDeleted === rowStates.archived;
  const offered = isArchived ? [] : offeredActions(buttons, row);
  const edit = offered.find(({ key }) => key === 'edit');
  useShortcuts(page, { e: edit && (() => edit.onClick(row)), Escape: place === 'beside' ? onClose : undefined });
  return (
    <header className="record__header">
      <div className="record__line">
        {place === 'page' && (
          <IconButton label={t(recordMessages.back)} onClick={links.openList}>
            <Icon name="chevronLeft" />
          </IconButton>
        )}
        <span className="record__pager" title={t(recordMessages.keys)}>
          <RecordPager store={store} row={row} onNavigate={onNavigate} page={page} />
        </span>
        {place === 'beside' && (
          <IconButton label={t(recordMessages.openPage)} onClick={() => onPlace('page')}>
            <Icon name="openWindow" />
          </IconButton>
        )}
        {place === 'page' && (
          <IconButton label={t(recordMessages.openBeside)} onClick={() => onPlace('beside')}>
            <Icon name="collapse" />
          </IconButton>
        )}
        {place === 'beside' && (
          <IconButton label={t(recordMessages.close)} onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        )}
      </div>
      <div className="record__line">
        <h2 className="record__name">
          {name}
          {isArchived && <Tag tone="neutral">{t('crud.archived')}</Tag>}
        </h2>
        <RecordActions row={row} buttons={offered} max={maxButtons[place]} />
      </div>
    </header>
  );
}

interface RecordActionsProps {
  readonly row: Row;
  readonly buttons: readonly RowButton[];
  readonly max: number;
}

function RecordActions({ row, buttons, max }: RecordActionsProps) {
  const t = useTranslation();
  const primary = buttons.find(({ isPrimary }) => isPrimary);
  const main = primary ?? buttons.find(({ key }) => key === 'edit');
  const others = buttons.filter((button) => button !== main && !button.isDanger);
  // Beside a primary action there is room to edit.
  const shown = [...(main ? [main] : []), ...others].slice(0, primary ? Math.max(max, 2) : max);
  const choices = buttons
    .filter((button) => !shown.includes(button))
    .map(({ key, title, isDisabled = false, onClick }) => ({ key, label: title, isDisabled, onSelect: () => onClick(row) }));
  return (
    <span className="record__actions">
      {shown.map(({ key, title, isDisabled = false, onClick }) => (
        <Button key={key} disabled={isDisabled} type={key === main?.key ? 'primary' : 'secondary'} onClick={() => onClick(row)}>
          {title}
        </Button>
      ))}
      {choices.length > 0 && (
        <MenuButton label={t(recordMessages.actions)} choices={choices}>
          <Icon name="more" />
        </MenuButton>
      )}
    </span>
  );
}
