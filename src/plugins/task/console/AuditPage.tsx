import { Button } from '@arco-design/web-react';
import { useEffect } from 'react';
import { Http, Live, usePageStore, usePluginOptions, useService, useStore, useWords } from '#kernel';
import { LiveOpened } from '#shared/live';
import { QueueChanged } from '../contract.ts';
import type TaskOptions from '../options.ts';
import styles from './Workbench.module.css';
import { Workbench } from './Workbench.tsx';
import { workbenchWords } from './words.ts';
import { WorkbenchStore } from './workbench-store.ts';

/** Workbench for auditors, designed to clear the queue by keyboard. */
export default function AuditPage() {
  const http = useService(Http);
  const live = useService(Live);
  const say = useWords();
  const { picturesAhead } = usePluginOptions<typeof TaskOptions>();
  const store = usePageStore(() => new WorkbenchStore(http, picturesAhead));
  // The effect stops while the page is hidden; showing the page again refreshes the queue.
  useEffect(() => {
    const again = () => void store.refresh();
    again();
    const changes = live.stream(QueueChanged).subscribe(again);
    changes.add(live.stream(LiveOpened).subscribe(({ resumed }) => resumed || again()));
    return () => changes.unsubscribe();
  }, [live, store]);
  const status = useStore(store, (state) => state.status);
  if (status !== 'failed') return <Workbench store={store} />;
  return (
    <div className={styles.vacancy} role="alert">
      <p>{say(workbenchWords.failed)}</p>
      <Button onClick={() => void store.refresh()}>{say(workbenchWords.retry)}</Button>
    </div>
  );
}
