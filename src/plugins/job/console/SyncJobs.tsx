import { Button, Spin } from '@arco-design/web-react';
import { useMemo, useState } from 'react';
import { Http, loadable, useService, useStream, useWords } from '#kernel';
import { jobServer } from '../contract.ts';
import { Differences, type UnresolvedDifference } from './Differences.tsx';
import styles from './job.module.css';
import { syncWords } from './sync-words.ts';

/** Compares the jobs of an application with those of its PowerJob server and resolves each difference as selected. */
export function SyncJobs({ of }: { readonly of: string }) {
  const http = useService(Http);
  const say = useWords();
  const [round, setRound] = useState(0);
  const [failed, setFailed] = useState<readonly UnresolvedDifference[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` reloads the differences
  const asked = useMemo(() => loadable(http.send(jobServer.differences, { id: of })), [http, of, round]);
  const { status, value } = useStream(asked, { status: 'loading' });
  const found = value ?? [];
  if (status === 'loading')
    return (
      <div className={styles.sync} role="status">
        <Spin /> {say(syncWords.comparing)}
      </div>
    );
  return (
    <div className={styles.sync}>
      <p className={styles.help}>{say(syncWords.jobsAlone)}</p>
      {failed.length > 0 && (
        <ul className={styles.failures} role="alert" aria-label={say(syncWords.failed, { count: failed.length })}>
          {failed.map(({ name, reason }) => (
            <li key={name}>
              {name}: {reason}
            </li>
          ))}
        </ul>
      )}
      {status === 'failed' ? (
        <p>{say(syncWords.unheard)}</p>
      ) : found.length === 0 ? (
        <p role="status">{say(syncWords.same)}</p>
      ) : (
        <Differences
          key={round}
          of={of}
          found={found}
          onSettled={(left) => {
            setFailed(left);
            setRound(round + 1);
          }}
        />
      )}
      {(status === 'failed' || found.length === 0) && <Button onClick={() => setRound(round + 1)}>{say(syncWords.again)}</Button>}
    </div>
  );
}
