import { Button } from '@arco-design/web-react';
import { Link } from 'react-router-dom';
import { HomePanel, useRowsLink, useStore, useTranslation } from '#kernel';
import type { AlertFigure } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import type { FigureStore } from './figure-store.ts';

/** Panel of the alerts, with the time of the metrics. */
export function AlertsPanel({ store }: { readonly store: FigureStore }) {
  const t = useTranslation();
  const { board, status, placeholders } = useStore(store, (state) => state);
  return (
    <HomePanel title={t(dashboardMessages.alerts)}>
      <Alerts figures={board?.alerts ?? (status === 'failed' ? [] : undefined)} placeholders={placeholders.alerts} />
      <FigureFreshness store={store} />
    </HomePanel>
  );
}

/** Lists problems, each with a link to the page that solves it. */
function Alerts({ figures, placeholders }: { readonly figures: readonly AlertFigure[] | undefined; readonly placeholders: number }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  if (!figures)
    return (
      <ul className={styles.alerts} aria-hidden="true">
        {Array.from({ length: Math.max(placeholders, 1) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders differ only by their index
          <li key={index} className={styles.alertSkeleton} />
        ))}
      </ul>
    );
  if (figures.length === 0) return <p className={styles.noAlerts}>{t(dashboardMessages.noAlerts)}</p>;
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

/** Shows the time of the metrics, and a failure to refresh them. */
function FigureFreshness({ store }: { readonly store: FigureStore }) {
  const t = useTranslation();
  const status = useStore(store, (state) => state.status);
  const asOf = useStore(store, (state) => state.board?.asOf);
  return (
    <p className={styles.freshness} role={status === 'failed' ? 'alert' : undefined}>
      {status === 'failed' && (
        <>
          {t(asOf ? dashboardMessages.stale : dashboardMessages.failed)}{' '}
          <Button size="mini" onClick={() => void store.refresh()}>
            {t(dashboardMessages.retry)}
          </Button>{' '}
        </>
      )}
      {asOf ? t(dashboardMessages.asOf, { time: asOf }) : ' '}
    </p>
  );
}
