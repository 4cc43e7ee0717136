import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { dispatchStrategies } from '../contract.ts';

/** Replica that runs jobs. Free memory and disk space in GB. */
export interface LiveWorker {
  readonly id: string;
  readonly name: string;
  readonly cpus: number;
  readonly memory: number;
  readonly disk: number;
  /** Number of tasks in flight, as far as known. */
  load: number;
}

/** Requirements a job has for its workers. */
export interface WorkerRequirements {
  readonly dispatchStrategy: number;
  readonly designatedWorkers: string;
  readonly minCpuCores: number;
  readonly minMemorySpace: number;
  readonly minDiskSpace: number;
  readonly maxWorkerCount: number;
}

/** Time without a heartbeat after which a worker counts as gone. */
export const workerTimeout = '15 seconds';

/** Returns the live workers. Call within a transaction that sees all tenants. */
export const liveWorkers = (db: ServerContext['db']): Promise<LiveWorker[]> =>
  queryRows<LiveWorker>(
    db,
    sql`select id, name, cpus, memory, disk, load from job_worker where seen_at > clock_timestamp() - ${workerTimeout}::interval order by id`,
  );

/** Returns the workers that fulfil the requirements of a job. */
export function eligibleWorkers(
  workers: readonly LiveWorker[],
  { designatedWorkers, minCpuCores, minMemorySpace, minDiskSpace }: WorkerRequirements,
): LiveWorker[] {
  const named = designatedWorkers
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return workers.filter(
    ({ name, cpus, memory, disk }) => (named.length === 0 || named.includes(name)) && cpus >= minCpuCores && memory >= minMemorySpace && disk >= minDiskSpace,
  );
}

/** Selects the preferred worker of a run: the least loaded, or a random one. Its load is increased at once. */
export function selectWorker(candidates: readonly LiveWorker[], { dispatchStrategy }: WorkerRequirements): LiveWorker | undefined {
  const relativeLoad = ({ load, cpus }: LiveWorker) => load / Math.max(1, cpus);
  const selected =
    dispatchStrategy === dispatchStrategies.random
      ? candidates[Math.floor(Math.random() * candidates.length)]
      : candidates.reduce<LiveWorker | undefined>((best, one) => (best && relativeLoad(best) <= relativeLoad(one) ? best : one), undefined);
  if (selected) selected.load += 1;
  return selected;
}
