import type { MenuItem } from '#shared/menus';
import type { MenuState } from '../menu/menu.ts';
import type { ClaimedPage, ClaimedPages } from '../plugin-host/claimed-pages.ts';
import { handedBy, isEmbedded, leavesOf, pathOf, tidy } from './menu-address.ts';

/** What an address is decided from. */
export interface Atlas {
  readonly menu: MenuState;
  readonly pages: ClaimedPages;
  /** True once every plugin runs or is known not to. */
  readonly isSettled: boolean;
  readonly homePath: string;
  /** Origins whose pages may be embedded. */
  readonly frames?: readonly string[];
}

/** What stands at an address. Nothing is decided on a menu or on plugins that are not known yet: that is `waiting`. */
export type Place =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'menuFailed'; readonly message: string }
  | { readonly kind: 'home'; readonly isTab: boolean }
  | { readonly kind: 'info' }
  | { readonly kind: 'logs' }
  /** What the console runs on, for administrators. */
  | { readonly kind: 'inspector' }
  /** Another program asks who is signed in. */
  | { readonly kind: 'consent' }
  | { readonly kind: 'problem'; readonly status: 403 | 404 | 500 }
  | { readonly kind: 'page'; readonly page: ClaimedPage; readonly item?: MenuItem; readonly isTab: boolean }
  | { readonly kind: 'unclaimed'; readonly item: MenuItem }
  | { readonly kind: 'frame'; readonly item: MenuItem };

const redirect = (to: string): Place => ({ kind: 'redirect', to });
const waiting: Place = { kind: 'waiting' };

/** What stands at a location for this user, `product.md` §2: fixed routes first, the server's menu after. Of entries with one path that is meant whose parameters the location has. */
export function resolve(location: string, atlas: Atlas): Place {
  const [, pathname = '', search] = /^([^?#]*)(\?[^#]*)?/.exec(location) ?? [];
  const path = tidy(decoded(pathname));
  return fixedPlace(path, atlas) ?? menuPlace(path, new URLSearchParams(search), atlas);
}

/** The address bar writes what is not ASCII in percents; menus do not. */
function decoded(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function fixedPlace(path: string, { pages, isSettled, homePath }: Atlas): Place | undefined {
  const claimed = (address: string, isTab: boolean): Place | undefined => {
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
      return claimed('/wel', true) ?? { kind: 'home', isTab: true };
    case '/wel/dashboard':
      return claimed('/wel/dashboard', false) ?? { kind: 'home', isTab: false };
    case '/info':
      return redirect('/info/index');
    case '/info/index':
      return claimed('/info', true) ?? { kind: 'info' };
    case '/logs':
      return { kind: 'logs' };
    case '/dev/kernel':
      return { kind: 'inspector' };
    case '/oauth/consent':
      return { kind: 'consent' };
    case '/403':
    case '/404':
    case '/500':
      return { kind: 'problem', status: Number(path.slice(1)) as 403 | 404 | 500 };
    default:
      return undefined;
  }
}

function menuPlace(path: string, parameters: URLSearchParams, { menu, pages, isSettled }: Atlas): Place {
  if (menu.status === 'unknown' || menu.status === 'loading') return waiting;
  if (menu.status === 'failed') return { kind: 'menuFailed', message: menu.message };

  const granted = grantedPlace(path, parameters, { items: menu.items, pages });
  if (granted) return granted.kind === 'unclaimed' && !isSettled ? waiting : granted;
  if (menu.status === 'stale' && menu.failure !== undefined) return { kind: 'menuFailed', message: menu.failure };
  if (menu.status === 'stale' || !isSettled) return waiting;
  return redirect(pages.find({ path }) ? '/403' : '/404');
}

interface Granted {
  readonly items: readonly MenuItem[];
  readonly pages: ClaimedPages;
}

function grantedPlace(path: string, parameters: URLSearchParams, { items, pages }: Granted): Place | undefined {
  const leaves = leavesOf(items);
  const framed = leaves.find((item) => isEmbedded(item) && path === `/myiframe/${item.code}`);
  if (framed) return { kind: 'frame', item: framed };

  const inside = leaves.filter((item) => !isEmbedded(item));
  const item = meant(
    inside.filter((leaf) => path === `${pathOf(leaf)}/index`),
    parameters,
  );
  if (item) {
    const page = pages.find(item);
    return page ? { kind: 'page', page, item, isTab: item.name !== '' } : { kind: 'unclaimed', item };
  }

  const bare = inside.find((leaf) => path === pathOf(leaf)) ?? inside.find((leaf) => leaf.path.startsWith(`${path}/`));
  return bare && redirect(`${pathOf(bare)}/index`);
}

/** Of entries with one path the one that hands over most of what is there, and nothing else. */
function meant(entries: readonly MenuItem[], parameters: URLSearchParams): MenuItem | undefined {
  const fitting = entries.filter((entry) => [...handedBy(entry)].every(([name, value]) => parameters.get(name) === value));
  return fitting.toSorted((one, other) => handedBy(other).size - handedBy(one).size)[0] ?? entries[0];
}

/** True for a place that becomes a tab when it is visited. */
export function isTabPlace(place: Place): boolean {
  if (place.kind === 'home' || place.kind === 'page') return place.isTab;
  return place.kind === 'info' || place.kind === 'logs' || place.kind === 'inspector' || place.kind === 'frame' || place.kind === 'unclaimed';
}

/** The plugin whose page stands at a location. */
export function pluginAt(location: string, atlas: Atlas): string | undefined {
  const place = resolve(location, atlas);
  return place.kind === 'page' ? place.page.pluginId : undefined;
}
