import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { trailTo } from '../routes/menu-address.ts';
import { useMenuItems, useMenuTitles, useResolvedRoute } from '../routes/route-table.tsx';
import { useRouteTitle } from '../routes/route-title.ts';
import { useAddress } from '../routes/use-address.ts';
import styles from '../top-bar/TopBar.module.css';

/** Shows the position of the current page in the menu. */
export function Breadcrumb() {
  const t = useTranslation();
  const titleOf = useMenuTitles();
  const items = useMenuItems();
  const { pathname, search } = useAddress();
  const route = useResolvedRoute(pathname + search);
  const routeTitle = useRouteTitle();
  const item = 'item' in route ? route.item : undefined;
  const steps = item ? trailTo(item.id, items).map((step) => ({ id: step.id, title: t(titleOf(step)) })) : [{ id: 'page', title: routeTitle(route) }];
  return (
    <nav className={styles.trail} aria-label={t('shell.breadcrumb')}>
      <ol>
        {steps.map(({ id, title }, index) => (
          <li key={id} aria-current={index === steps.length - 1 ? 'page' : undefined}>
            {title}
          </li>
        ))}
      </ol>
    </nav>
  );
}
