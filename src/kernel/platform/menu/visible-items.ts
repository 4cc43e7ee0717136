/** Optional part of a menu entry beyond the wire format: the roles that see it. */
interface RoleRestricted {
  readonly meta?: { readonly roles?: readonly string[] };
  readonly children?: readonly RoleRestricted[];
}

/** Filters the entries these roles see: an entry with a list of roles is hidden, with everything below it, unless the list contains one of theirs. */
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
