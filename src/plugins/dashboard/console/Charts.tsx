import { Radio } from '@arco-design/web-react';
import { useStore, useTranslation } from '#kernel';
import { dashboardMessages, type Span, spans } from '../contract.ts';
import { ChartPanel } from './ChartPanel.tsx';
import styles from './Charts.module.css';
import { type FigureStore, panelsOf } from './figure-store.ts';

/** Charts of trends and shares over the last days. */
export function Charts({ store }: { readonly store: FigureStore }) {
  const t = useTranslation();
  const board = useStore(store, (state) => state.board);
  const placeholderCount = useStore(store, (state) => state.placeholders.charts);
  const span = useStore(store, (state) => state.span);
  const panels = board ? panelsOf(board.charts) : undefined;
  if ((panels?.length ?? placeholderCount) === 0) return null;
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
          Array.from({ length: placeholderCount }, (_, index) => <div key={index} className={styles.skeleton} />)}
    </section>
  );
}
