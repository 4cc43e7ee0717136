import { useEffect, useMemo, useState } from 'react';
import type { MenuItem } from '#shared/menus';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { trailTo } from '../routes/menu-address.ts';
import { useMenuTitles, useResolvedRoute } from '../routes/route-table.tsx';
import { useAddress } from '../routes/use-address.ts';
import { type GroupPlacement, SidebarGroup } from './SidebarGroup.tsx';
import { SidebarLink } from './SidebarLink.tsx';

interface MenuEntriesProps {
  readonly items: readonly MenuItem[];
  /** Position in which top-level groups open; nested ones always open in place. */
  readonly opens: GroupPlacement;
}

/** Deepest level of indentation; deeper entries are not indented further. */
const maxIndentation = 4;

/** Renders entries of the menu as list items: pages are links, groups expand and collapse. */
export function MenuEntries({ items, opens }: MenuEntriesProps) {
  const trail = useCurrentTrail(items);
  const t = useTranslation();
  const titleOf = useMenuTitles();
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});

  // A group stays expanded after its page is left.
  useEffect(() => setOpened((before) => ({ ...before, ...Object.fromEntries(trail.map((id) => [id, true])) })), [trail]);

  const show = (item: MenuItem, level: number) => {
    const depth = Math.min(level, maxIndentation);
    if (!item.children?.length) return <SidebarLink key={item.id} item={item} title={t(titleOf(item))} depth={depth} isCurrent={trail.at(-1) === item.id} />;
    const isOpen = opened[item.id] ?? false;
    return (
      <SidebarGroup
        key={item.id}
        icon={item.source}
        title={t(titleOf(item))}
        depth={depth}
        isOpen={isOpen}
        isWithin={trail.includes(item.id)}
        opens={depth === 0 ? opens : 'inPlace'}
        onToggle={() => setOpened({ ...opened, [item.id]: !isOpen })}
      >
        {item.children.map((child) => show(child, level + 1))}
      </SidebarGroup>
    );
  };
  return <>{items.map((item) => show(item, 0))}</>;
}

/** Returns the ids of the entries from the top down to the current page. */
export function useCurrentTrail(items: readonly MenuItem[]): readonly string[] {
  const { pathname, search } = useAddress();
  const route = useResolvedRoute(pathname + search);
  const current = 'item' in route ? route.item?.id : undefined;
  return useMemo(() => (current === undefined ? [] : trailTo(current, items).map(({ id }) => id)), [current, items]);
}
