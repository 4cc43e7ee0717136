import { useState } from 'react';
import { CrudPage, Http, SidePanel, Toasts, useService, useWords } from '#kernel';
import { jobWorkflowMenu } from '../menus.ts';
import { type JobWorkflowRow, jobWorkflow } from '../workflow-contract.ts';
import { WorkflowEditor } from './WorkflowEditor.tsx';
import { WorkflowRuns } from './WorkflowRuns.tsx';
import { workflowWords } from './workflow-words.ts';

interface Opened {
  readonly row: JobWorkflowRow;
  readonly as: 'draw' | 'runs';
}

/** Workflows. Top task: see which node has failed, 1 click (runs). */
export default function JobWorkflowPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [opened, open] = useState<Opened>();
  const run = async (row: JobWorkflowRow) => {
    if (!(await http.send(jobWorkflow.run, { id: row.id })).success) return;
    toasts.success(say(workflowWords.begun));
    open({ row, as: 'runs' });
  };
  return (
    <>
      <CrudPage
        crud={jobWorkflow}
        title={jobWorkflowMenu.title}
        actions={{
          row: [
            { title: workflowWords.draw, code: 'jobworkflow_edit', onClick: (row) => open({ row, as: 'draw' }) },
            { title: workflowWords.run, code: 'jobworkflow_run', onClick: (row) => void run(row) },
            { title: workflowWords.runs, onClick: (row) => open({ row, as: 'runs' }) },
          ],
        }}
      />
      <SidePanel
        open={opened !== undefined}
        title={opened ? `${say(workflowWords[opened.as])} · ${opened.row.workflowName}` : ''}
        onClose={() => open(undefined)}
      >
        {opened?.as === 'draw' && <WorkflowEditor key={opened.row.id} of={opened.row} />}
        {opened?.as === 'runs' && <WorkflowRuns key={opened.row.id} of={opened.row.id} />}
      </SidePanel>
    </>
  );
}
