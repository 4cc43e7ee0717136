import { expect, test } from '@rstest/core';
import { eligibleWorkers, type LiveWorker, selectWorker, type WorkerRequirements } from '../../../../src/plugins/job/server/workers.ts';

const worker = (id: string, fields: Partial<LiveWorker> = {}): LiveWorker => ({ id, name: `${id}.local`, cpus: 4, memory: 8, disk: 100, load: 0, ...fields });
const demands: WorkerRequirements = { dispatchStrategy: 1, designatedWorkers: '', minCpuCores: 0, minMemorySpace: 0, minDiskSpace: 0, maxWorkerCount: 0 };
const ids = (workers: readonly LiveWorker[]) => workers.map(({ id }) => id);

test('a run goes to the healthiest worker: the one with the fewest runs of its processors, counting new ones at once', () => {
  const able = [worker('a', { load: 2 }), worker('b', { load: 3, cpus: 16 }), worker('c', { load: 1, cpus: 1 })];
  const given = Array.from({ length: 6 }, () => selectWorker(able, demands)?.id);
  expect(given).toEqual(['b', 'b', 'b', 'b', 'b', 'a']);
  expect(selectWorker([], demands)).toBeUndefined();
});

test('at random any worker is selected, with any load', () => {
  const able = [worker('a', { load: 100 }), worker('b'), worker('c')];
  const asked = new Set(Array.from({ length: 200 }, () => selectWorker(able, { ...demands, dispatchStrategy: 2 })?.id));
  expect([...asked].sort()).toEqual(['a', 'b', 'c']);
});

test('only named workers with the required capabilities are selected', () => {
  const all = [worker('a', { cpus: 1 }), worker('b', { memory: 1 }), worker('c', { disk: 1 }), worker('d')];
  expect(ids(eligibleWorkers(all, { ...demands, designatedWorkers: 'a.local, d.local' }))).toEqual(['a', 'd']);
  expect(ids(eligibleWorkers(all, { ...demands, minCpuCores: 2 }))).toEqual(['b', 'c', 'd']);
  expect(ids(eligibleWorkers(all, { ...demands, minMemorySpace: 2, minDiskSpace: 2 }))).toEqual(['a', 'd']);
});
