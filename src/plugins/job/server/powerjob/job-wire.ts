import { Refusal } from '#server';
import { traitsOf } from '#shared/fields';
import type { Words } from '#shared/text';
import { JobInfo, type JobInfoRow, misfires } from '../../contract.ts';
import { unsupportedThere } from '../../problem-contract.ts';
import { momentOf, wallTime } from '../wall-time.ts';

const names = {
  timeExpressionType: { 1: 'API', 2: 'CRON', 3: 'FIXED_RATE', 4: 'FIXED_DELAY', 5: 'WORKFLOW' },
  executeType: { 1: 'STANDALONE', 2: 'BROADCAST', 3: 'MAP_REDUCE' },
  processorType: { 1: 'BUILT_IN', 4: 'EXTERNAL' },
  dispatchStrategy: { 1: 'HEALTH_FIRST', 2: 'RANDOM' },
} as const satisfies Record<string, Record<number, string>>;
type Named = keyof typeof names;
/** What PowerJob has besides, and jobs here have not. */
const onlyThere: Readonly<Record<Named, Readonly<Record<number, string>>>> = {
  timeExpressionType: { 11: 'DAILY_TIME_INTERVAL' },
  executeType: { 4: 'MAP' },
  processorType: { 2: 'SHELL', 3: 'PYTHON' },
  dispatchStrategy: { 11: 'SPECIFY' },
};

const sameThere = [
  'jobName',
  'jobDescription',
  'jobParams',
  'timeExpression',
  'processorInfo',
  'maxInstanceNum',
  'concurrency',
  'instanceTimeLimit',
  'instanceRetryNum',
  'taskRetryNum',
  'minCpuCores',
  'minMemorySpace',
  'minDiskSpace',
  'designatedWorkers',
  'maxWorkerCount',
  'extra',
] as const;
const named = Object.keys(names) as Named[];
const alarms = ['alertThreshold', 'statisticWindowLen', 'silenceWindowLen'] as const;
/** What is compared, and carried from one side to the other. People to alert are users of this system, and stay here. */
export const carried = [...sameThere, ...named, ...alarms, 'enable', 'lifecycle', 'logType', 'logLevel'] as const;
export type CarriedJob = Pick<JobInfoRow, (typeof carried)[number]>;

/** A job as PowerJob answers it: numbers where it is sent names, and texts of JSON. */
export interface JobThere {
  readonly id: number;
  readonly jobName: string;
  /** 1 enabled, 2 disabled, 99 deleted. */
  readonly status: number;
  readonly lifecycle?: string | null;
  readonly alarmConfig?: unknown;
  readonly logConfig?: unknown;
  readonly [field: string]: unknown;
}

/** A job as `saveJob` takes it, which writes over everything: of one that is `there` already goes with it what only PowerJob knows. */
export function saveRequest(job: CarriedJob, of: { readonly there: JobThere | undefined; readonly appId: string; readonly zone: string }): object {
  const [start, end] = job.lifecycle ? job.lifecycle.split(',').map((text) => momentOf(text, of.zone)) : [null, null];
  return {
    ...ownOfPowerJob(of.there),
    id: of.there === undefined ? null : Number(of.there.id),
    appId: Number(of.appId),
    ...Object.fromEntries(sameThere.map((field) => [field, job[field] ?? null])),
    ...Object.fromEntries(named.map((field) => [field, (names[field] as Record<number, string>)[job[field]]])),
    enable: job.enable === 1,
    lifeCycle: { start, end },
    alarmConfig: Object.fromEntries(alarms.map((field) => [field, job[field]])),
    logConfig: { ...objectIn(of.there?.logConfig), type: job.logType, level: job.logLevel },
  };
}

/** What this side has no field for, and whom PowerJob itself tells of failures. */
function ownOfPowerJob(there: JobThere | undefined): object {
  const notifyUserIds = String(there?.notifyUserIds ?? '')
    .split(',')
    .filter((id) => /^\d+$/.test(id))
    .map(Number);
  if (!there) return { notifyUserIds };
  const { tag = null, dispatchStrategyConfig = null, advancedRuntimeConfig } = there;
  return { notifyUserIds, tag, dispatchStrategyConfig, ...(advancedRuntimeConfig ? { advancedRuntimeConfig: objectIn(advancedRuntimeConfig) } : {}) };
}

/** A job of PowerJob's as it would be written here; a `Refusal` where it is of a kind not known here. */
export function jobFrom(there: JobThere, zone: string): CarriedJob {
  for (const field of named) {
    const value = Number(there[field]);
    const { title } = traitsOf(JobInfo.fields[field]) as { title: Words };
    if (!(value in names[field])) throw new Refusal(unsupportedThere(title, onlyThere[field][value] ?? String(there[field])));
  }
  const { start, end } = objectIn(there.lifecycle);
  const alarm = objectIn(there.alarmConfig);
  const log = objectIn(there.logConfig);
  const text = (field: string) => (there[field] ? String(there[field]) : null);
  const number = (value: unknown, preset = 0) => Number(value ?? preset) || preset;
  return {
    jobName: there.jobName,
    jobDescription: text('jobDescription'),
    jobParams: text('jobParams'),
    timeExpression: [1, 5].includes(Number(there.timeExpressionType)) ? null : text('timeExpression'),
    processorInfo: String(there.processorInfo ?? ''),
    ...(Object.fromEntries(named.map((field) => [field, Number(there[field])])) as Pick<CarriedJob, Named>),
    maxInstanceNum: number(there.maxInstanceNum),
    concurrency: Number(there.concurrency ?? 5),
    instanceTimeLimit: number(there.instanceTimeLimit),
    instanceRetryNum: number(there.instanceRetryNum),
    taskRetryNum: number(there.taskRetryNum),
    minCpuCores: number(there.minCpuCores),
    minMemorySpace: number(there.minMemorySpace),
    minDiskSpace: number(there.minDiskSpace),
    designatedWorkers: text('designatedWorkers'),
    maxWorkerCount: number(there.maxWorkerCount),
    alertThreshold: number(alarm.alertThreshold),
    statisticWindowLen: number(alarm.statisticWindowLen),
    silenceWindowLen: number(alarm.silenceWindowLen),
    extra: text('extra'),
    enable: there.status === 1 ? 1 : 0,
    lifecycle: start && end ? `${wallTime(Number(start), zone)},${wallTime(Number(end), zone)}` : null,
    logType: number(log.type, 1) as CarriedJob['logType'],
    logLevel: number(log.level, 2) as CarriedJob['logLevel'],
  };
}

/** What a job that comes from there is here beside that. */
export const onlyHere = { misfire: misfires.once } as const;

/** In what the two differ, as texts. */
export function differing(here: CarriedJob, there: CarriedJob): { field: string; here: string; there: string }[] {
  const shown = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  return carried
    .map((field) => ({ field, here: shown(here[field]), there: shown(there[field]) }))
    .filter((one) => one.here !== one.there && !(one.field === 'timeExpression' && [1, 5].includes(here.timeExpressionType)));
}

/** PowerJob tells some things as objects and some as texts of them. */
function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value || '{}') : value;
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
