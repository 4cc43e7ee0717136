import { expect, test } from '@rstest/core';
import { Bulkhead } from '../../../src/server/base/bulkhead.ts';

/** Work that ends when the test calls `end`. */
function tasks(bulkhead: Bulkhead) {
  const order: string[] = [];
  const ends: Record<string, () => void> = {};
  const run = (name: string) =>
    bulkhead.run(() => {
      order.push(name);
      return new Promise<string>((resolve) => (ends[name] = () => resolve(name)));
    });
  return { order, run, end: (name: string) => ends[name]?.() };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('runs as many at a time as it may, the rest in the order of arrival', async () => {
  const { order, run, end } = tasks(new Bulkhead({ concurrency: 2, queueSize: 10 }));
  const all = ['a', 'b', 'c', 'd'].map(run);
  await settled();
  expect(order).toEqual(['a', 'b']);
  end('b');
  await settled();
  expect(order).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) end(name);
  await settled();
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('refuses at once when the queue is full, and gives a place that became free to the next', async () => {
  const { run, end } = tasks(new Bulkhead({ concurrency: 1, queueSize: 1 }));
  const [first, second] = [run('a'), run('b')];
  await expect(run('c')).rejects.toMatchObject({ problem: { status: 503 }, values: { seconds: 5 } });
  end('a');
  await first;
  const third = run('d');
  end('b');
  await second;
  await settled();
  end('d');
  expect(await third).toBe('d');
});

test('gives the place of work that failed to the next', async () => {
  const bulkhead = new Bulkhead({ concurrency: 1, queueSize: 0 });
  for (let turn = 0; turn < 3; turn += 1) await expect(bulkhead.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await bulkhead.run(async () => 'yes')).toBe('yes');
});
