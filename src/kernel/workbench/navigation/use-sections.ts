import { useMemo, useState } from 'react';
import type { MenuItem } from '#shared/menus';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { filterByIds } from '../../platform/menu/menu-items.ts';
import { leavesOf } from '../routes/menu-address.ts';
import { useMenuItems, useMenuTitles, useResolvedRoute, useTopMenus } from '../routes/route-table.tsx';
import { useAddress } from '../routes/use-address.ts';
import type { ShellLayout } from '../state/preferences.ts';

/** A section of the menu, listed in the bar above. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Name of the icon. */
  readonly source: string;
  /** Entries the sidebar shows while the section is selected; for a single page only that page. */
  readonly items: readonly MenuItem[];
  /** True when the section is a single page. */
  readonly isPage: boolean;
}

/** The sections of the menu and the selected one. */
export interface Sections {
  readonly list: readonly Section[];
  readonly current: Section | undefined;
  /** Visible entries: those of the current section, all where there are no sections. */
  readonly items: readonly MenuItem[];
  select(section: Section): void;
}

/** Divides the menu by the server's top menus where there are any, else by its groups in the mixed layout. The section of the current page is shown unless another was selected. */
export function useSections(layout: ShellLayout): Sections {
  const items = useMenuItems();
  const list = useSectionList(items, layout);
  const { pathname, search } = useAddress();
  const route = useResolvedRoute(pathname + search);
  const pageId = 'item' in route ? route.item?.id : undefined;
  const [selection, setSelection] = useState<{ readonly id: string; readonly at: string }>();
  const containsPage = (section: Section) => leavesOf(section.items).some(({ id }) => id === pageId);

  const selected = list.find(({ id }) => id === selection?.id);
  const keepsSelection = selected !== undefined && (selection?.at === pathname || pageId === undefined || containsPage(selected));
  const current = keepsSelection ? selected : (list.find(containsPage) ?? selected ?? list.find(({ isPage }) => !isPage));
  return { list, current, items: current ? current.items : items, select: ({ id }) => setSelection({ id, at: pathname }) };
}

function useSectionList(items: readonly MenuItem[], layout: ShellLayout): readonly Section[] {
  const t = useTranslation();
  const titleOf = useMenuTitles();
  const topMenus = useTopMenus();
  return useMemo(() => {
    const topMenuSections = topMenus.map((top): Section => {
      const sectionItems = filterByIds(items, new Set(top.menuIds));
      return { id: top.id, title: t(titleOf(top)), source: top.source, items: sectionItems, isPage: false };
    });
    if (topMenuSections.length > 0 || layout !== 'mixed') return topMenuSections;
    return items.map((item): Section => {
      const isPage = !item.children?.length;
      return { id: item.id, title: t(titleOf(item)), source: item.source, items: isPage ? [item] : (item.children ?? []), isPage };
    });
  }, [items, layout, topMenus, t, titleOf]);
}
