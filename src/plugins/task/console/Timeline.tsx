import { useMemo } from 'react';
import { Http, loadable, SidePanel, useService, useStream, useWords } from '#kernel';
import { type TaskRow, task } from '../contract.ts';
import styles from './Workbench.module.css';
import { consoleWords, stepWords } from './words.ts';

/** Shows the history of a task, the latest entry first. */
export function Timeline({ of: { id, title }, onClose }: { readonly of: TaskRow; readonly onClose: () => void }) {
  const say = useWords();
  return (
    <SidePanel open title={say(consoleWords.timelineOf, { title })} width={420} onClose={onClose}>
      <Steps id={id} />
    </SidePanel>
  );
}

function Steps({ id }: { readonly id: string }) {
  const http = useService(Http);
  const say = useWords();
  const steps$ = useMemo(() => loadable(http.send(task.timeline, { id })), [http, id]);
  const { status, value } = useStream(steps$, { status: 'loading' });
  return (
    <ol className={styles.timeline} aria-busy={status === 'loading'}>
      {value?.map(({ id: step, kind, time, userName }) => (
        <li key={step}>
          <strong>{say(stepWords[kind])}</strong>
          <span>{userName || say(consoleWords.bySystem)}</span>
          <time>{time}</time>
        </li>
      ))}
    </ol>
  );
}
