import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@rstest/core';
import { ContextVariable } from '../../../src/server/base/context-variable.ts';

const color = new ContextVariable<string>();
const size = new ContextVariable<number>();
const both = () => [color.get(), size.get()];

test('each variable is set and nested independently of the others', async () => {
  const seen: unknown[] = [];
  const end = color.run('red', async () => {
    seen.push(both());
    await size.run(1, async () => {
      await delay(1);
      seen.push(both(), color.run('blue', both));
    });
    seen.push(both());
  });
  seen.push(both());
  await end;
  expect(seen).toEqual([
    ['red', undefined],
    [undefined, undefined],
    ['red', 1],
    ['blue', 1],
    ['red', undefined],
  ]);
  expect(both()).toEqual([undefined, undefined]);
});

test('work that runs side by side sees its own values, also in its timers', async () => {
  const work = async () => {
    await delay(1);
    return new Promise((resolve) => setTimeout(() => resolve(both()), 1));
  };
  const all = [1, 2, 3].map((number) => size.run(number, () => color.run(`color ${number}`, work)));
  expect(await Promise.all(all)).toEqual([1, 2, 3].map((number) => [`color ${number}`, number]));
});

test('a value that is set to undefined hides the outer one, and an error leaves nothing behind', () => {
  const optional = new ContextVariable<string | undefined>();
  expect(optional.run('outer', () => optional.run(undefined, () => optional.get()))).toBeUndefined();
  expect(() =>
    color.run('red', () => {
      throw new Error('thrown inside');
    }),
  ).toThrow('thrown inside');
  expect(color.get()).toBeUndefined();
});
