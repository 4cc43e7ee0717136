import { expect, test } from '@rstest/core';
import { shardOfTurn, tenthOf, turnOfDay } from '../../scripts/test-rotation.mjs';

test('in ten consecutive turns each file is selected once, whatever the order of the list', () => {
  const files = Array.from({ length: 43 }, (_, number) => `${number}.journey.ts`);
  for (const first of [0, 7, turnOfDay()]) {
    const tenths = Array.from({ length: 10 }, (_, index) => tenthOf(files, first + index));
    expect(tenths.flat().sort()).toEqual([...files].sort());
    expect(tenths.every(({ length }) => length === 4 || length === 5)).toBe(true);
  }
  expect(tenthOf([...files].reverse(), 3)).toEqual(tenthOf(files, 3));
});

test('the runs of a turn cover all shards, and so do the turns of each run', () => {
  const everyShard = ['1/3', '2/3', '3/3'];
  for (const turn of [0, 7, turnOfDay()]) {
    expect([0, 1, 2].map((run) => shardOfTurn(run, 3, turn)).sort()).toEqual(everyShard);
    expect([0, 1, 2].map((later) => shardOfTurn(1, 3, turn + later)).sort()).toEqual(everyShard);
  }
});

test('a turn lasts a day', () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  expect(turnOfDay(noon + 3_600_000)).toBe(turnOfDay(noon));
  expect(turnOfDay(noon + 86_400_000)).toBe(turnOfDay(noon) + 1);
});
