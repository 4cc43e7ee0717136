import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ById, entity, get, Ids, type InputOf, list, NoContent, post, type RowOf } from '#shared/contract';
import { DateTime, Id, Integer, LongText, Nullable, Reference, Select, Text } from '#shared/fields';
import { jobInstanceMenu } from './menus.ts';

const path = '/api/blade-job';
const text = (maxLength: number) => Type.String({ maxLength });

/** States of a run; the numbers are PowerJob's. */
export const runStates = { waiting: 1, dispatched: 2, running: 3, failed: 4, succeeded: 5, cancelled: 9, stopped: 10 } as const;
/** States of runs that have not ended. */
export const openRunStates: ReadonlySet<number> = new Set([runStates.waiting, runStates.dispatched, runStates.running]);

/** Triggers of a run. */
export const runTriggers = { schedule: 1, manual: 2 } as const;

/** One run of a job. */
export const JobInstance = entity('job_instance', {
  jobInfoId: Reference({
    title: ['作业', 'Job'],
    onDelete: 'keep',
    from: { call: { path: `${path}/job-info/list` }, entity: 'job_info', title: 'jobName', search: 'jobName_match', paged: true },
    form: false,
    search: true,
    width: 180,
  }),
  state: Select({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    options: [
      [runStates.waiting, ['等待派发', 'Waiting']],
      [runStates.dispatched, ['等待接收', 'Dispatched']],
      [runStates.running, ['运行中', 'Running']],
      [runStates.failed, ['失败', 'Failed']],
      [runStates.succeeded, ['成功', 'Succeeded']],
      [runStates.cancelled, ['已取消', 'Cancelled']],
      [runStates.stopped, ['已停止', 'Stopped']],
    ],
    tones: { 1: 'neutral', 2: 'neutral', 3: 'brand', 4: 'danger', 5: 'good', 9: 'warning', 10: 'warning' },
  }),
  trigger: Select({
    title: ['触发方式', 'Trigger'],
    form: false,
    options: [
      [runTriggers.schedule, ['调度', 'Schedule']],
      [runTriggers.manual, ['手动', 'Manual']],
    ],
  }),
  expectedTime: DateTime({ title: ['计划时间', 'Scheduled'], form: false, search: true, sort: true }),
  startTime: Nullable(DateTime({ title: ['开始时间', 'Started'], form: false })),
  endTime: Nullable(DateTime({ title: ['结束时间', 'Ended'], form: false })),
  duration: Nullable(Integer({ title: ['耗时（毫秒）', 'Duration (ms)'], minimum: 0, form: false })),
  runningTimes: Integer({ title: ['执行次数', 'Attempts'], minimum: 0, form: false }),
  id: Id({ list: true, search: true, copyable: true, title: ['实例编号', 'Run ID'], width: 190 }),
  worker: Nullable(Text({ title: ['执行机器', 'Worker'], form: false, width: 180 })),
  /** Account of the user who stopped the run. */
  stoppedBy: Nullable(Text({ title: ['停止人', 'Stopped by'], maxLength: 64, form: false })),
  result: Nullable(Text({ title: ['结果', 'Result'], maxLength: 2000, form: false, width: 260 })),
  jobParams: Nullable(LongText({ title: ['作业参数', 'Parameters'], form: false, list: false })),
  instanceParams: Nullable(LongText({ title: ['实例参数', 'Instance parameters'], form: false, list: false })),
  /** Workflow run that this run has started, if its job starts a workflow. */
  ownWorkflowRunId: Nullable(Id({ title: ['工作流实例', 'Workflow run'] })),
  engineInstanceId: Nullable(Text({ title: ['PowerJob 实例', 'PowerJob run'], maxLength: 32, form: false, list: false, copyable: true })),
});
export type JobInstanceRow = RowOf<typeof JobInstance>;

const LogLine = Type.Object({ id: Id(), time: text(23), level: text(8), text: text(4000) });
/** Line of a run's log; `time` includes milliseconds. */
export type RunLogLine = Static<typeof LogLine>;

const runAccess = { code: jobInstanceMenu.code };

/** Largest number of runs that one replay runs again. */
export const maxReplayed = 500;
const runList = list(`${path}/job-instance/list`, JobInstance, runAccess, ['运行实例', 'Runs']);
const { current, size, ...filterProperties } = (runList.input as { readonly properties?: Readonly<Record<string, unknown>> }).properties ?? {};
const Replay = Type.Object({
  /** Runs that can run again, the newest first. */
  ids: Type.Array(Id()),
  jobs: Type.Array(Type.Object({ jobName: text(128), count: Type.Integer() })),
  /** Numbers of runs that are left out, because they have not ended or because their job is paused or deleted. */
  open: Type.Integer(),
  disabled: Type.Integer(),
  /** True if the filter matches more runs than are considered. */
  isCut: Type.Boolean(),
});
export const jobInstance = {
  entity: JobInstance,
  menu: jobInstanceMenu.code,
  list: runList,
  detail: get(`${path}/job-instance/detail`, { title: ['运行详情', 'Run'], access: runAccess, input: ById, reply: JobInstance.row }),
  /** Returns the state of a run and its log lines after the line `after`, at most 500. */
  log: get(`${path}/job-instance/log-detail`, {
    title: ['运行日志', 'Run log'],
    access: runAccess,
    input: Type.Object({ id: Id(), after: Type.Optional(Id()) }),
    /** `isElsewhere` is true when the log is stored at PowerJob. */
    reply: Type.Object({ lines: Type.Array(LogLine), state: Integer({ title: ['状态', 'Status'] }), isElsewhere: Type.Boolean() }),
  }),
  /** Stops runs; log lines and results that their workers still report are refused. */
  stop: post(`${path}/job-instance/stop`, { title: ['停止', 'Stop'], access: { code: 'jobinstance_stop' }, input: Ids, reply: NoContent }),
  /** Returns what a replay of the runs that match a filter would run again. */
  replayPreview: post(`${path}/job-instance/replay-preview`, {
    title: ['重跑预览', 'Replay preview'],
    access: { code: 'jobinstance_retry' },
    filterable: JobInstance,
    input: Type.Unsafe<InputOf<typeof runList>>({ ...runList.input, properties: filterProperties }),
    reply: Replay,
  }),
  /** Replays runs whose job is still enabled: one that failed, was stopped or was cancelled is retried, one that succeeded gets a new run with its instance parameters. */
  replay: post(`${path}/job-instance/replay`, {
    title: ['批量重跑', 'Replay'],
    access: { code: 'jobinstance_retry' },
    input: Type.Object({ ids: Type.Array(Id(), { minItems: 1, maxItems: maxReplayed }) }),
    reply: Type.Object({ started: Type.Integer(), failed: Type.Array(Type.Object({ id: Id(), jobName: text(128), reason: text(2000) })) }),
  }),
  /** Runs again with the original parameters. */
  retry: post(`${path}/job-instance/retry`, { title: ['重试', 'Retry'], access: { code: 'jobinstance_retry' }, input: Ids, reply: NoContent }),
};
