import { entity, type RowOf } from '#shared/contract';
import { BooleanInt, Id, Integer, LongText, Nullable, Period, Reference, Secret, Select, Text } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { alertFields, enabledField, enumOptions, limitFields, logFields } from './field-contract.ts';
import { jobServer } from './server-contract.ts';

const path = '/api/blade-job/job-info';

/** Processor that calls an address; jobs with it can have secret headers. */
export const httpProcessor = 'job:http-call';
/** Schedule types of a job. */
export const scheduleTypes = { api: 1, cron: 2, fixedRate: 3, fixedDelay: 4, workflow: 5 } as const;
/** Execution types: one worker, every worker, or a run split among workers. */
export const executionTypes = { standalone: 1, broadcast: 2, mapReduce: 3 } as const;
export const processorTypes = { builtIn: 1, external: 4 } as const;
export const dispatchStrategies = { healthFirst: 1, random: 2 } as const;
/** Policies for schedule times that were missed while no server ran. */
export const misfirePolicies = { once: 1, skip: 2, all: 3 } as const;

const generalGroup = ['基本信息', 'General'] as const;
const scheduleGroup = ['何时运行', 'When to run'] as const;
const executionGroup = ['运行什么', 'What to run'] as const;
const modeGroup = ['执行方式', 'Execution'] as const;
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
/** Paths of the calls that offer values of fields. */
export const optionPaths = { processors: `${path}/processors`, unavailable: `${path}/unavailable`, workflows: `${path}/workflows` } as const;

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
    Integer({ title: ['作业编号', 'Job no.'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER, form: false, search: true, copyable: true, width: 110 }),
  ),
  jobName: Text({ title: ['任务名称', 'Job name'], maxLength: 128, search: true, group: generalGroup, width: 200, englishIn: 'jobNameEn' }),
  jobNameEn: Nullable(Text({ title: ['英文名称', 'English name'], maxLength: 128, search: true, list: false, group: generalGroup })),
  processorInfo: Nullable(
    Text({
      title: ['处理器参数', 'Processor parameters'],
      maxLength: 255,
      search: true,
      visible: hasProcessor,
      requiredWhen: hasProcessor,
      suggestFrom: { path: optionPaths.processors, inputFrom: { jobServerId: 'jobServerId' } },
      group: executionGroup,
      width: 200,
    }),
  ),
  jobParams: Nullable(
    LongText({
      title: ['作业参数', 'Parameters'],
      maxLength: 20_000,
      list: false,
      visible: hasProcessor,
      schemaFrom: { path: optionPaths.processors, inputFrom: { jobServerId: 'jobServerId', processorInfo: 'processorInfo' } },
      group: executionGroup,
    }),
  ),
  jobSecret: Nullable(
    Secret({
      title: ['机密请求头', 'Secret headers'],
      visible: { field: 'processorInfo', is: httpProcessor },
      help: ['如 Authorization: Bearer …，加密保存且不再显示', 'Such as Authorization: Bearer …. It is stored encrypted and never shown again'],
      group: executionGroup,
    }),
  ),
  timeExpressionType: Select({
    title: ['定时信息', 'Schedule type'],
    options: [
      [scheduleTypes.api, ['API', 'API']],
      [scheduleTypes.cron, ['CRON', 'CRON']],
      [scheduleTypes.fixedRate, ['固定频率', 'Fixed rate']],
      [scheduleTypes.fixedDelay, ['固定延迟', 'Fixed delay']],
      [scheduleTypes.workflow, ['工作流', 'Workflow']],
    ],
    default: scheduleTypes.cron,
    clearable: true,
    search: true,
    help: [
      'API 类作业由人或程序运行；工作流类作业启动所选的工作流，未选则作为节点由工作流运行',
      'API jobs are run manually or by programs. Workflow jobs start the selected workflow; without one they run as workflow nodes',
    ],
    group: scheduleGroup,
  }),
  workflowId: Nullable(
    Reference({
      title: ['启动的工作流', 'Workflow to start'],
      onDelete: 'refuse',
      from: { call: { path: optionPaths.workflows }, entity: 'job_workflow', search: 'name', lookup: 'ids', inputFrom: { jobServerId: 'jobServerId' } },
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
        'CRON 为 6–7 段含秒的表达式，工作流可留空；固定延迟从上次结束起算；间隔 1 秒至 31 天',
        'CRON: 6 or 7 fields including seconds; optional for workflows. A fixed delay begins at the end of a run. From 1 second to 31 days',
      ],
      group: scheduleGroup,
      width: 150,
    }),
  ),
  enable: BooleanInt({ ...enabledField, group: scheduleGroup }),
  jobDescription: Nullable(Text({ title: ['作业描述', 'Description'], maxLength: 255, list: false, advanced: true, group: generalGroup })),
  lifecycle: Nullable(
    Period({
      advanced: true,
      title: ['生命周期', 'Lifetime'],
      help: ['仅在开始与结束时间之间触发', 'The job only fires between start and end'],
      list: false,
      group: scheduleGroup,
    }),
  ),
  misfire: Select({
    advanced: true,
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
    advanced: true,
    title: ['执行器类型', 'Execution type'],
    options: [
      [executionTypes.standalone, ['单机执行', 'Standalone']],
      [executionTypes.broadcast, ['广播执行', 'Broadcast']],
      [executionTypes.mapReduce, ['MapReduce', 'MapReduce']],
    ],
    default: executionTypes.standalone,
    clearable: true,
    unavailableFrom: {
      path: optionPaths.unavailable,
      input: { field: 'executeType' },
      inputFrom: { jobServerId: 'jobServerId', processorInfo: 'processorInfo' },
    },
    search: true,
    visible: hasProcessor,
    group: modeGroup,
  }),
  dispatchStrategy: Select({
    advanced: true,
    title: ['运行时配置', 'Dispatch strategy'],
    options: enumOptions({ HEALTH_FIRST: dispatchStrategies.healthFirst, RANDOM: dispatchStrategies.random }),
    default: dispatchStrategies.healthFirst,
    clearable: true,
    list: false,
    visible: hasProcessor,
    group: modeGroup,
  }),
  processorType: Select({
    advanced: true,
    title: ['处理器类型', 'Processor type'],
    options: [
      [processorTypes.builtIn, ['内建', 'Built-in']],
      [processorTypes.external, ['外部（动态加载）', 'External (loaded dynamically)']],
    ],
    default: processorTypes.builtIn,
    clearable: true,
    unavailableFrom: { path: optionPaths.unavailable, input: { field: 'processorType' }, inputFrom: { jobServerId: 'jobServerId' } },
    list: false,
    visible: hasProcessor,
    group: modeGroup,
  }),
  ...limitFields,
  ...alertFields,
  ...logFields,
});
export type JobInfoRow = RowOf<typeof JobInfo>;

/** Returns the name of a job in both languages. */
export const titleOfJob = ({ jobName, jobNameEn }: Pick<JobInfoRow, 'jobName' | 'jobNameEn'>): LocalizedText => [jobName, jobNameEn || jobName];
