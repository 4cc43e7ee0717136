import { Link } from 'react-router-dom';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { addressOf, leavesOf, opensWindow } from '../routes/menu-address.ts';
import { useMenuItems, useMenuTitles, useRouteTable } from '../routes/route-table.tsx';
import styles from './Home.module.css';

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
