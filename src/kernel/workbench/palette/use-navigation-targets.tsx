import { useNavigate } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { openAddress } from '../../platform/browser/open-address.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { addressOf, leavesOf, opensWindow, trailTo } from '../routes/menu-address.ts';
import { resolve } from '../routes/resolve.ts';
import { useMenuItems, useMenuTitles, useRouteTable } from '../routes/route-table.tsx';
import { useLocationTitle } from '../routes/route-title.ts';
import { RecentPages } from '../state/recent-pages.ts';
import { tabDetails } from '../tabs/tab-details.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { PaletteEntry, PaletteGroup } from './sections.ts';

/** Returns the navigation targets: recently visited pages, open tabs and all pages of the menu. */
export function useNavigationTargets(): { readonly recent: PaletteGroup; readonly tabs: PaletteGroup; readonly pages: PaletteGroup } {
  const t = useTranslation();
  return {
    recent: { key: 'recent', title: t('palette.recent'), entries: useRecent() },
    tabs: { key: 'tabs', title: t('palette.tabs'), entries: useOpenTabs() },
    pages: { key: 'pages', title: t('palette.pages'), entries: usePages() },
  };
}

function useRecent(): PaletteEntry[] {
  const navigate = useNavigate();
  const titleOf = useLocationTitle();
  const iconOf = useIcons();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const pages = useStore(useService(RecentPages), (state) => state.pages);
  const visited = pages
    .filter(({ location }) => location !== store.activeLocation)
    .map((page) => ({ ...page, title: tabs.find((tab) => tab.location === page.location)?.title || titleOf(page.location) }))
    .filter(({ title }) => title !== '');
  const detailOf = tabDetails(visited);
  return visited.map((page) => ({
    title: page.title,
    location: page.location,
    key: `recent:${page.key}`,
    detail: page.details || detailOf(page),
    icon: iconOf(page.location),
    onSelect: () => navigate(page.location),
  }));
}

function useOpenTabs(): PaletteEntry[] {
  const t = useTranslation();
  const iconOf = useIcons();
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const detailOf = tabDetails(tabs);
  return tabs.map((tab) => ({
    key: `tab:${tab.key}`,
    title: tab.title,
    detail: [tab.details || detailOf(tab), tab.dirty ? t('tabs.unsaved') : ''].filter(Boolean).join(' · '),
    icon: iconOf(tab.location),
    isOn: tab.key === store.active,
    location: tab.location,
    onSelect: () => store.open(tab),
  }));
}

function usePages(): PaletteEntry[] {
  const navigate = useNavigate();
  const t = useTranslation();
  const titleOf = useMenuTitles();
  const items = useMenuItems();
  return leavesOf(items).map((item) => {
    const location = addressOf(item);
    const ancestors = trailTo(item.id, items).slice(0, -1);
    return {
      key: `page:${item.id}`,
      title: t(titleOf(item)),
      detail: ancestors.map((group) => t(titleOf(group))).join(' / '),
      aliases: [...titleOf(item), item.alias].filter(Boolean),
      icon: <MenuIcon name={item.source} />,
      location,
      onSelect: () => (opensWindow(item) ? openAddress(location) : navigate(location)),
    };
  });
}

/** Returns a function that returns the menu icon of a location. */
function useIcons() {
  const routeTable = useRouteTable();
  const { home } = useService(TabStore);
  return (location: string) => {
    if (location.replace(/[?#].*$/, '') === home) return <Icon name="home" size={16} />;
    const route = resolve(location, routeTable);
    return <MenuIcon name={('item' in route && route.item?.source) || ''} />;
  };
}
