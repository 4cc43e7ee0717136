import { Button, Select } from '@arco-design/web-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CrudPage, Http, LoadedPart, SidePanel, Toasts, useCan, useQuery, useService, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
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
  const t = useTranslation();
  const list = useQuery(
    jobWorkflow.runs,
    { id: workflowId },
    { quiet: true, refetchIntervalMs: (all) => all.map(refetchIntervalMsOf).find((pollMs) => pollMs !== undefined) },
  );
  return (
    <div className={styles.editor}>
      <LoadedPart query={list}>
        {([latest, ...older]) =>
          latest ? <SelectedRun runs={[latest, ...older]} latestId={latest.id} onChanged={list.refetch} /> : <p role="status">{t(workflowMessages.noRuns)}</p>
        }
      </LoadedPart>
    </div>
  );
}

interface SelectedRunProps {
  readonly runs: ReplyOf<typeof jobWorkflow.runs>;
  /** Id of the run that is shown until another one is selected. */
  readonly latestId: string;
  readonly onChanged: () => void;
}

/** Shows the selected run, updated while it runs, with the buttons that stop it and retry its failed nodes. */
function SelectedRun({ runs, latestId, onChanged }: SelectedRunProps) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const mayRun = useCan('jobworkflow_run');
  const navigate = useNavigate();
  const [selectedId, setSelectedId] = useState<string>();
  const id = selectedId ?? latestId;
  const graph = useQuery(jobWorkflow.runGraph, { id }, { quiet: true, refetchIntervalMs: refetchIntervalMsOf });
  const state = graph.data?.state;
  const act = async (call: typeof jobWorkflow.stop | typeof jobWorkflow.retry, done: readonly [string, string]) => {
    if ((await http.send(call as typeof jobWorkflow.stop, { id })).success) toasts.success(t(done));
    onChanged();
    graph.refetch();
  };
  return (
    <>
      <div className={styles.bar}>
        <Select
          className={styles.adding ?? ''}
          aria-label={t(workflowMessages.runs)}
          value={id}
          onChange={setSelectedId}
          options={runs.map((run) => ({ value: run.id, label: `${run.startTime} · ${t(stateLabel(run.state))}` }))}
        />
        {mayRun && state === runStates.running && <Button onClick={() => void act(jobWorkflow.stop, jobMessages.stopped)}>{t(workflowMessages.stop)}</Button>}
        {mayRun && state !== undefined && retryable.has(state) && (
          <Button onClick={() => void act(jobWorkflow.retry, jobMessages.retried)}>{t(workflowMessages.retry)}</Button>
        )}
      </div>
      <LoadedPart query={graph}>
        {(run) => <WorkflowRunGraph run={run} onOpen={(instanceId) => navigate(`${jobInstanceMenu.path}/index?id=${instanceId}`)} />}
      </LoadedPart>
    </>
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
            { title: workflowMessages.run, code: 'jobworkflow_run', onClick: (row) => run(row) },
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
