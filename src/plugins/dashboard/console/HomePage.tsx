import { Link } from 'react-router-dom';
import { HomeContributions, HomePanel, Icon, RecentPageList, Shortcuts, usePreference, useRowsLink, useTranslation } from '#kernel';
import type { SetupStep } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import { AlertsPanel } from './AlertsPanel.tsx';
import { Charts } from './Charts.tsx';
import styles from './dashboard.module.css';
import { useFigures } from './figure-store.ts';
import { PendingTiles, TodayTiles } from './MetricTiles.tsx';
import { setupHidden } from './setup-preference.ts';

/** Home page: pending work and metrics first, charts below, and beside them what needs attention and ways to other pages. */
export default function HomePage() {
  const { store, board, placeholders, hasFailed, hasFigures } = useFigures();
  const t = useTranslation();
  const shortcuts = (
    <HomePanel title={t('shell.shortcuts')}>
      <Shortcuts />
    </HomePanel>
  );
  return (
    <div className={styles.page} data-figures={hasFigures}>
      {!hasFailed && hasFigures && (
        <div className={styles.figures}>
          <PendingTiles figures={board?.waiting} placeholders={placeholders.waiting} />
          <TodayTiles figures={board?.days} placeholders={placeholders.days} />
        </div>
      )}
      {!hasFailed && <Charts store={store} />}
      <div className={styles.aside}>
        {hasFigures ? <AlertsPanel store={store} /> : shortcuts}
        <Setup steps={board?.setup} />
        <HomePanel title={t('shell.recentPages')}>
          <RecentPageList />
        </HomePanel>
        {hasFigures && shortcuts}
        <HomeContributions />
      </div>
    </div>
  );
}

/** Setup checklist. Steps complete by themselves; the list disappears when all are done or the user hides it. */
function Setup({ steps = [] }: { readonly steps: readonly SetupStep[] | undefined }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  const [isHidden, setHidden] = usePreference<boolean>(setupHidden.key, setupHidden.version);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || done === steps.length) return null;
  return (
    <HomePanel
      title={t(dashboardMessages.setup)}
      aside={
        <>
          <span className={styles.setupProgress}>{t(dashboardMessages.setupProgress, { done, all: steps.length })}</span>
          <button type="button" className={styles.hideSetup} onClick={() => setHidden(true)}>
            {t(dashboardMessages.hideSetup)}
          </button>
        </>
      }
    >
      <ul className={styles.setup}>
        {steps.map(({ id, title, note, isDone, leadsTo }) => {
          const to = 'path' in leadsTo ? leadsTo.path : linkOf(leadsTo);
          return (
            <li key={id} data-done={isDone}>
              <span role="img" aria-label={t(isDone ? dashboardMessages.setupDone : dashboardMessages.setupOpen)}>
                <span className={styles.setupMark}>{isDone && <Icon name="check" size={10} />}</span>
              </span>
              <span>
                {to ? <Link to={to}>{t(title)}</Link> : t(title)}
                {!isDone && <small>{t(note)}</small>}
              </span>
            </li>
          );
        })}
      </ul>
    </HomePanel>
  );
}
