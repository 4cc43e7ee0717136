/** What a menu entry may carry beside the wire's own fields: the roles that see it. */
interface Guarded {
  readonly meta?: { readonly roles?: readonly string[] };
  readonly children?: readonly Guarded[];
}

/** The entries these roles see, `product.md` §6: one with a list of roles is hidden, with all below it, unless the list has one of theirs. */
export function visibleItems<Item extends object>(items: readonly Item[], roles: readonly string[]): Item[] {
  return items
    .filter((item) => isVisible(item, roles))
    .map((item) => {
      const children = (item as Guarded).children as readonly Item[] | undefined;
      return children ? { ...item, children: visibleItems(children, roles) } : item;
    });
}

function isVisible(item: Guarded, roles: readonly string[]): boolean {
  const allowed = item.meta?.roles;
  return !allowed || allowed.some((role) => roles.includes(role));
}
