import { Button, Spin } from '@arco-design/web-react';
import { useState } from 'react';
import { CrudPage, openAddress, SidePanel, useQuery, useTranslation } from '#kernel';
import { engineTypes, type JobServerRow, jobServer } from '../contract.ts';
import { jobServerMenu } from '../menus.ts';
import { Differences, type UnresolvedDifference } from './Differences.tsx';
import styles from './job.module.css';
import { nouns } from './nouns.ts';
import { syncMessages } from './sync-messages.ts';

const isPowerJob = ({ engine }: JobServerRow) => engine === engineTypes.powerJob;
/** Returns the first address of a server in a form the browser can open. */
const addressOf = ({ jobServerUrl }: JobServerRow) => {
  const first = jobServerUrl?.split(',')[0]?.trim() ?? '';
  return first.includes('://') ? first : `http://${first}`;
};

/** Lists applications that run jobs. Top task: add one, 2 clicks besides typing (add, save). */
export default function JobServerPage() {
  const t = useTranslation();
  const [compared, setCompared] = useState<JobServerRow>();
  return (
    <>
      <CrudPage
        crud={jobServer}
        title={jobServerMenu.title}
        noun={nouns.jobServer}
        actions={{
          row: [
            { title: syncMessages.sync, code: 'jobserver_sync', onClick: setCompared, when: isPowerJob },
            { title: syncMessages.open, onClick: (row) => openAddress(addressOf(row)), when: isPowerJob },
          ],
        }}
      />
      <SidePanel
        open={compared !== undefined}
        title={compared ? `${t(syncMessages.sync)} · ${compared.jobServerName}` : ''}
        width={860}
        onClose={() => setCompared(undefined)}
      >
        {compared && <SyncJobs key={compared.id} serverId={compared.id} />}
      </SidePanel>
    </>
  );
}

/** Compares the jobs of an application with those of its PowerJob server and resolves each difference as selected. */
export function SyncJobs({ serverId }: { readonly serverId: string }) {
  const t = useTranslation();
  const [failed, setFailed] = useState<readonly UnresolvedDifference[]>([]);
  const { data: found = [], error, isFetching, refetch } = useQuery(jobServer.differences, { id: serverId }, { refetchOnMount: false });
  if (isFetching)
    return (
      <div className={styles.sync} role="status">
        <Spin /> {t(syncMessages.comparing)}
      </div>
    );
  return (
    <div className={styles.sync}>
      <p className={styles.help}>{t(syncMessages.onlyJobs)}</p>
      {failed.length > 0 && (
        <ul className={styles.failures} role="alert" aria-label={t(syncMessages.failed, { count: failed.length })}>
          {failed.map(({ name, reason }) => (
            <li key={name}>
              {name}: {reason}
            </li>
          ))}
        </ul>
      )}
      {error ? (
        <p>{t(syncMessages.compareFailed)}</p>
      ) : found.length === 0 ? (
        <p role="status">{t(syncMessages.same)}</p>
      ) : (
        <Differences
          serverId={serverId}
          found={found}
          onResolved={(unresolved) => {
            setFailed(unresolved);
            refetch();
          }}
        />
      )}
      {(error || found.length === 0) && <Button onClick={refetch}>{t(syncMessages.again)}</Button>}
    </div>
  );
}
