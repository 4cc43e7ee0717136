import { ApiError } from '#server';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { JobInfo, type JobInfoRow, misfirePolicies } from '../../contract.ts';
import { unsupportedValue, valueTooLarge } from '../../problem-contract.ts';
import { epochMsOf, wallTime } from '../clock.ts';

const names = {
  timeExpressionType: { 1: 'API', 2: 'CRON', 3: 'FIXED_RATE', 4: 'FIXED_DELAY', 5: 'WORKFLOW' },
  executeType: { 1: 'STANDALONE', 2: 'BROADCAST', 3: 'MAP_REDUCE' },
  processorType: { 1: 'BUILT_IN', 4: 'EXTERNAL' },
  dispatchStrategy: { 1: 'HEALTH_FIRST', 2: 'RANDOM' },
} as const satisfies Record<string, Record<number, string>>;
type WireFieldName = keyof typeof names;
/** Options of PowerJob that this system does not support. */
const unsupportedOptions: Readonly<Record<WireFieldName, Readonly<Record<number, string>>>> = {
  timeExpressionType: { 11: 'DAILY_TIME_INTERVAL' },
  executeType: { 4: 'MAP' },
  processorType: { 2: 'SHELL', 3: 'PYTHON' },
  dispatchStrategy: { 11: 'SPECIFY' },
};

const sameNameFields = [
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
const enumFields = Object.keys(names) as WireFieldName[];
const alertFields = ['alertThreshold', 'statisticWindowLen', 'silenceWindowLen'] as const;
/** Fields that are compared and synchronized. Alert recipients are users of this system and are not synchronized. */
export const syncedFields = [...sameNameFields, ...enumFields, ...alertFields, 'enable', 'lifecycle', 'logType', 'logLevel'] as const;
export type SyncedJob = Pick<JobInfoRow, (typeof syncedFields)[number]>;

/** Job as PowerJob returns it: with numbers for the names it accepts, and JSON as text. */
export interface PowerJobJob {
  readonly id: number;
  readonly jobName: string;
  /** 1 enabled, 2 disabled, 99 deleted. */
  readonly status: number;
  readonly lifecycle?: string | null;
  readonly alarmConfig?: unknown;
  readonly logConfig?: unknown;
  readonly [field: string]: unknown;
}

/** Builds a job for `saveJob`, which overwrites all fields: for an `existing` job it carries over the fields only PowerJob has. */
export function saveRequest(job: SyncedJob, target: { readonly existing: PowerJobJob | undefined; readonly appId: string; readonly zone: string }): object {
  const [start, end] = job.lifecycle ? job.lifecycle.split(',').map((text) => epochMsOf(text, target.zone)) : [null, null];
  return {
    ...powerJobFields(target.existing),
    id: target.existing === undefined ? null : Number(target.existing.id),
    appId: Number(target.appId),
    ...Object.fromEntries(sameNameFields.map((field) => [field, job[field] ?? null])),
    ...Object.fromEntries(enumFields.map((field) => [field, (names[field] as Record<number, string>)[job[field]]])),
    enable: job.enable === 1,
    lifeCycle: { start, end },
    alarmConfig: Object.fromEntries(alertFields.map((field) => [field, job[field]])),
    logConfig: { ...parsedObject(target.existing?.logConfig), type: job.logType, level: job.logLevel },
  };
}

/** Returns the fields that only PowerJob has, and its own alert recipients. */
function powerJobFields(existing: PowerJobJob | undefined): object {
  const notifyUserIds = String(existing?.notifyUserIds ?? '')
    .split(',')
    .filter((id) => /^\d+$/.test(id))
    .map(Number);
  if (!existing) return { notifyUserIds };
  const { tag = null, dispatchStrategyConfig = null, advancedRuntimeConfig } = existing;
  return { notifyUserIds, tag, dispatchStrategyConfig, ...(advancedRuntimeConfig ? { advancedRuntimeConfig: parsedObject(advancedRuntimeConfig) } : {}) };
}

/** Converts a job of PowerJob to a job of this system; throws an `ApiError` for unsupported options or numbers above the maximum. */
export function importedJob(remote: PowerJobJob, zone: string): SyncedJob {
  for (const field of enumFields) {
    const value = Number(remote[field]);
    const { title } = traitsOf(JobInfo.fields[field]) as { title: LocalizedText };
    if (!(value in names[field])) throw new ApiError(unsupportedValue(title, unsupportedOptions[field][value] ?? String(remote[field])));
  }
  const { start, end } = parsedObject(remote.lifecycle);
  const alarm = parsedObject(remote.alarmConfig);
  const log = parsedObject(remote.logConfig);
  const text = (field: string) => (remote[field] ? String(remote[field]) : null);
  const number = (value: unknown, preset = 0) => Number(value ?? preset) || preset;
  const job: SyncedJob = {
    jobName: remote.jobName,
    jobDescription: text('jobDescription'),
    jobParams: text('jobParams'),
    timeExpression: [1, 5].includes(Number(remote.timeExpressionType)) ? null : text('timeExpression'),
    processorInfo: String(remote.processorInfo ?? ''),
    ...(Object.fromEntries(enumFields.map((field) => [field, Number(remote[field])])) as Pick<SyncedJob, WireFieldName>),
    maxInstanceNum: number(remote.maxInstanceNum),
    concurrency: Number(remote.concurrency ?? 5),
    instanceTimeLimit: number(remote.instanceTimeLimit),
    instanceRetryNum: number(remote.instanceRetryNum),
    taskRetryNum: number(remote.taskRetryNum),
    minCpuCores: number(remote.minCpuCores),
    minMemorySpace: number(remote.minMemorySpace),
    minDiskSpace: number(remote.minDiskSpace),
    designatedWorkers: text('designatedWorkers'),
    maxWorkerCount: number(remote.maxWorkerCount),
    alertThreshold: number(alarm.alertThreshold),
    statisticWindowLen: number(alarm.statisticWindowLen),
    silenceWindowLen: number(alarm.silenceWindowLen),
    extra: text('extra'),
    enable: remote.status === 1 ? 1 : 0,
    lifecycle: start && end ? `${wallTime(Number(start), zone)},${wallTime(Number(end), zone)}` : null,
    logType: number(log.type, 1) as SyncedJob['logType'],
    logLevel: number(log.level, 2) as SyncedJob['logLevel'],
  };
  for (const field of [...sameNameFields, ...alertFields]) {
    const { maximum = Number.POSITIVE_INFINITY } = JobInfo.fields[field] as { maximum?: number };
    const { title } = traitsOf(JobInfo.fields[field]) as { title: LocalizedText };
    if (Number(job[field]) > maximum) throw new ApiError(valueTooLarge(title, Number(job[field]), maximum));
  }
  return job;
}

/** Local fields of a job that is imported from PowerJob. */
export const localDefaults = { misfire: misfirePolicies.once } as const;

/** Returns the fields in which the two differ, as texts. */
export function differencesOf(local: SyncedJob, remote: SyncedJob): { field: string; here: string; there: string }[] {
  const format = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  return syncedFields
    .map((field) => ({ field, here: format(local[field]), there: format(remote[field]) }))
    .filter(({ field, here, there }) => here !== there && !(field === 'timeExpression' && [1, 5].includes(local.timeExpressionType)));
}

/** Reads a value that PowerJob returns either as an object or as JSON text. */
function parsedObject(value: unknown): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value || '{}') : value;
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
