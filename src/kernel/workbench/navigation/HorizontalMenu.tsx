import type { RefObject } from 'react';
import type { MenuItem } from '#shared/menus';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { leavesOf } from '../routes/menu-address.ts';
import { useMenuTitles } from '../routes/route-table.tsx';
import styles from './HorizontalMenu.module.css';
import { MenuEntries, useCurrentTrail } from './MenuEntries.tsx';
import { SidebarGroup } from './SidebarGroup.tsx';
import { HomeLink } from './SidebarLink.tsx';
import { useFittingCount } from './use-fitting-count.ts';

const overflowButtonWidth = 100;

/** Renders the server's menu as a row above the page; groups open below it, and entries that do not fit move into an overflow menu. */
export function HorizontalMenu({ items }: { readonly items: readonly MenuItem[] }) {
  const t = useTranslation();
  const labels = useMenuLabels(items);
  const { ruler, count } = useFittingCount<HTMLDivElement>(
    labels.map(({ title }) => title),
    overflowButtonWidth,
  );
  const trail = useCurrentTrail(items);
  const shown = items.slice(0, Math.max(0, count - 1));
  const rest = items.slice(shown.length);
  return (
    <nav className={styles.menu} aria-label={t('shell.navigation')}>
      <Ruler labels={labels} ruler={ruler} />
      <ul className={styles.row}>
        <HomeLink />
        <MenuEntries items={shown} opens="below" />
        {rest.length > 0 && (
          <SidebarGroup icon="apps" title={t('navigation.more')} depth={0} isWithin={leavesOf(rest).some(({ id }) => trail.includes(id))} opens="below">
            <MenuEntries items={rest} opens="inPlace" />
          </SidebarGroup>
        )}
      </ul>
    </nav>
  );
}

interface MenuLabel {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  readonly isGroup: boolean;
}

/** Returns the icons and titles of home and the entries. */
function useMenuLabels(items: readonly MenuItem[]): readonly MenuLabel[] {
  const t = useTranslation();
  const titleOf = useMenuTitles();
  const home = { id: 'home', icon: 'home', title: t('shell.home'), isGroup: false };
  return [home, ...items.map((item) => ({ id: item.id, icon: item.source, title: t(titleOf(item)), isGroup: (item.children?.length ?? 0) > 0 }))];
}

/** Renders the row with all entries invisibly, to measure their widths. */
function Ruler({ labels, ruler }: { readonly labels: readonly MenuLabel[]; readonly ruler: RefObject<HTMLDivElement | null> }) {
  return (
    <div ref={ruler} className={styles.ruler} aria-hidden="true">
      {labels.map(({ id, icon, title, isGroup }) => (
        <span key={id} className={styles.face}>
          <MenuIcon name={icon} />
          <span>{title}</span>
          {isGroup && <Icon name="chevronDown" size={14} />}
        </span>
      ))}
    </div>
  );
}
