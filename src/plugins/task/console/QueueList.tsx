import { Checkbox } from '@arco-design/web-react';
import { useStore, useTranslation } from '#kernel';
import { workbenchMessages } from './messages.ts';
import styles from './Workbench.module.css';
import type { WorkbenchStore } from './workbench-store.ts';

/** Lists the proofs the auditor has leased; one is shown, and several can be selected and decided together. */
export function QueueList({ store }: { readonly store: WorkbenchStore }) {
  const t = useTranslation();
  const items = useStore(store, (state) => state.items);
  const at = useStore(store, (state) => state.at);
  const chosen = useStore(store, (state) => state.chosen);
  const isAll = items.length > 0 && chosen.length === items.length;
  return (
    <nav className={styles.queue} aria-label={t(workbenchMessages.queue)}>
      <Checkbox checked={isAll} indeterminate={chosen.length > 0 && !isAll} onChange={(all) => store.choose(all ? items.map(({ id }) => id) : [])}>
        {t(workbenchMessages.chooseAll)}
      </Checkbox>
      <ul>
        {items.map(({ id, taskTitle, nickName, submitTime, twins }) => (
          <li key={id} data-current={id === at}>
            <Checkbox
              checked={chosen.includes(id)}
              aria-label={t(workbenchMessages.choose, { title: `${taskTitle} ${nickName}` })}
              onChange={() => store.toggle(id)}
            />
            <button type="button" className={styles.queueItem} aria-current={id === at} onClick={() => store.show(id)}>
              <span className={styles.queueTitle}>{taskTitle}</span>
              <span className={styles.queueNote}>
                {nickName} · {submitTime?.slice(5, 16)}
              </span>
              {twins.length > 0 && <span className={styles.mark}>{t(workbenchMessages.twins)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
