import { Refusal, type ServerContext } from '#server';
import { objectProblem } from '#shared/validation';
import { executions, type JobInfoRow, jobProblems, processorTypes, timings } from '../contract.ts';
import { cronOf, nextFire, shortestPeriod } from './fires.ts';

/** The platform's own tenant. */
const platformTenant = '000000';

/** What decides about a job beside itself. */
export interface Circumstances {
  readonly jobs: ServerContext['jobs'];
  readonly tenantId: string;
  readonly zone: string;
  readonly now: number;
  /** A PowerJob server runs it. */
  readonly isElsewhere: boolean;
  /** The deployment allows processors that are loaded dynamically. */
  readonly mayLoad: boolean;
}

/** Refuses what a job cannot be, each in its field. */
export function refuseWrongJob(job: JobInfoRow, { jobs, tenantId, zone, now, isElsewhere, mayLoad }: Circumstances): void {
  refuseWrongTiming(job, zone, now);
  if (job.processorType === processorTypes.external && !(isElsewhere && mayLoad))
    throw new Refusal(isElsewhere ? jobProblems.externalOff : jobProblems.noExternal, {}, { field: 'processorType' });
  // What a PowerJob server can do is known there.
  if (!isElsewhere && !job.workflowId) refuseWrongProcessor(job, jobs, tenantId);
}

/** The beginning and the end of a lifetime text, in milliseconds of UTC clocks: to compare, not to fire by. */
const ends = (lifecycle: string | null | undefined) => (lifecycle ?? '').split(',').map((end) => Date.parse(`${end.replace(' ', 'T')}Z`));

function refuseWrongTiming({ timeExpressionType, timeExpression, lifecycle }: JobInfoRow, zone: string, now: number): void {
  const field = 'timeExpression';
  if (timeExpressionType === timings.cron || (timeExpressionType === timings.workflow && timeExpression)) {
    if (!cronOf(timeExpression ?? '', zone)) throw new Refusal(jobProblems.wrongCron, {}, { field });
    if (nextFire({ timeExpressionType, timeExpression }, now, zone) === undefined) throw new Refusal(jobProblems.neverFires, {}, { field });
  }
  const isPeriodic = timeExpressionType === timings.fixedRate || timeExpressionType === timings.fixedDelay;
  if (isPeriodic && !(/^\d{1,10}$/.test(timeExpression ?? '') && Number(timeExpression) >= shortestPeriod))
    throw new Refusal(jobProblems.wrongPeriod, {}, { field });
  const [from = 0, until = 0] = ends(lifecycle);
  if (lifecycle && !(from < until)) throw new Refusal(jobProblems.wrongLifecycle, {}, { field: 'lifecycle' });
}

function refuseWrongProcessor(job: JobInfoRow, jobs: ServerContext['jobs'], tenantId: string): void {
  const name = job.processorInfo ?? '';
  const processor = jobs.of(name);
  if (!processor || (processor.platformOnly && tenantId !== platformTenant)) throw new Refusal(jobProblems.noProcessor, { name }, { field: 'processorInfo' });
  if (job.executeType === executions.mapReduce && !processor.perform) throw new Refusal(jobProblems.noMapReduce, { name }, { field: 'executeType' });
  if (!processor.params) return;
  const reason = wrongParams(processor.params, job.jobParams);
  if (reason) throw new Refusal(jobProblems.wrongParams, { reason }, { field: 'jobParams' });
}

function wrongParams(params: Parameters<typeof objectProblem>[0], text: string | null): string | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text ?? '{}');
  } catch {
    return 'JSON';
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'JSON';
  const problem = objectProblem(params, given as Record<string, unknown>);
  return problem && `${problem.name}: ${problem.words.join(' / ')}`;
}
