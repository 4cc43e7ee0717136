import { IconCheckCircleFill } from '@arco-design/web-react/icon';
import { Link } from 'react-router-dom';
import { HomePanel, usePreference, useTranslation } from '#kernel';
import type { SetupStep } from '#shared/figures';
import { dashboardMessages } from '../contract.ts';
import styles from './dashboard.module.css';
import { setupHidden } from './setup-preference.ts';
import { useRowsLink } from './use-rows-link.ts';

/** Setup checklist. Steps complete by themselves; the list disappears when all are done or the user hides it. */
export function Setup({ steps = [] }: { readonly steps: readonly SetupStep[] | undefined }) {
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
                {isDone ? <IconCheckCircleFill /> : <span className={styles.setupRing} />}
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
