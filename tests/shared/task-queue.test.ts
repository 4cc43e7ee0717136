import { expect, test } from '@rstest/core';
import { TaskQueue } from '../../src/shared/text/task-queue.ts';

test('without limits one task runs at a time in the order of arrival, and a failure does not stop the next', async () => {
  const queue = new TaskQueue();
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'a') throw new Error('no');
    return name;
  };
  const results = await Promise.allSettled([queue.run(task('a')), queue.run(task('b')), queue.run(task('c'))]);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual(['failed', 'b', 'c']);
});
