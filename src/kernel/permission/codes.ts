import type { MenuItem } from '#shared/menus';

/** The codes of a nested list's leaves: what the buttons call grants. */
export function leafCodes(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => (item.children?.length ? leafCodes(item.children) : item.code ? [item.code] : []));
}

/** The codes of a menu's entries, groups included. */
export function pageCodes(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => [...(item.code ? [item.code] : []), ...pageCodes(item.children ?? [])]);
}
