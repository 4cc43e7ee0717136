import type { MenuItem } from '#shared/menus';
import { isAbsoluteUrl } from '#shared/text';

/** A path without its trailing slashes; the root stays `/`. */
export const tidy = (path: string): string => path.replace(/\/+$/, '') || '/';

/** A path, and what follows it from the `?` on. */
const divided = (path: string): [path: string, search: string] => {
  const at = path.search(/[?#]/);
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)];
};

/** Where a page of ours stands, without what its entry hands it. */
export const pathOf = (item: MenuItem): string => tidy(divided(item.path)[0]);

/** What an entry hands its page by the address: what its path says after `?`, and its `query`. */
export function handedBy({ path, query }: MenuItem): URLSearchParams {
  const handed = new URLSearchParams(divided(path)[1].replace(/#.*$/, ''));
  for (const [name, value] of new URLSearchParams(query ?? '')) handed.set(name, value);
  return handed;
}

/** True for a menu entry that shows a foreign or html page instead of one of ours. */
export const isEmbedded = (item: MenuItem): boolean => isAbsoluteUrl(item.path) || /\.html?($|[?#])/i.test(item.path);

/** True for an entry that opens in a window of its own. The family marks pages of ours so for another purpose; those stay here. */
export const opensWindow = (item: MenuItem): boolean => item.isOpen === 2 && isEmbedded(item);

/** The address of a foreign or html page. A place for a token is taken out: no token ever stands in an address. */
export function embeddedAddress(item: MenuItem): string {
  const withoutToken = item.path
    .replace(/([?&])[\w.-]+=\$\{token\}(&|(?=#)|$)/gi, (_all, before: string, after: string) => (after === '&' ? before : ''))
    .replaceAll(/\$\{token\}/gi, '');
  const address = new URL(withoutToken, window.location.origin);
  for (const [name, value] of new URLSearchParams(item.query ?? '')) address.searchParams.set(name, value);
  return address.href;
}

const searchOf = (item: MenuItem): string => {
  const handed = handedBy(item);
  return handed.size > 0 ? `?${handed}` : '';
};

/** Where an entry without children leads: its page's address, or the frame that embeds it. */
export function addressOf(item: MenuItem): string {
  if (!isEmbedded(item)) return `${pathOf(item)}/index${searchOf(item)}`;
  return opensWindow(item) ? embeddedAddress(item) : `/myiframe/${item.code}`;
}

/** The pages of a menu, in the order in which they are shown. */
export function leavesOf(items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap((item) => (item.children?.length ? leavesOf(item.children) : item.path ? [item] : []));
}

/** The entries from the top of the menu down to the one with this id. */
export function trailTo(id: string, items: readonly MenuItem[]): MenuItem[] {
  for (const item of items) {
    if (item.id === id) return [item];
    const below = trailTo(id, item.children ?? []);
    if (below.length > 0) return [item, ...below];
  }
  return [];
}
