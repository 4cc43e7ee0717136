import { useMemo } from 'react';
import { Http, loadable, SidePanel, useService, useStream, useTranslation } from '#kernel';
import { type TaskRow, task } from '../contract.ts';
import { consoleMessages, stepMessages } from './messages.ts';
import styles from './Workbench.module.css';

/** Shows the history of a task, the latest entry first. */
export function Timeline({ of: { id, title }, onClose }: { readonly of: TaskRow; readonly onClose: () => void }) {
  const t = useTranslation();
  return (
    <SidePanel open title={t(consoleMessages.timelineOf, { title })} width={420} onClose={onClose}>
      <Steps id={id} />
    </SidePanel>
  );
}

function Steps({ id }: { readonly id: string }) {
  const http = useService(Http);
  const t = useTranslation();
  const steps$ = useMemo(() => loadable(http.send(task.timeline, { id })), [http, id]);
  const { status, value } = useStream(steps$, { status: 'loading' });
  return (
    <ol className={styles.timeline} aria-busy={status === 'loading'}>
      {value?.map(({ id: step, kind, time, userName }) => (
        <li key={step}>
          <strong>{t(stepMessages[kind])}</strong>
          <span>{userName || t(consoleMessages.bySystem)}</span>
          <time>{time}</time>
        </li>
      ))}
    </ol>
  );
}
