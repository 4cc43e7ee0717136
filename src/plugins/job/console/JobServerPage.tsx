import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { isOpenable } from '#shared/text';
import { engines, type JobServerRow, jobServer } from '../contract.ts';
import { jobServerMenu } from '../menus.ts';
import { nouns } from './nouns.ts';
import { SyncJobs } from './SyncJobs.tsx';
import { syncMessages } from './sync-messages.ts';

const isPowerJob = ({ engine }: JobServerRow) => engine === engines.powerJob;
/** Returns the first address of a server in a form the browser can open. */
const addressOf = ({ jobServerUrl }: JobServerRow) => {
  const first = jobServerUrl?.split(',')[0]?.trim() ?? '';
  return first.includes('://') ? first : `http://${first}`;
};

const openConsole = (row: JobServerRow) => {
  const address = addressOf(row);
  if (isOpenable(address)) window.open(address, '_blank', 'noopener,noreferrer');
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
            { title: syncMessages.open, onClick: (row) => openConsole(row), when: isPowerJob },
          ],
        }}
      />
      <SidePanel
        open={compared !== undefined}
        title={compared ? `${t(syncMessages.sync)} · ${compared.jobServerName}` : ''}
        width={860}
        onClose={() => setCompared(undefined)}
      >
        {compared && <SyncJobs key={compared.id} of={compared.id} />}
      </SidePanel>
    </>
  );
}
