import type { MenuItem } from '#shared/menus';

/** Keeps the pages with these ids and the groups above them; the id of a group itself adds nothing. */
export function prunedTo(items: readonly MenuItem[], ids: ReadonlySet<string>): MenuItem[] {
  return items.flatMap((item) => {
    if (!item.children?.length) return ids.has(item.id) ? [item] : [];
    const children = prunedTo(item.children, ids);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}
