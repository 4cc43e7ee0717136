import { HomePanel, Shortcuts, useStore, useTranslation } from '#kernel';
import { dashboardMessages } from '../contract.ts';
import { Alerts } from './Alerts.tsx';
import { Charts, FigureFreshness } from './Charts.tsx';
import styles from './dashboard.module.css';
import { PendingTiles } from './PendingTiles.tsx';
import { Today } from './Today.tsx';
import { useFigures } from './use-figures.ts';

/** Full-width metrics for a screen that stays open. */
export default function ConsolePage() {
  const store = useFigures();
  const t = useTranslation();
  const board = useStore(store, (state) => state.board);
  const room = useStore(store, (state) => state.room);
  const status = useStore(store, (state) => state.status);
  const hasFailed = status === 'failed' && !board;
  const hasFigures = room.waiting + room.days + room.charts > 0;
  if (!hasFigures) {
    return (
      <HomePanel title={t('shell.shortcuts')}>
        <Shortcuts />
      </HomePanel>
    );
  }
  return (
    <div className={styles.console}>
      {!hasFailed && <PendingTiles figures={board?.waiting} room={room.waiting} />}
      {!hasFailed && <Today figures={board?.days} room={room.days} />}
      <HomePanel title={t(dashboardMessages.alerts)}>
        <Alerts figures={board?.alerts ?? (hasFailed ? [] : undefined)} />
        <FigureFreshness store={store} />
      </HomePanel>
      {!hasFailed && <Charts store={store} />}
    </div>
  );
}
