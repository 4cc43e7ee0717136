import { Button, Radio } from '@arco-design/web-react';
import { useStore, useTranslation } from '#kernel';
import { dashboardMessages, type Span, spans } from '../contract.ts';
import { ChartPanel } from './ChartPanel.tsx';
import styles from './dashboard.module.css';
import { type FigureStore, panelsOf } from './figure-store.ts';

/** Charts of trends and shares over the last days. */
export function Charts({ store }: { readonly store: FigureStore }) {
  const t = useTranslation();
  const board = useStore(store, (state) => state.board);
  const room = useStore(store, (state) => state.room.charts);
  const span = useStore(store, (state) => state.span);
  const panels = board ? panelsOf(board.charts) : undefined;
  if ((panels?.length ?? room) === 0) return null;
  return (
    <section className={styles.charts} aria-busy={!board}>
      <header className={styles.chartsHead}>
        <h2>{t(dashboardMessages.charts)}</h2>
        <Radio.Group
          type="button"
          size="small"
          name="dashboard-span"
          aria-label={t(dashboardMessages.span)}
          value={span}
          onChange={(days: Span) => store.show(days)}
          options={spans.map((count) => ({ value: count, label: t(dashboardMessages.lastDays, { count }) }))}
        />
      </header>
      {panels
        ? panels.map((charts) => <ChartPanel key={charts[0]?.group?.id ?? charts[0]?.id} charts={charts} />)
        : // biome-ignore lint/suspicious/noArrayIndexKey: placeholders differ only by their index
          Array.from({ length: room }, (_, index) => <div key={index} className={`${styles.chartSpace} ${styles.space}`} />)}
    </section>
  );
}

/** Shows the time of the metrics, and a failure to refresh them. */
export function FigureFreshness({ store }: { readonly store: FigureStore }) {
  const t = useTranslation();
  const status = useStore(store, (state) => state.status);
  const asOf = useStore(store, (state) => state.board?.asOf);
  return (
    <p className={styles.standing} role={status === 'failed' ? 'alert' : undefined}>
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
