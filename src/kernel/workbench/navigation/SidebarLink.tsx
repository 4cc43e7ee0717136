import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { MenuItem } from '#shared/menus';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { addressOf, opensWindow } from '../routes/menu-address.ts';
import { useRouteTable } from '../routes/route-table.tsx';
import { useAddress } from '../routes/use-address.ts';
import styles from './Sidebar.module.css';

interface SidebarLinkProps {
  readonly item: MenuItem;
  readonly title: string;
  readonly depth: number;
  readonly isCurrent: boolean;
}

/** Renders the link of one page; an external one opens as its entry specifies. */
export const SidebarLink = memo(function SidebarLink({ item, title, depth, isCurrent }: SidebarLinkProps) {
  const t = useTranslation();
  const shared = { className: styles.link, 'data-depth': depth, title } as const;
  const content = (
    <>
      <span className={styles.icon}>{depth < 2 && <MenuIcon name={item.source} />}</span>
      <span className={styles.label}>{title}</span>
    </>
  );
  if (!opensWindow(item)) {
    return (
      <li>
        <Link {...shared} to={addressOf(item)} aria-current={isCurrent ? 'page' : undefined}>
          {content}
        </Link>
      </li>
    );
  }
  return (
    <li>
      <a {...shared} href={addressOf(item)} target="_blank" rel="noopener noreferrer">
        {content}
        <span className="visually-hidden">{t('shell.newWindow')}</span>
      </a>
    </li>
  );
});

/** Renders the link to the home page, the first of every menu. */
export function HomeLink() {
  const t = useTranslation();
  const { homePath } = useRouteTable();
  const { pathname } = useAddress();
  return (
    <li>
      <Link className={styles.link} data-depth={0} to={homePath} title={t('shell.home')} aria-current={pathname === homePath ? 'page' : undefined}>
        <span className={styles.icon}>
          <MenuIcon name="home" />
        </span>
        <span className={styles.label}>{t('shell.home')}</span>
      </Link>
    </li>
  );
}
