import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { withBase } from '../../platform/browser/base-path.ts';
import { openAddress } from '../../platform/browser/open-address.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { MenuChoice } from '../../ui/menus/MenuList.tsx';
import { MaximizedContent } from '../state/maximized-content.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { Tab } from '../tabs/tabs.ts';

/** Returns a function that lists the actions of a tab, for its context menu and for the button of the current tab. */
export function useTabChoices(): (tab: Tab) => MenuChoice[] {
  const t = useTranslation();
  const store = useService(TabStore);
  const content = useService(MaximizedContent);
  const tabs = useStream(store.tabs$, []);
  const { home } = store;

  const staysOpen = (tab: Tab) => tab.pinned || tab.key === home;
  const pageChoices = (tab: Tab): MenuChoice[] => [
    { key: 'refresh', label: t('tabs.refresh'), icon: 'refresh', shortcut: 'Alt+R', onSelect: () => store.refresh(tab.key) },
    {
      key: 'maximize',
      label: t('tabs.maximizeContent'),
      icon: 'fullScreen',
      onSelect: () => {
        store.open(tab);
        content.maximize();
      },
    },
    { key: 'window', label: t('tabs.newWindow'), icon: 'openWindow', onSelect: () => openAddress(withBase(tab.location)) },
  ];
  const moveChoices = (tab: Tab, index: number): MenuChoice[] => {
    const canMoveTo = (target: number) => tabs[target] !== undefined && tabs[target].key !== home && tab.key !== home && tabs[target].pinned === tab.pinned;
    const move = (target: number) => ({ isDisabled: !canMoveTo(target), onSelect: () => store.move(tab.key, target) });
    const pin = { isDisabled: tab.key === home, onSelect: () => store.pin(tab.key, !tab.pinned) };
    return [
      { key: 'pin', label: t(tab.pinned ? 'tabs.unpin' : 'tabs.pin'), icon: 'pin', startsGroup: true, ...pin },
      { key: 'left', label: t('tabs.moveLeft'), shortcut: 'Alt+Shift+←', ...move(index - 1) },
      { key: 'right', label: t('tabs.moveRight'), shortcut: 'Alt+Shift+→', ...move(index + 1) },
    ];
  };
  const closeChoices = (tab: Tab, index: number): MenuChoice[] => {
    const [left, right] = [tabs.slice(0, index), tabs.slice(index + 1)].map((side) => side.some((other) => !staysOpen(other)));
    return [
      {
        key: 'close',
        label: t('tabs.close'),
        icon: 'close',
        shortcut: 'Alt+W',
        startsGroup: true,
        isDisabled: !tab.closable,
        onSelect: () => store.close(tab.key),
      },
      { key: 'closeLeft', label: t('tabs.closeLeft'), isDisabled: !left, onSelect: () => store.closeSide(tab.key, 'left') },
      { key: 'closeRight', label: t('tabs.closeRight'), isDisabled: !right, onSelect: () => store.closeSide(tab.key, 'right') },
      { key: 'closeOthers', label: t('tabs.closeOthers'), isDisabled: !left && !right, onSelect: () => store.closeOthers(tab.key) },
      { key: 'closeAll', label: t('tabs.closeAll'), isDisabled: tabs.every(staysOpen), onSelect: () => void store.closeAll() },
    ];
  };
  return (tab) => {
    const index = tabs.findIndex(({ key }) => key === tab.key);
    return [...pageChoices(tab), ...moveChoices(tab, index), ...closeChoices(tab, index)];
  };
}
