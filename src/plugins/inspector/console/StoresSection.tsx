import { useState } from 'react';
import { clockText, type LoggedStore, Session, useDiagnostics, useService, useTranslation } from '#kernel';
import styles from './inspector.module.css';
import { inspectorMessages } from './messages.ts';
import { shownValue } from './shown-value.ts';

/** Shows the state of this console: every store with its history in development, the current state of the services otherwise. */
export function StoresSection() {
  const t = useTranslation();
  const { stores } = useDiagnostics();
  const [sought, setSought] = useState('');
  const [, setRevision] = useState(0);
  const shown = stores()
    .map((store, index) => ({ store, key: `${index} ${store.name}` }))
    .filter(({ store }) => store.name.toLowerCase().includes(sought.toLowerCase()));
  return (
    <>
      <div className={styles.bar}>
        <input
          aria-label={t(inspectorMessages.filter)}
          placeholder={t(inspectorMessages.filter)}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
        <span className={styles.quiet}>{process.env.NODE_ENV === 'production' ? t(inspectorMessages.storesInDevelopment) : shown.length}</span>
      </div>
      <ul className={styles.list} aria-label={t(inspectorMessages.stores)}>
        {shown.map(({ store, key }) => (
          <StoreItem key={key} store={store} onTravelled={() => setRevision((times) => times + 1)} />
        ))}
      </ul>
    </>
  );
}

function StoreItem({ store: { name, history, restore }, onTravelled }: { readonly store: LoggedStore; readonly onTravelled: () => void }) {
  const t = useTranslation();
  const zone = useService(Session).user?.time_zone;
  const [index, setIndex] = useState(history.length - 1);
  const shown = history[Math.min(index, history.length - 1)];
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
            value={Math.min(index, history.length - 1)}
            onChange={({ target }) => setIndex(Number(target.value))}
          />
          <button type="button" onClick={travel}>
            {t(inspectorMessages.travel)}
          </button>
        </>
      )}
      <time>{shown && clockText(shown.at, zone)}</time>
      <pre>{shownValue(shown?.state)}</pre>
    </li>
  );
}
