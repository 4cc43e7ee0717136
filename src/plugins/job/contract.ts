import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { crud, Done, entity, get, post, type RowOf } from '#shared/contract';
import { Choice, Decimal, Id, LongText, type Option, Optional, Period, Reference, Text, Whole, ZeroOne } from '#shared/fields';
import { alertFields, alertPaths, count, unlimited } from './alert-contract.ts';
import { enabledField } from './enabled-contract.ts';
import { jobInfoMenu } from './menus.ts';
import { jobServer } from './server-contract.ts';

export { jobProblems, powerJobProblems } from './problem-contract.ts';
export { JobInstance, jobInstance } from './run-contract.ts';
export { engines, type JobDifference, JobServer, type JobServerRow, jobServer, signIns, type Way } from './server-contract.ts';
export { type JobTimeline, jobTimeline } from './timeline-contract.ts';
export { JobWorkflow, jobWorkflow } from './workflow-contract.ts';

const path = '/api/blade-job';
const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });

/** When a job runs. */
export const timings = { api: 1, cron: 2, fixedRate: 3, fixedDelay: 4, workflow: 5 } as const;
/** Who of the workers runs it. */
export const executions = { standalone: 1, broadcast: 2, mapReduce: 3 } as const;
export const processorTypes = { builtIn: 1, external: 4 } as const;
export const dispatches = { healthFirst: 1, random: 2 } as const;
/** What becomes of fires that nobody was there for. */
export const misfires = { once: 1, skip: 2, all: 3 } as const;

const basic = ['基本信息', 'What it is'] as const;
const timing = ['调度', 'When it runs'] as const;
const running = ['执行', 'What it runs'] as const;
const limits = ['限制与重试', 'Limits and retries'] as const;
const workers = ['机器', 'Workers'] as const;
const logs = ['日志', 'Log'] as const;
const onTime = { field: 'timeExpressionType', is: [timings.cron, timings.fixedRate, timings.fixedDelay] } as const;
/** It starts a workflow, and does nothing itself. */
const startsWorkflow = {
  all: [
    { field: 'timeExpressionType', is: timings.workflow },
    { field: 'workflowId', filled: true },
  ],
} as const;
const runsItself = {
  any: [
    { field: 'timeExpressionType', isNot: timings.workflow },
    { field: 'workflowId', filled: false },
  ],
} as const;
/** Options that operators read as PowerJob calls them. */
const named = (values: Readonly<Record<string, number>>): Option<number>[] => Object.entries(values).map(([name, value]) => [value, [name, name]]);
const size = (title: readonly [string, string], unit?: readonly [string, string]) =>
  Decimal({ title, group: workers, minimum: 0, maximum: 1_000_000, places: 2, default: 0, list: false, ...(unit ? { unit } : {}) });

const processorsPath = `${path}/job-info/processors`;
const workflowsPath = `${path}/job-info/workflows`;

