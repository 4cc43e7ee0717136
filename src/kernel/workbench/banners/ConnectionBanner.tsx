import { useEffect, useRef, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Connection } from '../../platform/connection/connection.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './ConnectionBanner.module.css';

/** Time for which the return of the connection is shown. */
const recoveredMs = 3000;

/** Shows that the server is unreachable or slow, and when it is back. It overlays the page and does not shift the layout. */
export function ConnectionBanner() {
  const t = useTranslation();
  const connection = useService(Connection);
  const state = useStream(connection.state$, connection.state);
  const isBack = useIsBack(state === 'lost' || state === 'offline');
  const shown = state === 'good' ? (isBack ? 'restored' : undefined) : state;
  return (
    <div className={styles.place} role="status">
      {shown && (
        <p className={styles.banner} data-state={shown}>
          <Icon name={shown === 'restored' ? 'check' : 'warning'} size={16} />
          {t(`connection.${shown}`)}
          {shown === 'lost' && (
            <button type="button" onClick={() => void connection.check()}>
              {t('connection.retryNow')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Returns true for a moment after the connection has come back. */
function useIsBack(isAway: boolean): boolean {
  const wasAway = useRef(false);
  const [isBack, setIsBack] = useState(false);
  useEffect(() => {
    const returned = wasAway.current && !isAway;
    wasAway.current = isAway;
    setIsBack(returned);
    if (!returned) return;
    const timer = setTimeout(() => setIsBack(false), recoveredMs);
    return () => clearTimeout(timer);
  }, [isAway]);
  return isBack;
}
