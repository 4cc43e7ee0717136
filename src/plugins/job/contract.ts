import type { Static } from 'typebox';
import * as Type from 'typebox';
import { crud, entity, get, NoContent, post, type RowOf } from '#shared/contract';
import { BooleanInt, Id, Integer, LongText, Nullable, Period, Reference, Select, Text } from '#shared/fields';
import { flagParameter, type Parameter } from '#shared/parameters';
import { alertFields, alertPaths, enabledField, enumOptions, limitFields, logFields } from './field-contract.ts';
import { jobInfoMenu } from './menus.ts';
import { jobServer } from './server-contract.ts';

export { jobProblems, powerJobProblems } from './problem-contract.ts';
export { JobInstance, jobInstance } from './run-contract.ts';
export { authMethods, engineTypes, type JobDifference, JobServer, type JobServerRow, jobServer, type SyncDirection } from './server-contract.ts';
export { type JobTimeline, jobTimeline } from './timeline-contract.ts';
export { JobWorkflow, jobWorkflow } from './workflow-contract.ts';

const path = '/api/blade-job';
const text = (maxLength: number) => Type.String({ maxLength });

/** Schedule types of a job. */
export const scheduleTypes = { api: 1, cron: 2, fixedRate: 3, fixedDelay: 4, workflow: 5 } as const;
/** Execution types: one worker, every worker, or a run split among workers. */
export const executionTypes = { standalone: 1, broadcast: 2, mapReduce: 3 } as const;
export const processorTypes = { builtIn: 1, external: 4 } as const;
export const dispatchStrategies = { healthFirst: 1, random: 2 } as const;
/** Policies for schedule times that were missed while no server ran. */
export const misfirePolicies = { once: 1, skip: 2, all: 3 } as const;

const generalGroup = ['基本信息', 'General'] as const;
const scheduleGroup = ['调度', 'Schedule'] as const;
const executionGroup = ['执行', 'Execution'] as const;
const isTimed = { field: 'timeExpressionType', is: [scheduleTypes.cron, scheduleTypes.fixedRate, scheduleTypes.fixedDelay] } as const;
/** Condition for jobs that start a workflow; they have no processor. */
const startsWorkflow = {
  all: [
    { field: 'timeExpressionType', is: scheduleTypes.workflow },
    { field: 'workflowId', filled: true },
  ],
} as const;
const hasProcessor = {
  any: [
    { field: 'timeExpressionType', isNot: scheduleTypes.workflow },
    { field: 'workflowId', filled: false },
  ],
} as const;
const processorsPath = `${path}/job-info/processors`;
const unavailablePath = `${path}/job-info/unavailable`;
const workflowsPath = `${path}/job-info/workflows`;

