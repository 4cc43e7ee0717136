import { useState } from 'react';
import { formatDateTime, type LoggedStore, Session, useDiagnostics, useService, useTranslation } from '#kernel';
import { formatValue } from './inspection.ts';
import styles from './inspector.module.css';
import { inspectorMessages } from './messages.ts';
import { FilterBar } from './Rows.tsx';

/** Shows the state of this console: every store with its history in development, the current state of the services otherwise. */
export function StoresSection() {
  const t = useTranslation();
  const { stores } = useDiagnostics();
  const [filter, setFilter] = useState('');
  const [, setRevision] = useState(0);
  const shown = stores()
    .map((store, index) => ({ store, key: `${index} ${store.name}` }))
    .filter(({ store }) => store.name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <>
      <FilterBar value={filter} onChange={setFilter}>
        <span className={styles.quiet}>{process.env.NODE_ENV === 'production' ? t(inspectorMessages.storesInDevelopment) : shown.length}</span>
      </FilterBar>
      <ul className={styles.list} aria-label={t(inspectorMessages.stores)}>
        {shown.map(({ store, key }) => (
          <StoreItem key={key} store={store} onRestored={() => setRevision((times) => times + 1)} />
        ))}
      </ul>
    </>
  );
}

function StoreItem({ store: { name, history, restore }, onRestored }: { readonly store: LoggedStore; readonly onRestored: () => void }) {
  const t = useTranslation();
  const zone = useService(Session).user?.time_zone;
  const [index, setIndex] = useState(history.length - 1);
  const shown = history[Math.min(index, history.length - 1)];
  const restoreState = () => {
    restore(shown?.state);
    onRestored();
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
          <button type="button" onClick={restoreState}>
            {t(inspectorMessages.restore)}
          </button>
        </>
      )}
      <time>{shown && formatDateTime(shown.at, zone)}</time>
      <pre>{formatValue(shown?.state)}</pre>
    </li>
  );
}
