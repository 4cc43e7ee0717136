import { Link } from 'react-router-dom';
import { useText } from '../i18n/use-words.ts';
import { useLocationTitle } from '../router/place-title.ts';
import { useService } from '../services.tsx';
import { useStore } from '../use-store.ts';
import styles from './Home.module.css';
import { Icon } from './Icon.tsx';
import { RecentPages } from './recent-pages.ts';

/** Lists the pages this user has visited recently. */
export function RecentPageList() {
  const text = useText();
  const titleOf = useLocationTitle();
  const locations = useStore(useService(RecentPages), ({ locations: visited }) => visited);
  const known = locations.map((location) => ({ location, title: titleOf(location) })).filter(({ title }) => title !== '');
  if (known.length === 0) return <p className={styles.nothing}>{text('shell.noRecentPages')}</p>;
  return (
    <ul className={styles.recent}>
      {known.map(({ location, title }) => (
        <li key={location}>
          <Link to={location}>
            <span>{title}</span>
            <Icon name="chevronRight" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