/** Job that runs on a schedule or on request. */
export const JobInfo = entity('job_info', {
  id: Id(),
  jobServerId: Reference({
    title: ['任务应用', 'Application'],
    onDelete: 'refuse',
    from: { call: jobServer.select, entity: jobServer.entity.name, title: 'jobAppName', lookup: 'ids' },
    search: true,
    immutable: true,
    clearable: true,
    group: generalGroup,
  }),
  jobId: Nullable(
    Integer({ title: ['任务编号', 'Job no.'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER, form: false, search: true, copyable: true, width: 110 }),
  ),
  jobName: Text({ title: ['任务名称', 'Job name'], maxLength: 128, search: true, group: generalGroup, width: 200 }),
  jobDescription: Nullable(Text({ title: ['任务描述', 'Description'], maxLength: 255, list: false, group: generalGroup })),
  enable: BooleanInt({ ...enabledField, group: generalGroup }),
  timeExpressionType: Select({
    title: ['定时信息', 'Schedule type'],
    options: [
      [scheduleTypes.api, ['API', 'API']],
      [scheduleTypes.cron, ['CRON', 'CRON']],
      [scheduleTypes.fixedRate, ['固定频率(毫秒)', 'Fixed rate (ms)']],
      [scheduleTypes.fixedDelay, ['固定延迟(毫秒)', 'Fixed delay (ms)']],
      [scheduleTypes.workflow, ['工作流', 'Workflow']],
    ],
    default: scheduleTypes.cron,
    clearable: true,
    search: true,
    help: [
      'API 类任务由人或程序运行；工作流类任务启动所选的工作流，未选则作为节点由工作流运行',
      'API jobs are run manually or by programs. Workflow jobs start the selected workflow; without one they run as workflow nodes',
    ],
    group: scheduleGroup,
  }),
  workflowId: Nullable(
    Reference({
      title: ['启动的工作流', 'Workflow to start'],
      onDelete: 'refuse',
      from: { call: { path: workflowsPath }, entity: 'job_workflow', search: 'name', lookup: 'ids', inputFrom: { jobServerId: 'jobServerId' } },
      visible: { field: 'timeExpressionType', is: scheduleTypes.workflow },
      help: [
        '节点在「工作流」页面编排；实例随工作流结束，停止与重试对全部节点有效',
        'Edit nodes on the Workflows page. The run ends with the workflow; stopping or retrying applies to all nodes',
      ],
      list: false,
      group: scheduleGroup,
    }),
  ),
  timeExpression: Nullable(
    Text({
      title: ['时间表达式', 'Time expression'],
      maxLength: 128,
      visible: { any: [isTimed, startsWorkflow] },
      requiredWhen: isTimed,
      controlWhen: [{ when: { field: 'timeExpressionType', is: [scheduleTypes.cron, scheduleTypes.workflow] }, widget: 'cron' }],
      help: [
        'CRON 为 6–7 段含秒的表达式，工作流可留空；固定频率与固定延迟为毫秒，1000 至 31 天',
        'CRON: 6 or 7 fields including seconds; optional for workflows. Fixed rate and delay: milliseconds, from 1000 to 31 days',
      ],
      group: scheduleGroup,
      width: 150,
    }),
  ),
  lifecycle: Nullable(
    Period({
      title: ['生命周期', 'Lifetime'],
      help: ['仅在开始与结束时间之间触发', 'The job only fires between start and end'],
      list: false,
      group: scheduleGroup,
    }),
  ),
  misfire: Select({
    title: ['错过触发', 'Misfire policy'],
    options: [
      [misfirePolicies.once, ['补触发一次', 'Fire once']],
      [misfirePolicies.skip, ['跳过', 'Skip']],
      [misfirePolicies.all, ['全部补触发', 'Fire all']],
    ],
    default: misfirePolicies.once,
    list: false,
    visible: { any: [{ field: 'timeExpressionType', is: [scheduleTypes.cron, scheduleTypes.fixedRate] }, startsWorkflow] },
    help: ['服务停止超过一分钟并恢复时适用', 'Applies when the service recovers after more than a minute'],
    group: scheduleGroup,
  }),
  executeType: Select({
    title: ['执行器类型', 'Execution type'],
    options: [
      [executionTypes.standalone, ['单机执行', 'Standalone']],
      [executionTypes.broadcast, ['广播执行', 'Broadcast']],
      [executionTypes.mapReduce, ['MapReduce', 'MapReduce']],
    ],
    default: executionTypes.standalone,
    clearable: true,
    unavailableFrom: {
      path: unavailablePath,
      input: { field: 'executeType' },
      inputFrom: { jobServerId: 'jobServerId', processorInfo: 'processorInfo' },
    },
    search: true,
    visible: hasProcessor,
    group: executionGroup,
  }),
  dispatchStrategy: Select({
    title: ['运行时配置', 'Dispatch strategy'],
    options: enumOptions({ HEALTH_FIRST: dispatchStrategies.healthFirst, RANDOM: dispatchStrategies.random }),
    default: dispatchStrategies.healthFirst,
    clearable: true,
    list: false,
    visible: hasProcessor,
    group: executionGroup,
  }),
  processorType: Select({
    title: ['处理器类型', 'Processor type'],
    options: [
      [processorTypes.builtIn, ['内建', 'Built-in']],
      [processorTypes.external, ['外部（动态加载）', 'External (loaded dynamically)']],
    ],
    default: processorTypes.builtIn,
    clearable: true,
    unavailableFrom: { path: unavailablePath, input: { field: 'processorType' }, inputFrom: { jobServerId: 'jobServerId' } },
    list: false,
    visible: hasProcessor,
    group: executionGroup,
  }),
  processorInfo: Nullable(
    Text({
      title: ['处理器参数', 'Processor parameters'],
      maxLength: 255,
      search: true,
      visible: hasProcessor,
      requiredWhen: hasProcessor,
      suggestFrom: { path: processorsPath, inputFrom: { jobServerId: 'jobServerId' } },
      group: executionGroup,
      width: 200,
    }),
  ),
  jobParams: Nullable(LongText({ title: ['任务参数', 'Parameters'], maxLength: 20_000, list: false, visible: hasProcessor, group: executionGroup })),
  ...limitFields,
  ...alertFields,
  ...logFields,
});
export type JobInfoRow = RowOf<typeof JobInfo>;

const bothLanguages = Type.Unsafe<readonly [string, string]>({ type: 'array', items: { type: 'string' } });
const SuggestedValueSchema = Type.Object({
  value: text(255),
  title: bothLanguages,
  help: bothLanguages,
  /** Disabled plugin because of which the job is paused. */
  pausedBy: Type.Optional(bothLanguages),
});
/** Value that a field suggests. */
export type SuggestedValue = Static<typeof SuggestedValueSchema>;

const {
  import: _import,
  importTemplate: _template,
  importPreview: _preview,
  importMapping: _mapping,
  ...jobCalls
} = crud(`${path}/job-info`, JobInfo, {
  menu: jobInfoMenu.code,
});
const jobAccess = { code: jobInfoMenu.code };
const InstanceParams = Nullable(LongText({ title: ['实例参数', 'Instance parameters'], maxLength: 20_000 }));

export const jobInfo = {
  ...jobCalls,
  change: post(`${path}/job-info/change`, {
    title: ['启停任务', 'Pause or resume job'],
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
  processors: get(processorsPath, {
    title: ['可用处理器', 'Processors'],
    access: jobAccess,
    input: Type.Object({ jobServerId: Type.Optional(Id()) }),
    reply: Type.Array(SuggestedValueSchema),
  }),
  /** Lists options of a field that jobs of the application cannot use, each with the reason. */
  unavailable: get(unavailablePath, {
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
  workflows: get(workflowsPath, {
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
  group: ['定时任务', 'Jobs'],
  title: ['外部处理器', 'External processors'],
  help: ['PowerJob 任务可使用动态加载的处理器', 'PowerJob jobs can use dynamically loaded processors'],
  preset: false,
});

/** Parameters this plugin reads. */
export const jobParameters: readonly Parameter[] = [externalProcessors];
