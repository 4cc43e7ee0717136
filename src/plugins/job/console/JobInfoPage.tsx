import { useState } from 'react';
import { CrudPage, type CrudScreen, Http, SidePanel, Toasts, useQuery, useService, useTranslation } from '#kernel';
import { type JobInfoRow, jobInfo } from '../contract.ts';
import { jobInfoMenu } from '../menus.ts';
import { words } from './messages.ts';
import { nouns } from './nouns.ts';
import { ProcessorName } from './ProcessorName.tsx';
import { RunNowDialog } from './RunNowDialog.tsx';
import { WorkflowEditor } from './WorkflowEditor.tsx';
import { workflowMessages } from './workflow-messages.ts';

type Screen = Pick<CrudScreen<JobInfoRow>, 'reload'>;

/** Lists jobs. Top task: run one now, 2 clicks (run once, run). */
export default function JobInfoPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [begun, setBegun] = useState<JobInfoRow>();
  const [drawn, setDrawn] = useState<JobInfoRow>();
  const { reply: processors = [] } = useQuery(jobInfo.processors, {});
  const change = (enable: 0 | 1) => async (row: JobInfoRow, screen: Screen) => {
    if (!(await http.send(jobInfo.change, { id: row.id, enable })).success) return;
    toasts.success(t(enable ? words.resumed : words.paused));
    screen.reload();
  };
  return (
    <>
      <CrudPage
        crud={jobInfo}
        title={jobInfoMenu.title}
        noun={nouns.jobInfo}
        formWidth={1200}
        labelWidth={180}
        columns={{
          jobId: { hidden: true },
          jobServerId: { width: 130 },
          createTime: { hidden: true },
          processorInfo: {
            render: ({ processorInfo: name }) =>
              name === null ? t(words.workflow) : <ProcessorName name={name} pausedBy={processors.find(({ value }) => value === name)?.pausedBy} />,
          },
        }}
        actions={{
          row: [
            { title: words.run, code: 'jobinfo_run', onClick: setBegun },
            { title: workflowMessages.draw, code: 'jobworkflow_edit', onClick: setDrawn, when: ({ workflowId }) => workflowId !== null },
            { title: words.pause, code: 'jobinfo_change', onClick: change(0), when: ({ enable }) => enable === 1 },
            { title: words.resume, code: 'jobinfo_change', onClick: change(1), when: ({ enable }) => enable === 0 },
          ],
        }}
      />
      <SidePanel open={begun !== undefined} title={begun ? `${t(words.run)} · ${begun.jobName}` : ''} width={480} onClose={() => setBegun(undefined)}>
        {begun && <RunNowDialog job={begun} onDone={() => setBegun(undefined)} />}
      </SidePanel>
      <SidePanel open={drawn !== undefined} title={drawn ? `${t(workflowMessages.draw)} · ${drawn.jobName}` : ''} onClose={() => setDrawn(undefined)}>
        {drawn?.workflowId && <WorkflowEditor key={drawn.id} of={{ id: drawn.workflowId, jobServerId: drawn.jobServerId }} />}
      </SidePanel>
    </>
  );
}
