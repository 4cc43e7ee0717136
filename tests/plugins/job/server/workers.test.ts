import { expect, test } from '@rstest/core';
import { eligibleWorkers, type LiveWorker, selectWorker, type WorkerRequirements } from '../../../../src/plugins/job/server/workers.ts';

const worker = (id: string, fields: Partial<LiveWorker> = {}): LiveWorker => ({ id, name: `${id}.local`, cpus: 4, memory: 8, disk: 100, load: 0, ...fields });
const noRequirements: WorkerRequirements = {
  dispatchStrategy: 1,
  designatedWorkers: '',
  minCpuCores: 0,
  minMemorySpace: 0,
  minDiskSpace: 0,
  maxWorkerCount: 0,
};
const ids = (workers: readonly LiveWorker[]) => workers.map(({ id }) => id);

test('a run goes to the worker with the fewest runs per processor, counting those just assigned', () => {
  const workers = [worker('a', { load: 2 }), worker('b', { load: 3, cpus: 16 }), worker('c', { load: 1, cpus: 1 })];
  const selected = Array.from({ length: 6 }, () => selectWorker(workers, noRequirements)?.id);
  expect(selected).toEqual(['b', 'b', 'b', 'b', 'b', 'a']);
  expect(selectWorker([], noRequirements)).toBeUndefined();
});

test('the random strategy selects any worker, whatever its load', () => {
  const workers = [worker('a', { load: 100 }), worker('b'), worker('c')];
  const selected = new Set(Array.from({ length: 200 }, () => selectWorker(workers, { ...noRequirements, dispatchStrategy: 2 })?.id));
  expect([...selected].sort()).toEqual(['a', 'b', 'c']);
});

test('only named workers with the required capabilities are selected', () => {
  const all = [worker('a', { cpus: 1 }), worker('b', { memory: 1 }), worker('c', { disk: 1 }), worker('d')];
  expect(ids(eligibleWorkers(all, { ...noRequirements, designatedWorkers: 'a.local, d.local' }))).toEqual(['a', 'd']);
  expect(ids(eligibleWorkers(all, { ...noRequirements, minCpuCores: 2 }))).toEqual(['b', 'c', 'd']);
  expect(ids(eligibleWorkers(all, { ...noRequirements, minMemorySpace: 2, minDiskSpace: 2 }))).toEqual(['a', 'd']);
});
