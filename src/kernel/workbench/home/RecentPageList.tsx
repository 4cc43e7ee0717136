import { Link } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { useLocationTitle } from '../routes/route-title.ts';
import { RecentPages } from '../state/recent-pages.ts';
import styles from './Home.module.css';

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
