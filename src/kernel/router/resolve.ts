import type { MenuItem } from '#shared/menus';
import type { MenuState } from '../menu/menu.ts';
import type { ClaimedPage, ClaimedPages } from '../plugin-host/claimed-pages.ts';
import { isEmbedded, leavesOf, tidy } from './menu-address.ts';

/** What an address is decided from. */
export interface Atlas {
  readonly menu: MenuState;
  readonly pages: ClaimedPages;
  /** True once every plugin runs or is known not to. */
  readonly isSettled: boolean;
  readonly homePath: string;
}

/** What stands at an address. Nothing is decided on a menu or on plugins that are not known yet: that is `waiting`. */
export type Place =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'menuFailed'; readonly message: string }
  | { readonly kind: 'home'; readonly isTab: boolean }
  | { readonly kind: 'info' }
  | { readonly kind: 'problem'; readonly status: 403 | 404 | 500 }
  | { readonly kind: 'page'; readonly page: ClaimedPage; readonly item?: MenuItem; readonly isTab: boolean }
  | { readonly kind: 'unclaimed'; readonly item: MenuItem }
  | { readonly kind: 'frame'; readonly item: MenuItem };

const redirect = (to: string): Place => ({ kind: 'redirect', to });
const waiting: Place = { kind: 'waiting' };

/** What stands at a path for this user, `product.md` §2: fixed routes first, the server's menu after. */
export function resolve(pathname: string, atlas: Atlas): Place {
  const path = tidy(pathname);
  return fixedPlace(path, atlas) ?? menuPlace(path, atlas);
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
    case '/403':
    case '/404':
    case '/500':
      return { kind: 'problem', status: Number(path.slice(1)) as 403 | 404 | 500 };
    default:
      return undefined;
  }
}

function menuPlace(path: string, { menu, pages, isSettled }: Atlas): Place {
  if (menu.status === 'unknown' || menu.status === 'loading') return waiting;
  if (menu.status === 'failed') return { kind: 'menuFailed', message: menu.message };

  const granted = grantedPlace(path, menu.items, pages);
  if (granted) return granted.kind === 'unclaimed' && !isSettled ? waiting : granted;
  if (menu.status === 'stale' || !isSettled) return waiting;
  return redirect(pages.find({ path }) ? '/403' : '/404');
}

function grantedPlace(path: string, items: readonly MenuItem[], pages: ClaimedPages): Place | undefined {
  const leaves = leavesOf(items);
  const framed = leaves.find((item) => isEmbedded(item) && path === `/myiframe/${item.code}`);
  if (framed) return { kind: 'frame', item: framed };

  const inside = leaves.filter((item) => !isEmbedded(item));
  const item = inside.find((leaf) => path === `${tidy(leaf.path)}/index`);
  if (item) {
    const page = pages.find(item);
    return page ? { kind: 'page', page, item, isTab: item.name !== '' } : { kind: 'unclaimed', item };
  }

  const bare = inside.find((leaf) => path === tidy(leaf.path)) ?? inside.find((leaf) => leaf.path.startsWith(`${path}/`));
  return bare && redirect(`${tidy(bare.path)}/index`);
}

/** True for a place that becomes a tab when it is visited. */
export function isTabPlace(place: Place): boolean {
  if (place.kind === 'home' || place.kind === 'page') return place.isTab;
  return place.kind === 'info' || place.kind === 'frame' || place.kind === 'unclaimed';
}
