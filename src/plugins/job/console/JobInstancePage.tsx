import { useState } from 'react';
import { CrudPage, type CrudScreen, Dialogs, Http, SidePanel, Toasts, useService, useTranslation } from '#kernel';
import { jobInstanceMenu, jobWorkflowMenu } from '../menus.ts';
import { type JobInstanceRow, jobInstance, runStates } from '../run-contract.ts';
import { words } from './messages.ts';
import { OwnWorkflowRun } from './OwnWorkflowRun.tsx';
import { RunLog } from './RunLog.tsx';

type Screen = Pick<CrudScreen<JobInstanceRow>, 'reload'>;
const open: ReadonlySet<number> = new Set([runStates.waiting, runStates.received, runStates.running]);
const again: ReadonlySet<number> = new Set([runStates.failed, runStates.cancelled, runStates.stopped]);

/** Lists runs of jobs. Top task: see the reason of a failure, 1 click (log, or nodes of a workflow). */
export default function JobInstancePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const [followed, setFollowed] = useState<JobInstanceRow>();
  const [unfolded, setUnfolded] = useState<JobInstanceRow>();
  const stop = async ({ id }: JobInstanceRow, { reload }: Screen) => {
    if (!(await dialogs.confirm({ title: t(words.stopAsk), confirm: t(words.stop), cancel: t('crud.cancel'), danger: true }))) return;
    if ((await http.send(jobInstance.stop, { ids: [id] })).success) toasts.success(t(words.stopped));
    reload();
  };
  const retry = async ({ id }: JobInstanceRow, { reload }: Screen) => {
    if ((await http.send(jobInstance.retry, { ids: [id] })).success) toasts.success(t(words.retried));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={jobInstance}
        title={jobInstanceMenu.title}
        columns={{ trigger: { hidden: true }, endTime: { hidden: true }, createTime: { hidden: true } }}
        actions={{
          row: [
            { title: words.log, onClick: setFollowed, when: ({ ownWorkflowRunId }) => ownWorkflowRunId === null },
            { title: words.nodes, code: jobWorkflowMenu.code, onClick: setUnfolded, when: ({ ownWorkflowRunId }) => ownWorkflowRunId !== null },
            { title: words.stop, code: 'jobinstance_stop', onClick: (row, screen) => void stop(row, screen), when: ({ state }) => open.has(state) },
            { title: words.retry, code: 'jobinstance_retry', onClick: (row, screen) => void retry(row, screen), when: ({ state }) => again.has(state) },
          ],
        }}
      />
      <SidePanel open={followed !== undefined} title={followed ? `${t(words.runLog)} · ${followed.id}` : ''} width={860} onClose={() => setFollowed(undefined)}>
        {followed && <RunLog key={followed.id} of={followed.id} />}
      </SidePanel>
      <SidePanel open={unfolded !== undefined} title={unfolded ? `${t(words.nodes)} · ${unfolded.id}` : ''} onClose={() => setUnfolded(undefined)}>
        {unfolded?.ownWorkflowRunId && <OwnWorkflowRun key={unfolded.id} of={unfolded.ownWorkflowRunId} onLeave={() => setUnfolded(undefined)} />}
      </SidePanel>
    </>
  );
}
