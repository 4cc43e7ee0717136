import { Button, Select, Spin } from '@arco-design/web-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, Http, SidePanel, Toasts, useCan, useQuery, useService, useTranslation } from '#kernel';
import { jobInstanceMenu, jobWorkflowMenu } from '../menus.ts';
import { runStates } from '../run-contract.ts';
import { type JobWorkflowRow, jobWorkflow } from '../workflow-contract.ts';
import { jobMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import { WorkflowEditor } from './WorkflowEditor.tsx';
import { refetchIntervalMsOf, stateLabel, WorkflowRunGraph } from './WorkflowRunGraph.tsx';
import styles from './workflow.module.css';
import { workflowMessages } from './workflow-messages.ts';

const retryable: ReadonlySet<number> = new Set([runStates.failed, runStates.stopped]);

/** Lists the latest runs of a workflow with the progress of their nodes. A node links to its run. */
export function WorkflowRuns({ workflowId }: { readonly workflowId: string }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const mayRun = useCan('jobworkflow_run');
  const navigate = useNavigate();
  const [selectedId, setSelectedId] = useState<string>();
  const { data: runs, ...list } = useQuery(
    jobWorkflow.runs,
    { id: workflowId },
    { quiet: true, refetchIntervalMs: (all) => all.map(refetchIntervalMsOf).find((pollMs) => pollMs !== undefined) },
  );
  const id = selectedId ?? runs?.[0]?.id;
  const { data: run, ...graph } = useQuery(
    jobWorkflow.runGraph,
    { id: id ?? '' },
    { enabled: id !== undefined, quiet: true, keepPreviousData: true, refetchIntervalMs: refetchIntervalMsOf },
  );
  const act = async (call: typeof jobWorkflow.stop | typeof jobWorkflow.retry, done: readonly [string, string]) => {
    if (run && (await http.send(call as typeof jobWorkflow.stop, { id: run.id })).success) toasts.success(t(done));
    list.refetch();
    graph.refetch();
  };
  if (list.error || graph.error)
    return (
      <p className={styles.editor} role="alert">
        {t(workflowMessages.failed)}
      </p>
    );
  if (!runs) return <Spin className={styles.editor ?? ''} />;
  if (runs.length === 0)
    return (
      <p className={styles.editor} role="status">
        {t(workflowMessages.noRuns)}
      </p>
    );
  return (
    <div className={styles.editor}>
      <div className={styles.bar}>
        <Select
          className={styles.adding ?? ''}
          aria-label={t(workflowMessages.runs)}
          value={run?.id ?? runs[0]?.id ?? ''}
          onChange={setSelectedId}
          options={runs.map(({ id, startTime, state }) => ({ value: id, label: `${startTime} · ${t(stateLabel(state))}` }))}
        />
        {mayRun && run?.state === runStates.running && (
          <Button onClick={() => void act(jobWorkflow.stop, jobMessages.stopped)}>{t(workflowMessages.stop)}</Button>
        )}
        {mayRun && run && retryable.has(run.state) && (
          <Button onClick={() => void act(jobWorkflow.retry, jobMessages.retried)}>{t(workflowMessages.retry)}</Button>
        )}
      </div>
      {run && <WorkflowRunGraph run={run} onOpen={(instanceId) => navigate(`${jobInstanceMenu.path}/index?id=${instanceId}`)} />}
    </div>
  );
}

interface OpenPanel {
  readonly row: JobWorkflowRow;
  readonly panel: 'editGraph' | 'runs';
}

/** Lists workflows. Top task: see which node failed, 1 click (runs). */
export default function JobWorkflowPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [opened, setOpened] = useState<OpenPanel>();
  const run = async (row: JobWorkflowRow) => {
    if (!(await http.send(jobWorkflow.run, { id: row.id })).success) return;
    toasts.success(t(workflowMessages.started));
    setOpened({ row, panel: 'runs' });
  };
  return (
    <>
      <CrudPage
        crud={jobWorkflow}
        title={jobWorkflowMenu.title}
        noun={nouns.jobWorkflow}
        actions={{
          row: [
            { title: workflowMessages.editGraph, code: 'jobworkflow_edit', onClick: (row) => setOpened({ row, panel: 'editGraph' }) },
            { title: workflowMessages.run, code: 'jobworkflow_run', onClick: (row) => void run(row) },
            { title: workflowMessages.runs, onClick: (row) => setOpened({ row, panel: 'runs' }) },
          ],
        }}
      />
      <SidePanel
        open={opened !== undefined}
        title={opened ? `${t(workflowMessages[opened.panel])} · ${opened.row.workflowName}` : ''}
        onClose={() => setOpened(undefined)}
      >
        {opened?.panel === 'editGraph' && <WorkflowEditor key={opened.row.id} workflow={opened.row} />}
        {opened?.panel === 'runs' && <WorkflowRuns key={opened.row.id} workflowId={opened.row.id} />}
      </SidePanel>
    </>
  );
}
