import type { MenuItem } from '#shared/menus';
import type { RegisteredPage, RegisteredPages } from '../../host/plugin-host/registered-pages.ts';
import type { MenuState } from '../../platform/menu/menu.ts';
import { isEmbedded, leavesOf, parametersOf, pathOf, withoutTrailingSlash } from './menu-address.ts';

/** Data from which addresses are resolved. */
export interface ResolverState {
  readonly menu: MenuState;
  readonly pages: RegisteredPages;
  /** True once every plugin has started or failed to start. */
  readonly isSettled: boolean;
  readonly homePath: string;
  /** Origins whose pages may be embedded. */
  readonly frames?: readonly string[];
}

/** Result of resolving an address. While the menu or the plugins are unknown the result is `waiting`. */
export type ResolvedRoute =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'menuFailed'; readonly message: string }
  | { readonly kind: 'home'; readonly isTab: boolean }
  | { readonly kind: 'logs' }
  | { readonly kind: 'problem'; readonly status: 403 | 404 | 500 }
  | { readonly kind: 'page'; readonly page: RegisteredPage; readonly item?: MenuItem; readonly isTab: boolean }
  | { readonly kind: 'unavailable'; readonly item: MenuItem }
  | { readonly kind: 'frame'; readonly item: MenuItem };

const redirect = (to: string): ResolvedRoute => ({ kind: 'redirect', to });
const waiting: ResolvedRoute = { kind: 'waiting' };

/** Resolves a location for this user: fixed routes first, then the routes of plugins and the server's menu. If several entries have the same path, their parameters decide. */
export function resolve(location: string, routeTable: ResolverState): ResolvedRoute {
  const [, pathname = '', search] = /^([^?#]*)(\?[^#]*)?/.exec(location) ?? [];
  const path = withoutTrailingSlash(decodePath(pathname));
  return fixedRoute(path, routeTable) ?? menuRoute(path, new URLSearchParams(search), routeTable);
}

/** Decodes a path, because the address bar percent-encodes non-ASCII characters and menus do not. */
function decodePath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function fixedRoute(path: string, { pages, isSettled, homePath }: ResolverState): ResolvedRoute | undefined {
  const registeredPage = (address: string, isTab: boolean): ResolvedRoute | undefined => {
    const page = pages.byPath.get(address);
    if (page) return { kind: 'page', page, isTab };
    return isSettled ? undefined : waiting;
  };
  switch (path) {
    case '/':
    case '/login':
    case '/lock':
      return redirect('/wel');
    case '/wel':
      return redirect(homePath);
    case '/wel/index':
      return registeredPage('/wel', true) ?? { kind: 'home', isTab: true };
    case '/wel/dashboard':
      return registeredPage('/wel/dashboard', false) ?? { kind: 'home', isTab: false };
    case '/logs':
      return { kind: 'logs' };
    case '/403':
    case '/404':
    case '/500':
      return { kind: 'problem', status: Number(path.slice(1)) as 403 | 404 | 500 };
    default:
      return routeOf(path, pages);
  }
}

function routeOf(path: string, pages: RegisteredPages): ResolvedRoute | undefined {
  const page = pages.routeAt(path);
  if (!page?.route) return undefined;
  return page.menu.path === path ? { kind: 'page', page, isTab: page.route.isTab } : redirect(page.menu.path);
}

function menuRoute(path: string, parameters: URLSearchParams, { menu, pages, isSettled }: ResolverState): ResolvedRoute {
  if (menu.status === 'unknown' || menu.status === 'loading') return waiting;
  if (menu.status === 'failed') return { kind: 'menuFailed', message: menu.message };

  const granted = grantedRoute(path, parameters, { items: menu.items, pages });
  if (granted) return granted.kind === 'unavailable' && !isSettled ? waiting : granted;
  if (menu.status === 'stale' && menu.failure !== undefined) return { kind: 'menuFailed', message: menu.failure };
  if (menu.status === 'stale' || !isSettled) return waiting;
  return redirect(pages.find({ path }) ? '/403' : '/404');
}

interface GrantedRoutes {
  readonly items: readonly MenuItem[];
  readonly pages: RegisteredPages;
}

function grantedRoute(path: string, parameters: URLSearchParams, { items, pages }: GrantedRoutes): ResolvedRoute | undefined {
  const leaves = leavesOf(items);
  const embedded = leaves.find((item) => isEmbedded(item) && path === `/myiframe/${item.code}`);
  if (embedded) return { kind: 'frame', item: embedded };

  const ownEntries = leaves.filter((item) => !isEmbedded(item));
  const item = matchingEntry(
    ownEntries.filter((leaf) => path === `${pathOf(leaf)}/index`),
    parameters,
  );
  if (item) {
    const page = pages.find(item);
    return page ? { kind: 'page', page, item, isTab: item.name !== '' } : { kind: 'unavailable', item };
  }

  const moved = ownEntries.find((leaf) => hasMoved(path, leaf, pages));
  if (moved) return redirect(`${pathOf(moved)}/index${parameters.size > 0 ? `?${parameters}` : ''}`);
  const withoutIndex = ownEntries.find((leaf) => path === pathOf(leaf)) ?? ownEntries.find((leaf) => leaf.path.startsWith(`${path}/`));
  return withoutIndex && redirect(`${pathOf(withoutIndex)}/index`);
}

/** Tests whether a page was at this address before its menu entry moved. */
const hasMoved = (path: string, entry: MenuItem, pages: RegisteredPages): boolean =>
  pages.find(entry)?.menu.formerPaths?.some((former) => path === former || path === `${former}/index`) === true;

/** Selects one of several entries with the same path: the one with most parameters, if the location has all of them; otherwise the first entry. */
function matchingEntry(entries: readonly MenuItem[], parameters: URLSearchParams): MenuItem | undefined {
  const matching = entries.filter((entry) => [...parametersOf(entry)].every(([name, value]) => parameters.get(name) === value));
  return matching.toSorted((one, other) => parametersOf(other).size - parametersOf(one).size)[0] ?? entries[0];
}

/** True for a route that becomes a tab when it is visited. */
export function isTabRoute(route: ResolvedRoute): boolean {
  if (route.kind === 'home' || route.kind === 'page') return route.isTab;
  return route.kind === 'logs' || route.kind === 'frame' || route.kind === 'unavailable';
}

/** Returns the id of the plugin whose page is at a location. */
export function pluginAt(location: string, routeTable: ResolverState): string | undefined {
  const route = resolve(location, routeTable);
  return route.kind === 'page' ? route.page.pluginId : undefined;
}
