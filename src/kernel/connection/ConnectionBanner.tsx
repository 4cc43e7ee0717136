import { useEffect, useRef, useState } from 'react';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Icon } from '../shell/Icon.tsx';
import { useStream } from '../use-stream.ts';
import styles from './ConnectionBanner.module.css';
import { Connection } from './connection.ts';

/** How long the return of the connection is told, in milliseconds. */
const farewell = 3000;

/** Says when the server cannot be reached or takes its time, and that it is back. It lies over the page and moves nothing. */
export function ConnectionBanner() {
  const text = useText();
  const connection = useService(Connection);
  const state = useStream(connection.state$, connection.state);
  const isBack = useReturn(state === 'lost' || state === 'offline');
  const shown = state === 'good' ? (isBack ? 'back' : undefined) : state;
  return (
    <div className={styles.place} role="status">
      {shown && (
        <p className={styles.banner} data-state={shown}>
          <Icon name={shown === 'back' ? 'check' : 'warning'} size={16} />
          {text(`connection.${shown}`)}
          {shown === 'lost' && (
            <button type="button" onClick={() => void connection.look()}>
              {text('connection.look')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** True for a moment after what was away has come back. */
function useReturn(isAway: boolean): boolean {
  const wasAway = useRef(false);
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    const returned = wasAway.current && !isAway;
    wasAway.current = isAway;
    setBack(returned);
    if (!returned) return;
    const timer = setTimeout(() => setBack(false), farewell);
    return () => clearTimeout(timer);
  }, [isAway]);
  return isBack;
}
