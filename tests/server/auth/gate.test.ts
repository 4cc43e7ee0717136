import { expect, test } from '@rstest/core';
import { Gate } from '../../../src/server/auth/gate.ts';

/** Work that ends when it is told to. */
function tasks(gate: Gate) {
  const order: string[] = [];
  const ends: Record<string, () => void> = {};
  const run = (name: string) =>
    gate.pass(() => {
      order.push(name);
      return new Promise<string>((resolve) => (ends[name] = () => resolve(name)));
    });
  return { order, run, end: (name: string) => ends[name]?.() };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('so much is done at a time, the rest in the order in which it came', async () => {
  const { order, run, end } = tasks(new Gate({ atOnce: 2, waiting: 10 }));
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

test('what finds the queue full is refused at once, and a place that is left can be taken', async () => {
  const { run, end } = tasks(new Gate({ atOnce: 1, waiting: 1 }));
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

test('work that fails gives its place back', async () => {
  const gate = new Gate({ atOnce: 1, waiting: 0 });
  for (let turn = 0; turn < 3; turn += 1) await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.pass(async () => 'yes')).toBe('yes');
});
