import { expect, test } from '@rstest/core';
import { IntervalTask } from '../../../src/server/base/interval-task.ts';

const noError = (error: unknown) => {
  throw error;
};

test('a run ends at its next step when the task is stopped, and no other begins', async () => {
  let [runs, steps] = [0, 0];
  const task = new IntervalTask(
    0.001,
    async (signal) => {
      runs += 1;
      for (; !signal.aborted; steps += 1) await new Promise((done) => setTimeout(done, 1));
    },
    noError,
  );
  await expect.poll(() => steps, { timeout: 30_000 }).toBeGreaterThan(3);
  await task.stop();
  const stopped = steps;
  await new Promise((done) => setTimeout(done, 20));
  expect([runs, steps]).toEqual([1, stopped]);
});
