import type { MenuItem } from '#shared/menus';
import { isAbsoluteUrl } from '#shared/text';

/** A path without its trailing slashes; the root stays `/`. */
export const tidy = (path: string): string => path.replace(/\/+$/, '') || '/';

/** True for a menu entry that shows a foreign or html page instead of one of ours. */
export const isEmbedded = (item: MenuItem): boolean => isAbsoluteUrl(item.path) || /\.html?($|\?)/i.test(item.path);

/** True for an entry that opens in a window of its own. */
export const opensWindow = (item: MenuItem): boolean => item.isOpen === 2;

/** Where an entry without children leads: its page's address, or the frame that embeds it. */
export function addressOf(item: MenuItem): string {
  if (!isEmbedded(item)) return `${tidy(item.path)}/index`;
  return opensWindow(item) ? item.path : `/myiframe/${item.code}`;
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
