import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { Panels } from '../../ui/slots/Panels.tsx';
import { addressOf, leavesOf, opensWindow } from '../routes/menu-address.ts';
import { useMenuItems, useMenuTitles, useRouteTable } from '../routes/route-table.tsx';
import { useLocationTitle } from '../routes/route-title.ts';
import { HomePanels } from '../slots.ts';
import { RecentPages } from '../state/recent-pages.ts';
import styles from './Home.module.css';

/** Home page unless a plugin provides one: first pages of the menu, recent pages. */
export function Home() {
  const t = useTranslation();
  return (
    <div className={styles.home}>
      <HomePanel title={t('shell.shortcuts')}>
        <Shortcuts />
      </HomePanel>
      <HomePanel title={t('shell.recentPages')}>
        <RecentPageList />
      </HomePanel>
      <HomeContributions />
    </div>
  );
}

/** Renders the panels that plugins add to the home page. */
export const HomeContributions = () => <Panels slot={HomePanels} frame={(title, content) => <HomePanel title={title}>{content}</HomePanel>} />;

/** Renders a panel of the home page with its heading; `aside` is at the end of the heading's line. */
export function HomePanel({ title, aside, children }: { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={styles.panel}>
      <header className={styles.panelHead}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Lists the pages this user has visited recently. */
export function RecentPageList() {
  const t = useTranslation();
  const titleOf = useLocationTitle();
  const visited = useStore(useService(RecentPages), ({ pages }) => pages);
  const titledPages = visited.map((page) => ({ ...page, title: titleOf(page.location) })).filter(({ title }) => title !== '');
  if (titledPages.length === 0) return <p className={styles.nothing}>{t('shell.noRecentPages')}</p>;
  return (
    <ul className={styles.recent}>
      {titledPages.map(({ key, location, title, details }) => (
        <li key={key}>
          <Link to={location}>
            <span>
              {title}
              {details && <span className={styles.details}> · {details}</span>}
            </span>
            <Icon name="chevronRight" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Links to the first pages of the menu. */
export function Shortcuts() {
  const t = useTranslation();
  const titleOf = useMenuTitles();
  const { menu } = useRouteTable();
  const leaves = leavesOf(useMenuItems()).filter((item) => !opensWindow(item));
  if (leaves.length === 0) return menu.status === 'ready' ? <p className={styles.nothing}>{t('shell.noPages')}</p> : <div className={styles.space} />;
  return (
    <ul className={styles.tiles}>
      {leaves.slice(0, 12).map((item) => (
        <li key={item.id}>
          <Link to={addressOf(item)} className={styles.tile}>
            <span className={styles.tileIcon}>
              <MenuIcon name={item.source} />
            </span>
            <span className={styles.tileName}>{t(titleOf(item))}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
