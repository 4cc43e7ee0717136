import { useState } from 'react';
import { clockText, type LoggedStore, Session, useDiagnostics, useService, useWords } from '#kernel';
import styles from './inspector.module.css';
import { shownValue } from './shown-value.ts';
import { words } from './words.ts';

/** Shows the state of this console: every store with its history in development, the current state of the services otherwise. */
export function StoresSection() {
  const say = useWords();
  const { stores } = useDiagnostics();
  const [sought, setSought] = useState('');
  const [, setRevision] = useState(0);
  const shown = stores()
    .map((store, place) => ({ store, key: `${place} ${store.name}` }))
    .filter(({ store }) => store.name.toLowerCase().includes(sought.toLowerCase()));
  return (
    <>
      <div className={styles.bar}>
        <input aria-label={say(words.filter)} placeholder={say(words.filter)} value={sought} onChange={({ target }) => setSought(target.value)} />
        <span className={styles.quiet}>{process.env.NODE_ENV === 'production' ? say(words.storesInDevelopment) : shown.length}</span>
      </div>
      <ul className={styles.list} aria-label={say(words.stores)}>
        {shown.map(({ store, key }) => (
          <StoreItem key={key} store={store} onTravelled={() => setRevision((times) => times + 1)} />
        ))}
      </ul>
    </>
  );
}

function StoreItem({ store: { name, history, restore }, onTravelled }: { readonly store: LoggedStore; readonly onTravelled: () => void }) {
  const say = useWords();
  const zone = useService(Session).user?.time_zone;
  const [place, setPlace] = useState(history.length - 1);
  const shown = history[Math.min(place, history.length - 1)];
  const travel = () => {
    restore(shown?.state);
    onTravelled();
  };
  return (
    <li className={styles.event}>
      <strong>{name}</strong>
      {history.length > 1 && (
        <>
          <input
            type="range"
            aria-label={name}
            min={0}
            max={history.length - 1}
            value={Math.min(place, history.length - 1)}
            onChange={({ target }) => setPlace(Number(target.value))}
          />
          <button type="button" onClick={travel}>
            {say(words.travel)}
          </button>
        </>
      )}
      <time>{shown && clockText(shown.at, zone)}</time>
      <pre>{shownValue(shown?.state)}</pre>
    </li>
  );
}
