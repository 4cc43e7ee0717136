import type { Menu } from '#shared/contract';
import type { MenuItem } from '#shared/menus';
import type { LocalizedText } from '#shared/text';

/** Part of a menu entry that lists the roles that see it. Not every server sends it. */
interface RoleRestricted {
  readonly meta?: { readonly roles?: readonly string[] };
  readonly children?: readonly RoleRestricted[];
}

/** Returns the entries that these roles see: an entry with a list of roles is hidden, with everything below it, unless the list contains one of theirs. */
export function visibleItems<Item extends object>(items: readonly Item[], roles: readonly string[]): Item[] {
  return items
    .filter((item) => isVisible(item, roles))
    .map((item) => {
      const children = (item as RoleRestricted).children as readonly Item[] | undefined;
      return children ? { ...item, children: visibleItems(children, roles) } : item;
    });
}

function isVisible(item: RoleRestricted, roles: readonly string[]): boolean {
  const allowed = item.meta?.roles;
  return !allowed || allowed.some((role) => roles.includes(role));
}

/**
 * Returns the title of a menu entry: the server's title in both languages; if the server has one language only, the contract's title unless an
 * administrator has renamed the entry.
 */
export function menuTitle({ code, name, words }: Pick<MenuItem, 'code' | 'name' | 'words'>, declared: ReadonlyMap<string, Menu>): LocalizedText {
  if (words) return words;
  const title = declared.get(code)?.title;
  return title && title[0] === name ? title : [name, name];
}

/** Keeps the pages with these ids and the groups above them; the id of a group itself adds nothing. */
export function filterByIds(items: readonly MenuItem[], ids: ReadonlySet<string>): MenuItem[] {
  return items.flatMap((item) => {
    if (!item.children?.length) return ids.has(item.id) ? [item] : [];
    const children = filterByIds(item.children, ids);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}
