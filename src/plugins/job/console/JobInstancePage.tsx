import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, type CrudScreen, Dialogs, Http, LoadedPart, SidePanel, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { jobInstanceMenu, jobWorkflowMenu } from '../menus.ts';
import { type JobInstanceRow, jobInstance, openRunStates, runStates } from '../run-contract.ts';
import { jobWorkflow } from '../workflow-contract.ts';
import { durationText } from './duration.ts';
import { jobMessages } from './messages.ts';
import { RunDetails } from './RunDetails.tsx';
import { refetchIntervalMsOf, WorkflowRunGraph } from './WorkflowRunGraph.tsx';
import styles from './workflow.module.css';

/** Shows the nodes of the workflow run that a job's run has started, updated while it runs; a node links to its run. */
function StartedWorkflowRun({ runId, onClose }: { readonly runId: string; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const query = useQuery(jobWorkflow.runGraph, { id: runId }, { quiet: true, refetchIntervalMs: refetchIntervalMsOf });
  const open = (instanceId: string) => {
    onClose();
    navigate(`${jobInstanceMenu.path}/index?id=${instanceId}`);
  };
  return (
    <div className={styles.editor}>
      <LoadedPart query={query}>{(run) => <WorkflowRunGraph run={run} onOpen={open} />}</LoadedPart>
    </div>
  );
}

type JobInstanceScreen = Pick<CrudScreen<JobInstanceRow>, 'reload'>;
const retryable: ReadonlySet<number> = new Set([runStates.failed, runStates.cancelled, runStates.stopped]);

/** Lists runs of jobs. Top task: see the reason of a failure, 1 click (log, or nodes of a workflow). */
export default function JobInstancePage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const dialogs = useService(Dialogs);
  const t = useTranslation();
  const [loggedRun, setLoggedRun] = useState<JobInstanceRow>();
  const [workflowRun, setWorkflowRun] = useState<JobInstanceRow>();
  const stop = async ({ id }: JobInstanceRow, { reload }: JobInstanceScreen) => {
    if (!(await dialogs.confirm({ title: t(jobMessages.stopQuestion), confirm: t(jobMessages.stop), cancel: t('crud.cancel'), danger: true }))) return;
    if ((await http.send(jobInstance.stop, { ids: [id] })).success) toasts.success(t(jobMessages.stopped));
    reload();
  };
  const retry = async ({ id }: JobInstanceRow, { reload }: JobInstanceScreen) => {
    if ((await http.send(jobInstance.retry, { ids: [id] })).success) toasts.success(t(jobMessages.retried));
    reload();
  };
  return (
    <>
      <CrudPage
        crud={jobInstance}
        title={jobInstanceMenu.title}
        empty={{ title: jobMessages.emptyTitle, hint: jobMessages.emptyHint }}
        columns={{
          trigger: { hidden: true },
          endTime: { hidden: true },
          stoppedBy: { hidden: true },
          createTime: { hidden: true },
          runningTimes: { hidden: true },
          worker: { hidden: true },
          // The job names a run, not its result.
          result: { render: ({ result }) => result },
          duration: { title: jobMessages.durationTitle, width: 110, render: ({ duration }) => (duration === null ? '—' : durationText(duration, t)) },
        }}
        actions={{
          row: [
            { title: jobMessages.log, onClick: setLoggedRun, when: ({ ownWorkflowRunId }) => ownWorkflowRunId === null },
            { title: jobMessages.nodes, code: jobWorkflowMenu.code, onClick: setWorkflowRun, when: ({ ownWorkflowRunId }) => ownWorkflowRunId !== null },
            {
              title: jobMessages.stop,
              code: 'jobinstance_stop',
              onClick: (row, screen) => stop(row, screen),
              when: ({ state }) => openRunStates.has(state),
            },
            {
              title: jobMessages.retry,
              code: 'jobinstance_retry',
              onClick: (row, screen) => retry(row, screen),
              when: ({ state }) => retryable.has(state),
            },
          ],
        }}
      />
      <SidePanel
        open={loggedRun !== undefined}
        title={loggedRun ? `${t(jobMessages.runLog)} · ${loggedRun.id}` : ''}
        width={860}
        onClose={() => setLoggedRun(undefined)}
      >
        {loggedRun && <RunDetails key={loggedRun.id} runId={loggedRun.id} />}
      </SidePanel>
      <SidePanel
        open={workflowRun !== undefined}
        title={workflowRun ? `${t(jobMessages.nodes)} · ${workflowRun.id}` : ''}
        onClose={() => setWorkflowRun(undefined)}
      >
        {workflowRun?.ownWorkflowRunId && (
          <StartedWorkflowRun key={workflowRun.id} runId={workflowRun.ownWorkflowRunId} onClose={() => setWorkflowRun(undefined)} />
        )}
      </SidePanel>
    </>
  );
}
