import type { MenuItem } from '#shared/menus';

/** The pages with these ids and the groups above them; a group of its own right brings nothing along. */
export function prunedTo(items: readonly MenuItem[], ids: ReadonlySet<string>): MenuItem[] {
  return items.flatMap((item) => {
    if (!item.children?.length) return ids.has(item.id) ? [item] : [];
    const children = prunedTo(item.children, ids);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}
