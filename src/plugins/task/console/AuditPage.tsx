import { Button } from '@arco-design/web-react';
import { useEffect } from 'react';
import { Http, Live, Session, usePageStore, usePluginOptions, useService, useStore, useTranslation } from '#kernel';
import { LiveOpened } from '#shared/live';
import { QueueChanged } from '../contract.ts';
import type TaskOptions from '../options.ts';
import { workbenchMessages } from './messages.ts';
import styles from './Workbench.module.css';
import { Workbench } from './Workbench.tsx';
import { WorkbenchStore } from './workbench-store.ts';

/** Workbench for auditors, designed to clear the queue by keyboard. */
export default function AuditPage() {
  const http = useService(Http);
  const live = useService(Live);
  const t = useTranslation();
  const { picturesAhead } = usePluginOptions<typeof TaskOptions>();
  const isPreview = useService(Session).user?.is_preview === true;
  const store = usePageStore(() => new WorkbenchStore(http, picturesAhead, isPreview));
  // The effect stops while the page is hidden; showing the page again refreshes the queue.
  useEffect(() => {
    const refresh = () => void store.refresh();
    refresh();
    const changes = live.stream(QueueChanged).subscribe(refresh);
    changes.add(live.stream(LiveOpened).subscribe(({ resumed }) => resumed || refresh()));
    return () => changes.unsubscribe();
  }, [live, store]);
  const status = useStore(store, (state) => state.status);
  if (status !== 'failed') return <Workbench store={store} />;
  return (
    <div className={styles.emptyState} role="alert">
      <p>{t(workbenchMessages.failed)}</p>
      <Button onClick={() => void store.refresh()}>{t(workbenchMessages.retry)}</Button>
    </div>
  );
}
