import { ApiError, type Processor, type Processors } from '#server';
import type { Problem } from '#shared/errors';
import { objectProblem } from '#shared/validation';
import { executions, type JobInfoRow, jobProblems, processorTypes, timings } from '../contract.ts';
import { cronOf, longestPeriod, nextFire, shortestPeriod } from './fires.ts';

/** Code of the platform's own tenant. */
const platformTenant = '000000';

/** Facts outside the row that decide whether a job is valid. */
export interface JobContext {
  readonly jobs: Processors;
  readonly tenantId: string;
  readonly zone: string;
  readonly now: number;
  /** True when a PowerJob server runs the job. */
  readonly isElsewhere: boolean;
  /** True when the deployment allows processors that are loaded dynamically. */
  readonly mayLoad: boolean;
}

/** Refuses an invalid job, with the field at fault. */
export function refuseWrongJob(job: JobInfoRow, { jobs, tenantId, zone, now, isElsewhere, mayLoad }: JobContext): void {
  refuseWrongTiming(job, zone, now);
  const noExternal = externalProblem({ isElsewhere, mayLoad });
  if (job.processorType === processorTypes.external && noExternal) throw new ApiError(noExternal, {}, { field: 'processorType' });
  // Only PowerJob itself knows its processors.
  if (!isElsewhere && !job.workflowId) refuseWrongProcessor(job, jobs, tenantId);
}

/** Returns the reason a job cannot use a dynamically loaded processor, or undefined when it can. */
export const externalProblem = ({ isElsewhere, mayLoad }: Pick<JobContext, 'isElsewhere' | 'mayLoad'>): Problem | undefined =>
  !isElsewhere ? jobProblems.noExternal : mayLoad ? undefined : jobProblems.externalOff;

/** Returns the built-in processor of this name if the tenant may use it. */
export function ownProcessor(jobs: Processors, tenantId: string, name: string): Processor | undefined {
  const processor = jobs.of(name);
  return processor?.platformOnly && tenantId !== platformTenant ? undefined : processor;
}

/** Parses both ends of a lifetime as if they were UTC, in milliseconds; only their order is valid. */
const ends = (lifecycle: string | null | undefined) => (lifecycle ?? '').split(',').map((end) => Date.parse(`${end.replace(' ', 'T')}Z`));

function refuseWrongTiming({ timeExpressionType, timeExpression, lifecycle }: JobInfoRow, zone: string, now: number): void {
  const field = 'timeExpression';
  if (timeExpressionType === timings.cron || (timeExpressionType === timings.workflow && timeExpression)) {
    if (!cronOf(timeExpression ?? '', zone)) throw new ApiError(jobProblems.wrongCron, {}, { field });
    if (nextFire({ timeExpressionType, timeExpression }, now, zone) === undefined) throw new ApiError(jobProblems.neverFires, {}, { field });
  }
  const isPeriodic = timeExpressionType === timings.fixedRate || timeExpressionType === timings.fixedDelay;
  const period = /^\d{1,10}$/.test(timeExpression ?? '') ? Number(timeExpression) : 0;
  if (isPeriodic && !(period >= shortestPeriod && period <= longestPeriod)) throw new ApiError(jobProblems.wrongPeriod, {}, { field });
  const [from = 0, until = 0] = ends(lifecycle);
  if (lifecycle && !(from < until)) throw new ApiError(jobProblems.wrongLifecycle, {}, { field: 'lifecycle' });
}

function refuseWrongProcessor(job: JobInfoRow, jobs: Processors, tenantId: string): void {
  const name = job.processorInfo ?? '';
  const processor = ownProcessor(jobs, tenantId, name);
  if (!processor) throw new ApiError(jobProblems.noProcessor, { name }, { field: 'processorInfo' });
  if (job.executeType === executions.mapReduce && !processor.perform) throw new ApiError(jobProblems.noMapReduce, { name }, { field: 'executeType' });
  if (!processor.params) return;
  const reason = wrongParams(processor.params, job.jobParams);
  if (reason) throw new ApiError(jobProblems.wrongParams, { reason }, { field: 'jobParams' });
}

function wrongParams(params: Parameters<typeof objectProblem>[0], text: string | null): string | undefined {
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
