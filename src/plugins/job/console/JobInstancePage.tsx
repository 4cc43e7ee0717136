import { Spin } from '@arco-design/web-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, type CrudScreen, Dialogs, Http, SidePanel, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { jobInstanceMenu, jobWorkflowMenu } from '../menus.ts';
import { type JobInstanceRow, jobInstance, runStates } from '../run-contract.ts';
import { jobWorkflow } from '../workflow-contract.ts';
import { jobMessages } from './messages.ts';
import { NodesOfRun, whileRunning } from './NodesOfRun.tsx';
import { RunLog } from './RunLog.tsx';
import styles from './workflow.module.css';
import { workflowMessages } from './workflow-messages.ts';

/** Shows the nodes of the workflow run that a job's run has started, updated while it runs; a node links to its run. */
function OwnWorkflowRun({ of, onLeave }: { readonly of: string; readonly onLeave: () => void }) {
  const t = useTranslation();
  const navigate = useNavigate();
  const { data: run, isPending } = useQuery(jobWorkflow.runGraph, { id: of }, { quiet: true, refetchIntervalMs: whileRunning });
  const open = (instanceId: string) => {
    onLeave();
    navigate(`${jobInstanceMenu.path}/index?id=${instanceId}`);
  };
  return (
    <div className={styles.editor}>
      {run ? <NodesOfRun run={run} onOpen={open} /> : isPending ? <Spin /> : <p role="alert">{t(workflowMessages.failed)}</p>}
    </div>
  );
}

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
    if (!(await dialogs.confirm({ title: t(jobMessages.stopAsk), confirm: t(jobMessages.stop), cancel: t('crud.cancel'), danger: true }))) return;
    if ((await http.send(jobInstance.stop, { ids: [id] })).success) toasts.success(t(jobMessages.stopped));
    reload();
  };
  const retry = async ({ id }: JobInstanceRow, { reload }: Screen) => {
    if ((await http.send(jobInstance.retry, { ids: [id] })).success) toasts.success(t(jobMessages.retried));
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
            { title: jobMessages.log, onClick: setFollowed, when: ({ ownWorkflowRunId }) => ownWorkflowRunId === null },
            { title: jobMessages.nodes, code: jobWorkflowMenu.code, onClick: setUnfolded, when: ({ ownWorkflowRunId }) => ownWorkflowRunId !== null },
            { title: jobMessages.stop, code: 'jobinstance_stop', onClick: (row, screen) => void stop(row, screen), when: ({ state }) => open.has(state) },
            { title: jobMessages.retry, code: 'jobinstance_retry', onClick: (row, screen) => void retry(row, screen), when: ({ state }) => again.has(state) },
          ],
        }}
      />
      <SidePanel
        open={followed !== undefined}
        title={followed ? `${t(jobMessages.runLog)} · ${followed.id}` : ''}
        width={860}
        onClose={() => setFollowed(undefined)}
      >
        {followed && <RunLog key={followed.id} of={followed.id} />}
      </SidePanel>
      <SidePanel open={unfolded !== undefined} title={unfolded ? `${t(jobMessages.nodes)} · ${unfolded.id}` : ''} onClose={() => setUnfolded(undefined)}>
        {unfolded?.ownWorkflowRunId && <OwnWorkflowRun key={unfolded.id} of={unfolded.ownWorkflowRunId} onLeave={() => setUnfolded(undefined)} />}
      </SidePanel>
    </>
  );
}
