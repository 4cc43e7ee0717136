import { Button, Popover } from '@arco-design/web-react';
import { useStore, useTranslation } from '#kernel';
import { keyWords, workbenchMessages } from './messages.ts';
import styles from './Workbench.module.css';
import type { WorkbenchStore } from './workbench-store.ts';

const countedTo = 10_000;

/** Shows the counts of the queue and a button to undo the last decision. */
export function QueueHead({ store, onUndo }: { readonly store: WorkbenchStore; readonly onUndo: () => void }) {
  const t = useTranslation();
  const counts = useStore(store, (state) => state.counts);
  const decided = useStore(store, (state) => state.decided);
  const one = decided?.items[0]?.taskTitle ?? '';
  const told = decided?.status === 1 ? workbenchMessages.approved : workbenchMessages.rejected;
  return (
    <header className={styles.head}>
      <h2 className="visually-hidden">{t(workbenchMessages.heading)}</h2>
      {counts && (
        <p role="status" className={styles.counts}>
          <strong>{counts.pending > countedTo ? t(workbenchMessages.manyPending) : t(workbenchMessages.pending, { count: counts.pending })}</strong>
          <span>{t(workbenchMessages.held, { count: counts.held })}</span>
          <span>{t(workbenchMessages.today, { passed: counts.passedToday, rejected: counts.rejectedToday })}</span>
        </p>
      )}
      <span className={styles.last}>
        {decided && (decided.items.length > 1 ? t(workbenchMessages.decidedMany, { count: decided.items.length }) : t(told, { title: one }))}
      </span>
      <Button size="small" disabled={!decided} onClick={onUndo}>
        {t(workbenchMessages.undo)} <kbd>U</kbd>
      </Button>
      <Popover trigger="click" position="br" getPopupContainer={(button) => button.parentElement ?? document.body} content={<Keys />}>
        <Button size="small">{t(workbenchMessages.keys)}</Button>
      </Popover>
    </header>
  );
}

function Keys() {
  const t = useTranslation();
  return (
    <dl className={styles.keys}>
      {keyWords.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  );
}
