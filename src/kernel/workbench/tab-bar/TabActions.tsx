import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuButton, type MenuChoice } from '../../ui/menus/MenuButton.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { useClearCache } from '../actions/clear-cache.ts';
import { Preferences } from '../state/preferences.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { Tab } from '../tabs/tabs.ts';
import { useTabChoices } from './tab-choices.ts';

/** Renders the actions of the current tab's menu as buttons, and the settings of tabs. */
export function TabActions({ current }: { readonly current: Tab | undefined }) {
  const t = useTranslation();
  const store = useService(TabStore);
  const preferences = useService(Preferences);
  const { restoreTabs, homeTabClosable } = useStore(preferences, wholeState);
  const clearCache = useClearCache();
  const choicesOf = useTabChoices();
  // The current page may be no tab, while other tabs are open.
  const closeAll: MenuChoice = { key: 'closeAll', label: t('tabs.closeAll'), onChoose: () => void store.closeAll() };
  const settings: MenuChoice[] = [
    {
      key: 'restore',
      label: t('tabs.restore'),
      startsGroup: true,
      isChosen: restoreTabs,
      onChoose: () => preferences.change({ restoreTabs: !restoreTabs }),
    },
    {
      key: 'home',
      label: t('tabs.homeClosable'),
      isChosen: homeTabClosable,
      onChoose: () => preferences.change({ homeTabClosable: !homeTabClosable }),
    },
    { key: 'clear', label: t('tabs.clearCache'), icon: 'clean', startsGroup: true, onChoose: clearCache },
  ];
  return (
    <MenuButton label={t('tabs.actions')} choices={[...(current ? choicesOf(current) : [closeAll]), ...settings]}>
      <Icon name="more" />
    </MenuButton>
  );
}

const wholeState = <State,>(state: State) => state;
