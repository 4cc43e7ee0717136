import { useMemo, useState } from 'react';
import type { MenuItem } from '#shared/menus';
import { useWords } from '../i18n/use-words.ts';
import { prunedTo } from '../menu/pruned-items.ts';
import { useMenuItems, useMenuTitles, usePlace, useTopMenus } from '../router/atlas.tsx';
import { leavesOf } from '../router/menu-address.ts';
import { useAddress } from '../router/use-address.ts';
import type { ShellLayout } from './preferences.ts';

/** A part of the menu that stands by itself in the bar above. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Icon. */
  readonly source: string;
  /** What the side shows while it is chosen; for a page of its own the page alone. */
  readonly items: readonly MenuItem[];
  /** It is a page, not a part. */
  readonly isPage: boolean;
}

/** The menu in sections, and the one whose entries are shown. */
export interface Sections {
  readonly list: readonly Section[];
  readonly current: Section | undefined;
  /** The entries shown: the current section's, all where there are no sections. */
  readonly items: readonly MenuItem[];
  choose(section: Section): void;
}

/** Divides the menu: by the server's top menus where there are any, else by its groups in the mixed layout. The one with the page on screen is shown, unless another was chosen. */
export function useSections(layout: ShellLayout): Sections {
  const items = useMenuItems();
  const list = useSectionList(items, layout);
  const { pathname, search } = useAddress();
  const place = usePlace(pathname + search);
  const pageId = 'item' in place ? place.item?.id : undefined;
  const [chosen, setChosen] = useState<{ readonly id: string; readonly at: string }>();
  const holds = (section: Section) => leavesOf(section.items).some(({ id }) => id === pageId);

  const last = list.find(({ id }) => id === chosen?.id);
  const isStill = last !== undefined && (chosen?.at === pathname || pageId === undefined || holds(last));
  const current = isStill ? last : (list.find(holds) ?? last ?? list.find(({ isPage }) => !isPage));
  return { list, current, items: current ? current.items : items, choose: ({ id }) => setChosen({ id, at: pathname }) };
}

function useSectionList(items: readonly MenuItem[], layout: ShellLayout): readonly Section[] {
  const say = useWords();
  const titleOf = useMenuTitles();
  const topMenus = useTopMenus();
  return useMemo(() => {
    const parts = topMenus.map((top): Section => {
      const within = prunedTo(items, new Set(top.menuIds));
      return { id: top.id, title: say(titleOf(top)), source: top.source, items: within, isPage: false };
    });
    if (parts.length > 0 || layout !== 'mixed') return parts;
    return items.map((item): Section => {
      const isPage = !item.children?.length;
      return { id: item.id, title: say(titleOf(item)), source: item.source, items: isPage ? [item] : (item.children ?? []), isPage };
    });
  }, [items, layout, topMenus, say, titleOf]);
}
