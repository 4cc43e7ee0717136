import { Button, Radio } from '@arco-design/web-react';
import { useStore, useWords } from '#kernel';
import { dashboardWords, type Span, spans } from '../contract.ts';
import { ChartPanel } from './ChartPanel.tsx';
import styles from './dashboard.module.css';
import { type FigureStore, panelsOf } from './figure-store.ts';

/** Charts of trends and shares over the last days. */
export function Charts({ store }: { readonly store: FigureStore }) {
  const say = useWords();
  const board = useStore(store, (state) => state.board);
  const room = useStore(store, (state) => state.room.charts);
  const span = useStore(store, (state) => state.span);
  const panels = board ? panelsOf(board.charts) : undefined;
  if ((panels?.length ?? room) === 0) return null;
  return (
    <section className={styles.charts} aria-busy={!board}>
      <header className={styles.chartsHead}>
        <h2>{say(dashboardWords.charts)}</h2>
        <Radio.Group
          type="button"
          size="small"
          name="dashboard-span"
          aria-label={say(dashboardWords.span)}
          value={span}
          onChange={(days: Span) => store.show(days)}
          options={spans.map((count) => ({ value: count, label: say(dashboardWords.lastDays, { count }) }))}
        />
      </header>
      {panels
        ? panels.map((charts) => <ChartPanel key={charts[0]?.group?.id ?? charts[0]?.id} charts={charts} />)
        : // biome-ignore lint/suspicious/noArrayIndexKey: placeholders differ only by their index
          Array.from({ length: room }, (_, place) => <div key={place} className={`${styles.chartSpace} ${styles.space}`} />)}
    </section>
  );
}

/** Shows the time of the metrics, and a failure to refresh them. */
export function Standing({ store }: { readonly store: FigureStore }) {
  const say = useWords();
  const status = useStore(store, (state) => state.status);
  const asOf = useStore(store, (state) => state.board?.asOf);
  return (
    <p className={styles.standing} role={status === 'failed' ? 'alert' : undefined}>
      {status === 'failed' && (
        <>
          {say(asOf ? dashboardWords.stale : dashboardWords.failed)}{' '}
          <Button size="mini" onClick={() => void store.refresh()}>
            {say(dashboardWords.retry)}
          </Button>{' '}
        </>
      )}
      {asOf ? say(dashboardWords.asOf, { time: asOf }) : ' '}
    </p>
  );
}
