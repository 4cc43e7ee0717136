import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { engines, type JobServerRow, jobServer } from '../contract.ts';
import { jobServerMenu } from '../menus.ts';
import { SyncJobs } from './SyncJobs.tsx';
import { syncWords } from './sync-words.ts';

const isPowerJob = ({ engine }: JobServerRow) => engine === engines.powerJob;
/** The first of its addresses, as a browser opens it. */
const addressOf = ({ jobServerUrl }: JobServerRow) => {
  const first = jobServerUrl?.split(',')[0]?.trim() ?? '';
  return first.includes('://') ? first : `http://${first}`;
};

/** Who runs jobs. Top task: add an application, 2 clicks beside typing (add, save). */
export default function JobServerPage() {
  const say = useWords();
  const [compared, compare] = useState<JobServerRow>();
  return (
    <>
      <CrudPage
        crud={jobServer}
        title={jobServerMenu.title}
        actions={{
          row: [
            { title: syncWords.sync, code: 'jobserver_sync', onClick: compare, when: isPowerJob },
            { title: syncWords.open, onClick: (row) => void window.open(addressOf(row), '_blank', 'noopener,noreferrer'), when: isPowerJob },
          ],
        }}
      />
      <SidePanel
        open={compared !== undefined}
        title={compared ? `${say(syncWords.sync)} · ${compared.jobServerName}` : ''}
        width={860}
        onClose={() => compare(undefined)}
      >
        {compared && <SyncJobs key={compared.id} of={compared.id} />}
      </SidePanel>
    </>
  );
}
