import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';
import { dispatches } from '../contract.ts';

/** A replica that runs jobs. Memory and disk in GB that are free. */
export interface LiveWorker {
  readonly id: string;
  readonly name: string;
  readonly cpus: number;
  readonly memory: number;
  readonly disk: number;
  /** How many tasks it has in hand, as far as is known. */
  load: number;
}

/** What a job asks of its workers. */
export interface Demands {
  readonly dispatchStrategy: number;
  readonly designatedWorkers: string;
  readonly minCpuCores: number;
  readonly minMemorySpace: number;
  readonly minDiskSpace: number;
  readonly maxWorkerCount: number;
}

/** Who has not been heard of for so long is gone. */
export const goneAfter = '15 seconds';

/** The workers that are there. Part of the work under way, which sees all tenants. */
export const liveWorkers = (db: ServerContext['db']): Promise<LiveWorker[]> =>
  rowsOf<LiveWorker>(db, sql`select id, name, cpus, memory, disk, load from job_worker where seen_at > clock_timestamp() - ${goneAfter}::interval order by id`);

/** Those of them that a job may run on. */
export function eligible(workers: readonly LiveWorker[], { designatedWorkers, minCpuCores, minMemorySpace, minDiskSpace }: Demands): LiveWorker[] {
  const named = designatedWorkers
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return workers.filter(
    ({ name, cpus, memory, disk }) => (named.length === 0 || named.includes(name)) && cpus >= minCpuCores && memory >= minMemorySpace && disk >= minDiskSpace,
  );
}

/** The one a run is meant for: the least burdened, or any. What it is given counts at once. */
export function choose(able: readonly LiveWorker[], { dispatchStrategy }: Demands): LiveWorker | undefined {
  const strain = ({ load, cpus }: LiveWorker) => load / Math.max(1, cpus);
  const chosen =
    dispatchStrategy === dispatches.random
      ? able[Math.floor(Math.random() * able.length)]
      : able.reduce<LiveWorker | undefined>((best, one) => (best && strain(best) <= strain(one) ? best : one), undefined);
  if (chosen) chosen.load += 1;
  return chosen;
}
