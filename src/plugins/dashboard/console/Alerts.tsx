import { Link } from 'react-router-dom';
import { useTranslation } from '#kernel';
import type { AlertFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import { useRowsLink } from './use-rows-link.ts';

/** Lists problems, each with a link to the page that solves it. */
export function Alerts({ figures }: { readonly figures: readonly AlertFigure[] | undefined }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  if (!figures) return <div className={styles.alertSpace} />;
  if (figures.length === 0) return <p className={styles.nothing}>{t(dashboardMessages.noAlerts)}</p>;
  return (
    <ul className={styles.alerts}>
      {figures.map(({ id, title, tone, rows }) => {
        const to = linkOf(rows);
        return (
          <li key={id} data-tone={tone}>
            {to ? <Link to={to}>{t(title)}</Link> : t(title)}
          </li>
        );
      })}
    </ul>
  );
}
