import { Button, Popover } from '@arco-design/web-react';
import { useStore, useWords } from '#kernel';
import styles from './Workbench.module.css';
import { keyWords, workbenchWords } from './words.ts';
import type { WorkbenchStore } from './workbench-store.ts';

const countedTo = 10_000;

/** Shows the counts of the queue and a button to undo the last decision. */
export function QueueHead({ store, onUndo }: { readonly store: WorkbenchStore; readonly onUndo: () => void }) {
  const say = useWords();
  const counts = useStore(store, (state) => state.counts);
  const decided = useStore(store, (state) => state.decided);
  const one = decided?.items[0]?.taskTitle ?? '';
  const told = decided?.status === 1 ? workbenchWords.approved : workbenchWords.rejected;
  return (
    <header className={styles.head}>
      <h2 className="visually-hidden">{say(workbenchWords.heading)}</h2>
      {counts && (
        <p role="status" className={styles.counts}>
          <strong>{counts.pending > countedTo ? say(workbenchWords.manyPending) : say(workbenchWords.pending, { count: counts.pending })}</strong>
          <span>{say(workbenchWords.held, { count: counts.held })}</span>
          <span>{say(workbenchWords.today, { passed: counts.passedToday, rejected: counts.rejectedToday })}</span>
        </p>
      )}
      <span className={styles.last}>
        {decided && (decided.items.length > 1 ? say(workbenchWords.decidedMany, { count: decided.items.length }) : say(told, { title: one }))}
      </span>
      <Button size="small" disabled={!decided} onClick={onUndo}>
        {say(workbenchWords.undo)} <kbd>U</kbd>
      </Button>
      <Popover trigger="click" position="br" getPopupContainer={(button) => button.parentElement ?? document.body} content={<Keys />}>
        <Button size="small">{say(workbenchWords.keys)}</Button>
      </Popover>
    </header>
  );
}

function Keys() {
  const say = useWords();
  return (
    <dl className={styles.keys}>
      {keyWords.map(([keys, does]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{say(does)}</dd>
        </div>
      ))}
    </dl>
  );
}