/** Something that is done again and again, or when somebody says so, `product.md` §3 and §9. */
export const JobInfo = entity('job_info', {
  id: Id(),
  jobServerId: Reference({
    title: ['任务应用', 'Application'],
    from: { call: jobServer.select, title: 'jobAppName', lookup: 'ids' },
    search: true,
    fixed: true,
    group: basic,
  }),
  jobId: Optional(
    Whole({ title: ['任务编号', 'Job no.'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER, form: false, search: true, copyable: true, width: 110 }),
  ),
  jobName: Text({ title: ['任务名称', 'Job name'], maxLength: 128, search: true, group: basic, width: 200 }),
  jobDescription: Optional(Text({ title: ['任务描述', 'Description'], maxLength: 255, list: false, group: basic })),
  enable: ZeroOne({ ...enabledField, group: basic }),
  timeExpressionType: Choice({
    title: ['定时信息', 'Schedule'],
    options: [
      [timings.api, ['API', 'API']],
      [timings.cron, ['CRON', 'CRON']],
      [timings.fixedRate, ['固定频率(毫秒)', 'Fixed rate (ms)']],
      [timings.fixedDelay, ['固定延迟(毫秒)', 'Fixed delay (ms)']],
      [timings.workflow, ['工作流', 'Workflow']],
    ],
    default: timings.cron,
    search: true,
    help: [
      'API 类任务由人或程序运行；工作流类任务启动所选的工作流，未选则作为节点由工作流运行',
      'API: run by people and programs. Workflow: starts the one chosen, or is a node of workflows when none is',
    ],
    group: timing,
  }),
  workflowId: Optional(
    Reference({
      title: ['启动的工作流', 'Workflow it starts'],
      from: { call: { path: workflowsPath }, search: 'name', lookup: 'ids', inputFrom: { jobServerId: 'jobServerId' } },
      visible: { field: 'timeExpressionType', is: timings.workflow },
      help: [
        '节点在“工作流”页面编排；实例随工作流结束，停止与重试对全部节点有效',
        'Its nodes are drawn on the page of workflows. Stopping or retrying a run is stopping or retrying all of them',
      ],
      list: false,
      group: timing,
    }),
  ),
  timeExpression: Optional(
    Text({
      title: ['时间表达式', 'Time expression'],
      maxLength: 128,
      visible: { any: [onTime, startsWorkflow] },
      requiredWhen: onTime,
      enteredBy: [{ when: { field: 'timeExpressionType', is: [timings.cron, timings.workflow] }, widget: 'cron' }],
      help: [
        'CRON 为 6–7 段含秒的表达式，工作流可留空；固定频率与固定延迟为毫秒，至少 1000',
        'CRON: six or seven parts with seconds; a workflow needs none. Fixed rate and delay: milliseconds, at least 1000',
      ],
      group: timing,
      width: 150,
    }),
  ),
  lifecycle: Optional(
    Period({
      title: ['生命周期', 'Lifetime'],
      help: ['从开始到结束；此外不触发', 'Outside of it nothing is fired'],
      list: false,
      group: timing,
    }),
  ),
  misfire: Choice({
    title: ['错过触发', 'Missed fires'],
    options: [
      [misfires.once, ['补触发一次', 'Fire once']],
      [misfires.skip, ['跳过', 'Skip']],
      [misfires.all, ['全部补触发', 'Fire each']],
    ],
    default: misfires.once,
    list: false,
    visible: { any: [{ field: 'timeExpressionType', is: [timings.cron, timings.fixedRate] }, startsWorkflow] },
    help: ['服务停止超过一分钟后恢复时', 'When the service is back after more than a minute'],
    group: timing,
  }),
  executeType: Choice({
    title: ['执行器类型', 'Execution'],
    options: [
      [executions.standalone, ['单机执行', 'Standalone']],
      [executions.broadcast, ['广播执行', 'Broadcast']],
      [executions.mapReduce, ['MapReduce', 'MapReduce']],
    ],
    default: executions.standalone,
    search: true,
    visible: runsItself,
    group: running,
  }),
  dispatchStrategy: Choice({
    title: ['运行时配置', 'Dispatch'],
    options: named({ HEALTH_FIRST: dispatches.healthFirst, RANDOM: dispatches.random }),
    default: dispatches.healthFirst,
    list: false,
    visible: runsItself,
    group: running,
  }),
  processorType: Choice({
    title: ['处理器类型', 'Processor type'],
    options: [
      [processorTypes.builtIn, ['内建', 'Built in']],
      [processorTypes.external, ['外部（动态加载）', 'External (loaded dynamically)']],
    ],
    default: processorTypes.builtIn,
    list: false,
    visible: runsItself,
    group: running,
  }),
  processorInfo: Optional(
    Text({
      title: ['处理器参数', 'Processor'],
      maxLength: 255,
      search: true,
      visible: runsItself,
      requiredWhen: runsItself,
      knownFrom: { path: processorsPath, inputFrom: { jobServerId: 'jobServerId' } },
      group: running,
      width: 200,
    }),
  ),
  jobParams: Optional(LongText({ title: ['任务参数', 'Parameters'], maxLength: 20_000, list: false, visible: runsItself, group: running })),
  maxInstanceNum: count(['最大实例数', 'Most instances'], limits, { help: unlimited }),
  concurrency: count(['单机线程并发数', 'Concurrency'], limits, { default: 5 }),
  instanceTimeLimit: count(['运行时间限制', 'Time limit'], limits, { unit: ['毫秒', 'ms'], help: unlimited }),
  instanceRetryNum: count(['实例重试次数', 'Instance retries'], limits),
  taskRetryNum: count(['子任务重试次数', 'Task retries'], limits),
  minCpuCores: size(['最低 CPU 核心数', 'Least CPU cores']),
  minMemorySpace: size(['最低内存', 'Least memory'], ['GB', 'GB']),
  minDiskSpace: size(['最低磁盘空间', 'Least disk'], ['GB', 'GB']),
  designatedWorkers: Optional(
    Text({
      title: ['指定机器', 'Designated workers'],
      maxLength: 1000,
      list: false,
      help: ['机器名，以逗号分隔；留空则不限', 'Names of workers with commas between; any when empty'],
      group: workers,
    }),
  ),
  maxWorkerCount: count(['最大机器数', 'Most workers'], workers, { help: unlimited }),
  ...alertFields,
  logType: Choice({
    title: ['日志类型', 'Log type'],
    options: named({ ONLINE: 1, LOCAL: 2, STDOUT: 3, LOCAL_AND_ONLINE: 4, NULL: 999 }),
    default: 1,
    list: false,
    group: logs,
  }),
  logLevel: Choice({
    title: ['日志级别', 'Log level'],
    options: named({ DEBUG: 1, INFO: 2, WARN: 3, ERROR: 4, OFF: 99 }),
    default: 2,
    list: false,
    group: logs,
  }),
  extra: Optional(LongText({ title: ['扩展字段', 'Extra'], maxLength: 4000, list: false, group: logs })),
});
export type JobInfoRow = RowOf<typeof JobInfo>;

const Known = Shape({
  value: text(255),
  title: Unsafe<readonly [string, string]>({ type: 'array', items: { type: 'string' } }),
  help: Unsafe<readonly [string, string]>({ type: 'array', items: { type: 'string' } }),
  /** The plugin that is switched off, for which jobs of it wait. */
  pausedBy: Omissible(Unsafe<readonly [string, string]>({ type: 'array', items: { type: 'string' } })),
});
/** A processor that may be chosen. */
export type KnownProcessor = Static<typeof Known>;

const {
  import: _jobImport,
  importTemplate: _jobTemplate,
  importPreview: _jobPreview,
  importMapping: _jobMapping,
  ...jobCalls
} = crud(`${path}/job-info`, JobInfo, {
  menu: jobInfoMenu.code,
});
const readsJobs = { code: jobInfoMenu.code };
const InstanceParams = Optional(LongText({ title: ['实例参数', 'Instance parameters'], maxLength: 20_000 }));

export const jobInfo = {
  ...jobCalls,
  change: post(`${path}/job-info/change`, {
    title: ['启停任务', 'Pause or resume'],
    who: { code: 'jobinfo_change' },
    input: Shape({ id: Id(), enable: JobInfo.fields.enable }),
    reply: Done,
  }),
  /** Once, at once, whether the job is enabled or not; answers the id of the run. */
  run: post(`${path}/job-info/run`, {
    title: ['运行一次', 'Run once'],
    who: { code: 'jobinfo_run' },
    input: Shape({ id: Id(), instanceParams: InstanceParams }),
    reply: Id(),
  }),
  processors: get(processorsPath, { title: ['可用处理器', 'Processors'], who: readsJobs, input: Shape({ jobServerId: Omissible(Id()) }), reply: List(Known) }),
  /** Workflows of an application, which a job of it may start. */
  workflows: get(workflowsPath, {
    title: ['可启动的工作流', 'Workflows to start'],
    who: readsJobs,
    input: Shape({ jobServerId: Omissible(Id()), name: Omissible(text(128)), ids: Omissible(text(4000)) }),
    reply: List(Shape({ id: Id(), name: text(128) })),
  }),
  /** Text messages of the tenant that may tell of failures. */
  alertTemplates: get(alertPaths.templates, { title: ['告警短信模板', 'Text messages for alerts'], who: readsJobs, input: Shape({}), reply: List(Known) }),
  people: get(alertPaths.people, {
    title: ['告警接收人', 'People to alert'],
    who: readsJobs,
    input: Shape({ name: Omissible(text(64)), ids: Omissible(text(4000)) }),
    reply: List(Shape({ id: Id(), name: text(128) })),
  }),
};
