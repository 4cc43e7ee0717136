import { Greeting, HomeGuests, HomePanel, RecentPageList, Shortcuts, useStore, useTranslation } from '#kernel';
import { dashboardMessages } from '../contract.ts';
import { Alerts } from './Alerts.tsx';
import { Charts, Standing } from './Charts.tsx';
import styles from './dashboard.module.css';
import { PendingTiles } from './PendingTiles.tsx';
import { Setup } from './Setup.tsx';
import { Today } from './Today.tsx';
import { useFigures } from './use-figures.ts';

/** Home page: pending work first, then metrics, then shortcuts. */
export default function HomePage() {
  const store = useFigures();
  const t = useTranslation();
  const board = useStore(store, (state) => state.board);
  const room = useStore(store, (state) => state.room);
  const status = useStore(store, (state) => state.status);
  const hasFigures = room.waiting + room.days + room.charts > 0;
  const hasFailed = status === 'failed' && !board;
  return (
    <div className={styles.page} data-figures={hasFigures}>
      <Greeting />
      {!hasFailed && <PendingTiles figures={board?.waiting} room={room.waiting} />}
      {!hasFailed && <Today figures={board?.days} room={room.days} />}
      {!hasFailed && <Charts store={store} />}
      <div className={styles.aside}>
        <Setup steps={board?.setup} />
        {hasFigures && (
          <HomePanel title={t(dashboardMessages.alerts)}>
            <Alerts figures={board?.alerts ?? (hasFailed ? [] : undefined)} />
            <Standing store={store} />
          </HomePanel>
        )}
        <HomePanel title={t('shell.shortcuts')}>
          <Shortcuts />
        </HomePanel>
        <HomePanel title={t('shell.recentPages')}>
          <RecentPageList />
        </HomePanel>
        <HomeGuests />
      </div>
    </div>
  );
}
