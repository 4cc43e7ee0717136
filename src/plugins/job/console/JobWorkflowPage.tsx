import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useTranslation } from '#kernel';
import { jobWorkflowMenu } from '../menus.ts';
import { type JobWorkflowRow, jobWorkflow } from '../workflow-contract.ts';
import { nouns } from './nouns.ts';
import { WorkflowEditor } from './WorkflowEditor.tsx';
import { WorkflowRuns } from './WorkflowRuns.tsx';
import { workflowMessages } from './workflow-messages.ts';

interface OpenedWorkflow {
  readonly row: JobWorkflowRow;
  readonly as: 'draw' | 'runs';
}

/** Lists workflows. Top task: see which node failed, 1 click (runs). */
export default function JobWorkflowPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [opened, setOpened] = useState<OpenedWorkflow>();
  const run = async (row: JobWorkflowRow) => {
    if (!(await http.send(jobWorkflow.run, { id: row.id })).success) return;
    toasts.success(t(workflowMessages.begun));
    setOpened({ row, as: 'runs' });
  };
  return (
    <>
      <CrudPage
        crud={jobWorkflow}
        title={jobWorkflowMenu.title}
        noun={nouns.jobWorkflow}
        actions={{
          row: [
            { title: workflowMessages.draw, code: 'jobworkflow_edit', onClick: (row) => setOpened({ row, as: 'draw' }) },
            { title: workflowMessages.run, code: 'jobworkflow_run', onClick: (row) => void run(row) },
            { title: workflowMessages.runs, onClick: (row) => setOpened({ row, as: 'runs' }) },
          ],
        }}
      />
      <SidePanel
        open={opened !== undefined}
        title={opened ? `${t(workflowMessages[opened.as])} · ${opened.row.workflowName}` : ''}
        onClose={() => setOpened(undefined)}
      >
        {opened?.as === 'draw' && <WorkflowEditor key={opened.row.id} of={opened.row} />}
        {opened?.as === 'runs' && <WorkflowRuns key={opened.row.id} of={opened.row.id} />}
      </SidePanel>
    </>
  );
}
