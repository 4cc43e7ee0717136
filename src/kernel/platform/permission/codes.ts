import type { MenuItem } from '#shared/menus';

/** Returns the codes of a tree's leaves, which are the button codes the server grants. */
export function leafCodes(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => (item.children?.length ? leafCodes(item.children) : item.code ? [item.code] : []));
}

/** Returns the codes of a menu's entries, groups included. */
export function pageCodes(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => [...(item.code ? [item.code] : []), ...pageCodes(item.children ?? [])]);
}
