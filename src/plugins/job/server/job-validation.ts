import { ApiError, currentActor, type Processor, type Processors, platformTenant } from '#server';
import type { Problem } from '#shared/errors';
import { objectProblem } from '#shared/validation';
import { executionTypes, type JobInfoRow, jobProblems, processorTypes, scheduleTypes } from '../contract.ts';
import { cronOf, longestPeriod, nextFire, shortestPeriod } from './fires.ts';

/** Values outside the row that decide whether a job is valid. */
export interface JobContext {
  readonly jobs: Processors;
  readonly tenantId: string;
  readonly zone: string;
  readonly now: number;
  /** True when a PowerJob server runs the job. */
  readonly isOnPowerJob: boolean;
  /** True when the deployment allows processors that are loaded dynamically. */
  readonly allowsExternal: boolean;
}

/** Throws for an invalid job, with the field in error. */
export function assertValidJob(job: JobInfoRow, { jobs, tenantId, zone, now, isOnPowerJob, allowsExternal }: JobContext): void {
  assertValidSchedule(job, zone, now);
  const problem = externalProblem({ isOnPowerJob, allowsExternal });
  if (job.processorType === processorTypes.external && problem) throw new ApiError(problem, {}, { field: 'processorType' });
  // Only PowerJob itself knows its processors.
  if (!isOnPowerJob && !job.workflowId) assertValidProcessor(job, jobs, tenantId);
}

/** Returns the reason a job cannot use a dynamically loaded processor, or undefined when it can. */
export const externalProblem = ({ isOnPowerJob, allowsExternal }: Pick<JobContext, 'isOnPowerJob' | 'allowsExternal'>): Problem | undefined =>
  !isOnPowerJob ? jobProblems.externalUnsupported : allowsExternal ? undefined : jobProblems.externalNotAllowed;

/** Returns the built-in processor of this name if the tenant may use it. */
export function availableProcessor(jobs: Processors, tenantId: string, name: string): Processor | undefined {
  const processor = jobs.of(name);
  return processor?.platformOnly && tenantId !== platformTenant ? undefined : processor;
}

/** Parses both ends of a lifetime as if they were UTC, in milliseconds, to compare them. */
const boundsOf = (lifecycle: string | null | undefined) => (lifecycle ?? '').split(',').map((end) => Date.parse(`${end.replace(' ', 'T')}Z`));

function assertValidSchedule({ timeExpressionType, timeExpression, lifecycle }: JobInfoRow, zone: string, now: number): void {
  const field = 'timeExpression';
  if (timeExpressionType === scheduleTypes.cron || (timeExpressionType === scheduleTypes.workflow && timeExpression)) {
    if (!cronOf(timeExpression ?? '', zone)) throw new ApiError(jobProblems.invalidCron, {}, { field });
    if (nextFire({ timeExpressionType, timeExpression }, now, zone) === undefined) throw new ApiError(jobProblems.neverFires, {}, { field });
  }
  const isPeriodic = timeExpressionType === scheduleTypes.fixedRate || timeExpressionType === scheduleTypes.fixedDelay;
  const period = /^\d{1,10}$/.test(timeExpression ?? '') ? Number(timeExpression) : 0;
  if (isPeriodic && !(period >= shortestPeriod && period <= longestPeriod)) throw new ApiError(jobProblems.invalidPeriod, {}, { field });
  const [from = 0, until = 0] = boundsOf(lifecycle);
  if (lifecycle && !(from < until)) throw new ApiError(jobProblems.invalidLifecycle, {}, { field: 'lifecycle' });
}

function assertValidProcessor(job: JobInfoRow, jobs: Processors, tenantId: string): void {
  const name = job.processorInfo ?? '';
  const processor = availableProcessor(jobs, tenantId, name);
  if (!processor) throw new ApiError(jobProblems.noProcessor, { name }, { field: 'processorInfo' });
  if (job.executeType === executionTypes.mapReduce && !processor.perform)
    throw new ApiError(jobProblems.mapReduceUnsupported, { name }, { field: 'executeType' });
  if (job.executeType === executionTypes.broadcast && !processor.broadcast)
    throw new ApiError(jobProblems.broadcastUnsupported, { name }, { field: 'executeType' });
  if (!processor.params) return;
  const reason = paramsProblem(processor.params, job.jobParams) ?? refusalOf(processor, job.jobParams);
  if (reason) throw new ApiError(jobProblems.invalidParams, { reason }, { field: 'jobParams' });
}

function refusalOf(processor: Processor, params: string | null): string | undefined {
  try {
    processor.validate?.(params ?? '{}');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

/** Throws if the processor of a job needs a permission that the user lacks. The server's own work has every permission. */
export function assertPermitted({ processorInfo }: Pick<JobInfoRow, 'processorInfo'>, jobs: Processors): void {
  const code = jobs.of(processorInfo ?? '')?.permission;
  const granted = currentActor()?.codes;
  if (code && granted && !granted.has(code)) throw new ApiError(jobProblems.processorNotPermitted, { name: processorInfo ?? '' }, { field: 'processorInfo' });
}

function paramsProblem(params: Parameters<typeof objectProblem>[0], text: string | null): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? '{}');
  } catch {
    return 'JSON';
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'JSON';
  const problem = objectProblem(params, parsed as Record<string, unknown>);
  return problem && `${problem.name}: ${problem.message.join(' / ')}`;
}
