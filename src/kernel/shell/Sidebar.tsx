import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { MenuItem } from '#shared/menus';
import type { Words } from '#shared/text';
import { useText, useWords } from '../i18n/use-words.ts';
import { useAtlas, useMenuItems, useMenuTitles, usePlace } from '../router/atlas.tsx';
import { trailTo } from '../router/menu-address.ts';
import { BrandMark } from './BrandMark.tsx';
import styles from './Sidebar.module.css';
import { SidebarGroup } from './SidebarGroup.tsx';
import { HomeLink, SidebarLink } from './SidebarLink.tsx';

interface SidebarProps {
  readonly title: Words;
  /** Icons alone; groups open beside it. */
  readonly isCollapsed: boolean;
}

/** The server's menu as a list of links, groups opening in place. */
export function Sidebar({ title, isCollapsed }: SidebarProps) {
  const text = useText();
  const say = useWords();
  const items = useMenuItems();
  return (
    <aside className={styles.sidebar} data-collapsed={isCollapsed}>
      <div className={styles.brand}>
        <BrandMark size={30} />
        <span className={styles.title}>{say(title)}</span>
      </div>
      <nav className={styles.navigation} aria-label={text('shell.navigation')}>
        <ul className={styles.list}>
          <HomeLink />
          <Entries items={items} isCollapsed={isCollapsed} />
        </ul>
        {items.length === 0 && <MenuPending />}
      </nav>
    </aside>
  );
}

function Entries({ items, isCollapsed }: { readonly items: readonly MenuItem[]; readonly isCollapsed: boolean }) {
  const trail = useCurrentTrail(items);
  const say = useWords();
  const titleOf = useMenuTitles();
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});

  // A group that was entered stays open when the page is left.
  useEffect(() => setOpened((before) => ({ ...before, ...Object.fromEntries(trail.map((id) => [id, true])) })), [trail]);

  const show = (item: MenuItem, depth: number) => {
    if (!item.children?.length) return <SidebarLink key={item.id} item={item} title={say(titleOf(item))} depth={depth} isCurrent={trail.at(-1) === item.id} />;
    const isWithin = trail.includes(item.id);
    const isOpen = opened[item.id] ?? false;
    return (
      <SidebarGroup
        key={item.id}
        item={item}
        title={say(titleOf(item))}
        depth={depth}
        isOpen={isOpen}
        isWithin={isWithin}
        isFlyout={isCollapsed && depth === 0}
        onToggle={() => setOpened({ ...opened, [item.id]: !isOpen })}
      >
        {item.children.map((child) => show(child, depth + 1))}
      </SidebarGroup>
    );
  };
  return <>{items.map((item) => show(item, 0))}</>;
}

/** Ids from the top of the menu down to the page on screen. */
function useCurrentTrail(items: readonly MenuItem[]): readonly string[] {
  const { pathname } = useLocation();
  const place = usePlace(pathname);
  const current = 'item' in place ? place.item?.id : undefined;
  return useMemo(() => (current === undefined ? [] : trailTo(current, items).map(({ id }) => id)), [current, items]);
}

function MenuPending() {
  const { menu } = useAtlas();
  if (menu.status === 'ready' || menu.status === 'failed') return null;
  return (
    <div className={styles.pending} aria-hidden="true">
      {[72, 56, 64, 48].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
