import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, get, NoContent, PageOf, post, withoutCalls } from '#shared/contract';
import { Id, LongText, Nullable } from '#shared/fields';
import { flagParameter, type Parameter } from '#shared/parameters';
import { alertPaths } from './field-contract.ts';
import { JobInfo, optionPaths } from './job-contract.ts';
import { jobInfoMenu } from './menus.ts';
import { activityFields } from './overview-contract.ts';

export {
  dispatchStrategies,
  executionTypes,
  httpProcessor,
  JobInfo,
  type JobInfoRow,
  misfirePolicies,
  processorTypes,
  scheduleTypes,
  titleOfJob,
} from './job-contract.ts';
export { type JobActivity, type JobOverview, jobOverview } from './overview-contract.ts';
export { jobProblems, powerJobProblems } from './problem-contract.ts';
export { JobInstance, jobInstance } from './run-contract.ts';
export { authMethods, engineTypes, type JobDifference, JobServer, type JobServerRow, jobServer, type SyncDirection } from './server-contract.ts';
export { type JobTimeline, jobTimeline } from './timeline-contract.ts';
export { JobWorkflow, jobWorkflow } from './workflow-contract.ts';

const path = '/api/blade-job';
const text = (maxLength: number) => Type.String({ maxLength });

const bothLanguages = Type.Unsafe<readonly [string, string]>({ type: 'array', items: { type: 'string' } });
const SuggestedValueSchema = Type.Object({
  value: text(255),
  title: bothLanguages,
  help: bothLanguages,
  /** Disabled plugin because of which the job is paused. */
  pausedBy: Type.Optional(bothLanguages),
});
const ProcessorSchema = Type.Object({
  ...SuggestedValueSchema.properties,
  /** Ways in which the processor can run. */
  kinds: Type.Array(Type.Unsafe<'standalone' | 'broadcast' | 'map' | 'mapReduce'>({ type: 'string' })),
  /** Schema of its parameters, whose properties are fields. */
  params: Type.Optional(Type.Unsafe<Type.TObject>({ type: 'object', additionalProperties: true })),
});
/** Processor that the user may select. */
export type SuggestedProcessor = Static<typeof ProcessorSchema>;
/** Value that a field suggests. */
export type SuggestedParameter = Static<typeof SuggestedValueSchema>;

const jobCalls = withoutCalls(crud(`${path}/job-info`, JobInfo, { menu: jobInfoMenu.code }), 'import');
const jobAccess = { code: jobInfoMenu.code };
const InstanceParams = Nullable(LongText({ title: ['实例参数', 'Instance parameters'], maxLength: 20_000 }));

export const jobInfo = {
  ...jobCalls,
  /** Rows carry the next time, the latest run and the results of their job. */
  list: { ...jobCalls.list, reply: PageOf(Type.Object({ ...JobInfo.row.properties, ...activityFields })) },
  change: post(`${path}/job-info/change`, {
    title: ['启停作业', 'Pause or resume job'],
    access: { code: 'jobinfo_change' },
    input: Type.Object({ id: Id(), enable: JobInfo.fields.enable }),
    reply: NoContent,
  }),
  /** Runs the job once immediately, even while it is disabled; returns the id of the run. */
  run: post(`${path}/job-info/run`, {
    title: ['运行一次', 'Run once'],
    access: { code: 'jobinfo_run' },
    input: Type.Object({ id: Id(), instanceParams: InstanceParams }),
    reply: Id(),
  }),
  processors: get(optionPaths.processors, {
    title: ['可用处理器', 'Processors'],
    access: jobAccess,
    input: Type.Object({ jobServerId: Type.Optional(Id()) }),
    reply: Type.Array(ProcessorSchema),
  }),
  /** Lists options of a field that jobs of the application cannot use, each with the reason. */
  unavailable: get(optionPaths.unavailable, {
    title: ['不可用选项', 'Unavailable options'],
    access: jobAccess,
    input: Type.Object({
      field: Type.Unsafe<'executeType' | 'processorType'>({ type: 'string', enum: ['executeType', 'processorType'] }),
      jobServerId: Type.Optional(Id()),
      processorInfo: Type.Optional(text(255)),
    }),
    reply: Type.Array(Type.Object({ value: Type.Integer(), reason: bothLanguages })),
  }),
  /** Lists the workflows of an application that a job can start. */
  workflows: get(optionPaths.workflows, {
    title: ['可启动的工作流', 'Workflows to start'],
    access: jobAccess,
    input: Type.Object({ jobServerId: Type.Optional(Id()), name: Type.Optional(text(128)), ids: Type.Optional(text(4000)) }),
    reply: Type.Array(Type.Object({ id: Id(), name: text(128) })),
  }),
  /** Lists the tenant's message templates that alerts can use. */
  alertTemplates: get(alertPaths.templates, {
    title: ['告警短信模板', 'Alert message templates'],
    access: jobAccess,
    input: Type.Object({}),
    reply: Type.Array(SuggestedValueSchema),
  }),
  people: get(alertPaths.people, {
    title: ['告警接收人', 'Alert recipients'],
    access: jobAccess,
    input: Type.Object({ name: Type.Optional(text(64)), ids: Type.Optional(text(4000)) }),
    reply: Type.Array(Type.Object({ id: Id(), name: text(128) })),
  }),
};

export const externalProcessors = flagParameter({
  key: 'job.external',
  group: ['定时作业', 'Jobs'],
  title: ['外部处理器', 'External processors'],
  help: ['PowerJob 作业可使用动态加载的处理器', 'PowerJob jobs can use dynamically loaded processors'],
  preset: false,
});

/** Parameters this plugin reads. */
export const jobParameters: readonly Parameter[] = [externalProcessors];
