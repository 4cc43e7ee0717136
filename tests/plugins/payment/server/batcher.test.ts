import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@rstest/core';
import { Batcher } from '../../../../src/plugins/payment/server/dispatcher.ts';

/** Batcher that doubles numbers, with the batches that it has run; numbers below zero fail, and with them their batch. */
function doubling() {
  const batches: [tenantId: string, items: readonly number[]][] = [];
  let running = 0;
  const batcher = new Batcher(async (tenantId: string, items: readonly number[]) => {
    running += 1;
    expect(running).toBe(1);
    batches.push([tenantId, items]);
    await nextTurn();
    running -= 1;
    if (items.some((item) => item < 0)) throw new Error(`${items} cannot be doubled`);
    return items.map((item) => 2 * item);
  });
  return { batches, batcher };
}

test('items that arrive together, or while others run, are one batch of their tenant, and each gets its own result', async () => {
  const { batches, batcher } = doubling();
  const first = [1, 2, 3].map((item) => batcher.run('a', item));
  const other = batcher.run('b', 7);
  await nextTurn();
  const later = [4, 5].map((item) => batcher.run('a', item));
  expect(await Promise.all([...first, other, ...later])).toEqual([2, 4, 6, 14, 8, 10]);
  expect(batches).toEqual([
    ['a', [1, 2, 3]],
    ['b', [7]],
    ['a', [4, 5]],
  ]);
});

test('after a failed batch each of its items runs alone, and only those that fail again are rejected', async () => {
  const { batches, batcher } = doubling();
  const results = await Promise.allSettled([1, -2, 3].map((item) => batcher.run('a', item)));
  expect(results).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: new Error('-2 cannot be doubled') },
    { status: 'fulfilled', value: 6 },
  ]);
  expect(batches.map(([, items]) => items)).toEqual([[1, -2, 3], [1], [-2], [3]]);
  expect(await batcher.run('a', 4)).toBe(8);
});
