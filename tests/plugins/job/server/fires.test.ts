import { expect, test } from '@rstest/core';
import { CronExpressionParser } from 'cron-parser';
import { cronOf, firesUntil, nextFire } from '../../../../src/plugins/job/server/fires.ts';

const zones = ['Asia/Shanghai', 'UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns', 'Africa/Casablanca', 'Asia/Kathmandu'];
/** `CRON_ROUNDS=10000` compares as many expressions as were compared once; the reference takes most of the time. */
const rounds = Number(process.env.CRON_ROUNDS ?? 300);
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Returns the same numbers in the same order every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Returns a part of an expression: anything, a number, a list, a range or a step. */
function part(roll: (sides: number) => number, least: number, most: number): string {
  const number = () => least + roll(most - least + 1);
  const [low, high] = [number(), number()].sort((one, other) => one - other);
  return ['*', String(number()), low === high ? String(low) : `${low},${high}`, `${low}-${high}`, `*/${1 + roll(most)}`][roll(5)] as string;
}

function expression(roll: (sides: number) => number): string {
  const time = [part(roll, 0, 59), part(roll, 0, 59), part(roll, 0, 23)];
  const month = roll(5) === 0 ? part(roll, 1, 12) : '*';
  const day = roll(2) === 0 ? [part(roll, 1, 28), month, '?'] : ['?', month, weekdays[roll(7)]];
  return [...time, ...day].join(' ');
}

/** Returns undefined if the library gives up the search. */
function referenceFire(text: string, after: number, zone: string): number | undefined {
  try {
    return CronExpressionParser.parse(text, { currentDate: new Date(after), tz: zone })
      .next()
      .getTime();
  } catch {
    return undefined;
  }
}

test('random expressions in eight time zones are due when a reference library says so, daylight saving changes included', () => {
  const roll = dice(20_260_101);
  const wrong: string[] = [];
  let unknown = 0;
  for (let count = 0; count < rounds; count++) {
    const text = expression(roll);
    const zone = zones[roll(zones.length)] as string;
    const from = Date.UTC(2026, roll(24), 1 + roll(28), roll(24), roll(60), roll(60));
    const mine = cronOf(text, zone)?.nextRun(new Date(from))?.getTime();
    const reference = referenceFire(text, from, zone);
    if (reference === undefined) unknown += 1;
    else if (mine !== reference)
      wrong.push(`${text} in ${zone} after ${new Date(from).toISOString()}: ${mine && new Date(mine).toISOString()}, not ${new Date(reference).toISOString()}`);
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(unknown).toBeLessThan(Math.max(5, rounds / 200));
});

test('weekdays follow Quartz in expressions with seconds', () => {
  const sunday = Date.UTC(2026, 0, 4);
  expect(cronOf('0 0 8 ? * 1', 'UTC')?.nextRun(new Date(sunday))?.toISOString()).toBe('2026-01-04T08:00:00.000Z');
  expect(cronOf('0 8 * * 1', 'UTC')?.nextRun(new Date(sunday))?.toISOString()).toBe('2026-01-05T08:00:00.000Z');
});

test('a validity period limits due times, and missed ones are returned oldest first', () => {
  const rate = { timeExpressionType: 3, timeExpression: '1000' };
  expect(nextFire({ ...rate, from: 5000 }, 0, 'UTC')).toBe(5000);
  expect(nextFire({ ...rate, until: 5000 }, 4500, 'UTC')).toBeUndefined();
  expect(firesUntil({ ...rate, until: 4000 }, 1000, 9000, 'UTC')).toEqual({ fires: [1000, 2000, 3000, 4000], next: undefined });
  const long = firesUntil(rate, 0, 5_000_000, 'UTC');
  expect([long.fires.length, long.next]).toEqual([1000, 5_001_000]);
});
