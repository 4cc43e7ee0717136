import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Menu } from '#shared/contract';
import type { MenuItem, TopMenu } from '#shared/menus';
import type { Words } from '#shared/text';
import { MenuTree } from '../menu/menu.ts';
import { menuTitle } from '../menu/menu-title.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { type Atlas, type Place, resolve } from './resolve.ts';

const AtlasContext = createContext<Atlas | undefined>(undefined);

const nowhere: readonly string[] = [];

interface AtlasProviderProps {
  readonly homePath: string;
  /** Origins whose pages may be embedded. */
  readonly frames?: readonly string[] | undefined;
  readonly children: ReactNode;
}

/** Makes the one route table, from the server's menu and the pages of running plugins, known to the shell. */
export function AtlasProvider({ homePath, frames = nowhere, children }: AtlasProviderProps) {
  const menuTree = useService(MenuTree);
  const host = useService(PluginHost);
  const menu = useStream(menuTree.state$, menuTree.state);
  const pages = useStream(host.pages$, host.claimed);
  const isSettled = useStream(host.stage$, 'read') === 'settled';
  const atlas = useMemo(() => ({ menu, pages, isSettled, homePath, frames }), [menu, pages, isSettled, homePath, frames]);
  return <AtlasContext value={atlas}>{children}</AtlasContext>;
}

/** The route table as it is now. */
export function useAtlas(): Atlas {
  const atlas = useContext(AtlasContext);
  if (!atlas) throw new Error('A component that asks for the route table stands outside of <AtlasProvider>');
  return atlas;
}

/** What stands at a location for this user. */
export function usePlace(location: string): Place {
  const atlas = useAtlas();
  return useMemo(() => resolve(location, atlas), [location, atlas]);
}

/** Entries of the menu, empty until it is known. */
export function useMenuItems(): readonly MenuItem[] {
  const { menu } = useAtlas();
  return menu.status === 'ready' || menu.status === 'stale' ? menu.items : [];
}

const none: readonly TopMenu[] = [];

/** The parts of the console, for whoever has a page in them; none where the deployment has none. */
export function useTopMenus(): readonly TopMenu[] {
  const { menu } = useAtlas();
  const known = 'items' in menu ? menu.topMenus : undefined;
  return useMemo(() => known?.filter(({ menuIds }) => menuIds?.length) ?? none, [known]);
}

/** What menu entries are called, in both languages. */
export function useMenuTitles(): (item: Pick<MenuItem, 'code' | 'name' | 'words'>) => Words {
  const { pages } = useAtlas();
  return useMemo(() => {
    const declared: ReadonlyMap<string, Menu> = new Map(pages.all.map((page) => [page.menu.code, page.menu]));
    return (item) => menuTitle(item, declared);
  }, [pages]);
}
