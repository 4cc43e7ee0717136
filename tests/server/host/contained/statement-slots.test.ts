import { afterEach, expect, rs, test } from '@rstest/core';
import { StatementSlots } from '../../../../src/server/host/contained/statement-slots.ts';

afterEach(() => {
  rs.useRealTimers();
});

const lasting = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test('a flood of statements leaves the database to others, and the first second is not slowed', async () => {
  rs.useFakeTimers();
  const slots = new StatementSlots();
  let finished = 0;
  // As a flood does, each statement is followed by the next one.
  const flood = async () => {
    for (;;) {
      await slots.run(() => lasting(50));
      finished += 1;
    }
  };
  for (const _ of Array(20)) void flood().catch(() => undefined);
  await rs.advanceTimersByTimeAsync(500);
  expect(finished).toBe(20);
  const before = finished;
  await rs.advanceTimersByTimeAsync(20_000);
  // Two slots would finish 800 statements; a quarter of the time is left to them.
  expect(finished - before).toBeGreaterThan(150);
  expect(finished - before).toBeLessThan(250);
});

test('statements that are sent now and then never wait', async () => {
  rs.useFakeTimers();
  const slots = new StatementSlots();
  let finished = 0;
  const calls = (async () => {
    for (let call = 0; call < 100; call += 1) {
      await slots.run(() => lasting(20));
      finished += 1;
      await lasting(80);
    }
  })();
  await rs.advanceTimersByTimeAsync(10_000);
  expect(finished).toBe(100);
  await calls;
});

test('hooks of calls that hold all slots run', async () => {
  const slots = new StatementSlots();
  const call = () => slots.run(() => slots.run(async () => slots.run(async () => 'done')));
  expect(await Promise.all([call(), call(), call(), call()])).toEqual(Array(4).fill('done'));
});
