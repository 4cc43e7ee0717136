import { Button, Spin } from '@arco-design/web-react';
import { useMemo, useState } from 'react';
import { Http, loadable, useService, useStream, useWords } from '#kernel';
import { jobServer } from '../contract.ts';
import { Differences, type Failed } from './Differences.tsx';
import styles from './job.module.css';
import { syncWords } from './sync-words.ts';

/** Jobs that are not the same here and on a PowerJob server; each is settled the way that is chosen for it. */
export function SyncJobs({ of }: { readonly of: string }) {
  const http = useService(Http);
  const say = useWords();
  const [round, again] = useState(0);
  const [failed, fail] = useState<readonly Failed[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks anew
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
            fail(left);
            again(round + 1);
          }}
        />
      )}
      {(status === 'failed' || found.length === 0) && <Button onClick={() => again(round + 1)}>{say(syncWords.again)}</Button>}
    </div>
  );
}
