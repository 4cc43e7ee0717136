import { HomePanel, Shortcuts, useTranslation } from '#kernel';
import { AlertsPanel } from './AlertsPanel.tsx';
import { Charts } from './Charts.tsx';
import styles from './dashboard.module.css';
import { useFigures } from './figure-store.ts';
import { PendingTiles, TodayTiles } from './MetricTiles.tsx';

/** Shows the metrics at full width, for a screen on which they stay visible. */
export default function ConsolePage() {
  const { store, board, placeholders, hasFailed, hasFigures } = useFigures();
  const t = useTranslation();
  if (!hasFigures) {
    return (
      <HomePanel title={t('shell.shortcuts')}>
        <Shortcuts />
      </HomePanel>
    );
  }
  return (
    <div className={styles.console}>
      {!hasFailed && (
        <div className={styles.figures}>
          <PendingTiles figures={board?.waiting} placeholders={placeholders.waiting} />
          <TodayTiles figures={board?.days} placeholders={placeholders.days} />
        </div>
      )}
      <AlertsPanel store={store} />
      {!hasFailed && <Charts store={store} />}
    </div>
  );
}
