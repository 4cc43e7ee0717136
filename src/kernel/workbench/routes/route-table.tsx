import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Menu } from '#shared/contract';
import { groupsOf } from '#shared/menu-entry';
import type { MenuItem, TopMenu } from '#shared/menus';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { MenuTree } from '../../platform/menu/menu.ts';
import { menuTitle } from '../../platform/menu/menu-items.ts';
import { type ResolvedRoute, type ResolverState, resolve } from './resolve.ts';

const RouteTableContext = createContext<ResolverState | undefined>(undefined);

const noOrigins: readonly string[] = [];

interface RouteTableProviderProps {
  readonly homePath: string;
  /** Origins whose pages may be embedded. */
  readonly frames?: readonly string[] | undefined;
  readonly children: ReactNode;
}

/** Provides the route table, built from the server's menu and the pages of running plugins, to the shell. */
export function RouteTableProvider({ homePath, frames = noOrigins, children }: RouteTableProviderProps) {
  const menuTree = useService(MenuTree);
  const host = useService(PluginHost);
  const menu = useStream(menuTree.state$, menuTree.state);
  const pages = useStream(host.pages$, host.registeredPages);
  const isSettled = useStream(host.stage$, 'read') === 'settled';
  const routeTable = useMemo(() => ({ menu, pages, isSettled, homePath, frames }), [menu, pages, isSettled, homePath, frames]);
  return <RouteTableContext value={routeTable}>{children}</RouteTableContext>;
}

/** Returns the current route table. */
export function useRouteTable(): ResolverState {
  const routeTable = useContext(RouteTableContext);
  if (!routeTable) throw new Error('useRouteTable must be used inside <RouteTableProvider>');
  return routeTable;
}

/** Resolves the page of a location for this user. */
export function useResolvedRoute(location: string): ResolvedRoute {
  const routeTable = useRouteTable();
  return useMemo(() => resolve(location, routeTable), [location, routeTable]);
}

/** Returns the entries of the menu, empty until it is loaded. */
export function useMenuItems(): readonly MenuItem[] {
  const { menu } = useRouteTable();
  return menu.status === 'ready' || menu.status === 'stale' ? menu.items : [];
}

const noTopMenus: readonly TopMenu[] = [];

/** Returns the top menus in which this user has a page; empty where the deployment has none. */
export function useTopMenus(): readonly TopMenu[] {
  const { menu } = useRouteTable();
  const topMenus = 'items' in menu ? menu.topMenus : undefined;
  return useMemo(() => topMenus?.filter(({ menuIds }) => menuIds?.length) ?? noTopMenus, [topMenus]);
}

/** Returns a function that returns the title of a menu entry in both languages. */
export function useMenuTitles(): (item: Pick<MenuItem, 'code' | 'name' | 'words'>) => LocalizedText {
  const { pages } = useRouteTable();
  return useMemo(() => {
    const menus = pages.all.map((page) => page.menu);
    const declared: ReadonlyMap<string, Menu> = new Map([...groupsOf(menus), ...menus].map((menu) => [menu.code, menu]));
    return (item) => menuTitle(item, declared);
  }, [pages]);
}
