import { Button, Input, Tooltip } from '@arco-design/web-react';
import { type SubmitEvent, useId, useState } from 'react';
import { CrudPage, type CrudScreen, Http, SidePanel, Tag, Toasts, type Translate, useMutation, useQuery, useService, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { JobInfo, type JobInfoRow, jobInfo, jobServer, scheduleTypes, titleOfJob } from '../contract.ts';
import { jobInfoMenu } from '../menus.ts';
import { durationText } from './duration.ts';
import styles from './job.module.css';
import { jobMessages } from './messages.ts';
import { nouns } from './nouns.ts';
import { WorkflowEditor } from './WorkflowEditor.tsx';
import { workflowMessages } from './workflow-messages.ts';

type JobInfoScreen = Pick<CrudScreen<JobInfoRow>, 'reload'>;

/** Lists jobs. Top task: run one now, 2 clicks (run once, run). */
export default function JobInfoPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [jobToRun, setJobToRun] = useState<JobInfoRow>();
  const [editedJob, setEditedJob] = useState<JobInfoRow>();
  const { data: applications = [] } = useQuery(jobServer.select, {}, { quiet: true });
  const only = applications.length === 1 ? applications[0] : undefined;
  const { data: processors = [] } = useQuery(jobInfo.processors, {}, { quiet: true });
  const change = (enable: 0 | 1) => async (row: JobInfoRow, screen: JobInfoScreen) => {
    if (!(await http.send(jobInfo.change, { id: row.id, enable })).success) return;
    toasts.success(t(enable ? jobMessages.resumed : jobMessages.paused));
    screen.reload();
  };
  return (
    <>
      <CrudPage
        crud={jobInfo}
        title={jobInfoMenu.title}
        noun={nouns.jobInfo}
        {...(only ? { initial: { jobServerId: only.id } } : {})}
        formWidth={1200}
        labelWidth={180}
        columns={{
          jobId: { hidden: true },
          jobServerId: { width: 130, hidden: true },
          timeExpressionType: { hidden: true },
          executeType: { hidden: true },
          createTime: { hidden: true },
          timeExpression: { render: (row) => scheduleText(row, t) },
          processorInfo: {
            render: ({ processorInfo: name }) =>
              name === null ? t(jobMessages.workflow) : <ProcessorName name={name} pausedBy={processors.find(({ value }) => value === name)?.pausedBy} />,
          },
        }}
        actions={{
          row: [
            { title: jobMessages.run, code: 'jobinfo_run', onClick: setJobToRun },
            { title: workflowMessages.editGraph, code: 'jobworkflow_edit', onClick: setEditedJob, when: ({ workflowId }) => workflowId !== null },
            { title: jobMessages.pause, code: 'jobinfo_change', onClick: change(0), when: ({ enable }) => enable === 1 },
            { title: jobMessages.resume, code: 'jobinfo_change', onClick: change(1), when: ({ enable }) => enable === 0 },
          ],
        }}
      />
      <SidePanel
        open={jobToRun !== undefined}
        title={jobToRun ? `${t(jobMessages.run)} · ${t(titleOfJob(jobToRun))}` : ''}
        width={480}
        onClose={() => setJobToRun(undefined)}
      >
        {jobToRun && <RunNowForm job={jobToRun} onDone={() => setJobToRun(undefined)} />}
      </SidePanel>
      <SidePanel
        open={editedJob !== undefined}
        title={editedJob ? `${t(workflowMessages.editGraph)} · ${t(titleOfJob(editedJob))}` : ''}
        onClose={() => setEditedJob(undefined)}
      >
        {editedJob?.workflowId && <WorkflowEditor key={editedJob.id} workflow={{ id: editedJob.workflowId, jobServerId: editedJob.jobServerId }} />}
      </SidePanel>
    </>
  );
}

const { options: scheduleOptions } = traitsOf(JobInfo.fields.timeExpressionType) ?? {};
const periodic = { [scheduleTypes.fixedRate]: jobMessages.every, [scheduleTypes.fixedDelay]: jobMessages.everyAfter } as const;

/** Describes a schedule in words; a cron expression is shown as it is. */
function scheduleText({ timeExpressionType, timeExpression }: JobInfoRow, t: Translate): string {
  const period = periodic[timeExpressionType as keyof typeof periodic];
  if (period && timeExpression) return t(period, { time: durationText(Number(timeExpression), t) });
  const type = scheduleOptions?.find(([value]) => value === timeExpressionType)?.[1];
  return timeExpression || (type ? t(type) : '');
}

/** Shows the processor of a job, with a hint when the job is paused because the processor's plugin is disabled. */
function ProcessorName({ name, pausedBy }: { readonly name: string; readonly pausedBy: LocalizedText | undefined }) {
  const t = useTranslation();
  if (!pausedBy) return name;
  const plugin = t(pausedBy);
  return (
    <>
      {name}{' '}
      <Tooltip content={t(jobMessages.pausedByHelp, { plugin })}>
        <span>
          <Tag tone="warning">{t(jobMessages.pausedBy, { plugin })}</Tag>
        </span>
      </Tooltip>
    </>
  );
}

/** Form that runs a job now, with parameters for this run only. */
function RunNowForm({ job, onDone }: { readonly job: JobInfoRow; readonly onDone: () => void }) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [params, setParams] = useState('');
  const { isPending, mutate } = useMutation(jobInfo.run, {
    onSuccess: () => {
      toasts.success(t(jobMessages.runStarted));
      onDone();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void mutate({ id: job.id, instanceParams: params.trim() || null });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={id}>{t(jobMessages.instanceParams)}</label>
      <Input.TextArea id={id} aria-describedby={`${id}-help`} rows={6} maxLength={20_000} value={params} onChange={setParams} autoFocus />
      <p id={`${id}-help`} className={styles.help}>
        {t(jobMessages.instanceParamsHelp)}
      </p>
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t(jobMessages.runNow)}
      </Button>
    </form>
  );
}
