import { expect, test } from '@rstest/core';
import { isCron } from '#shared/cron';
import { formatPlan, parsePlan, planOfKind } from '../../../../../src/kernel/crud/controls/cron/cron-plan.ts';

test('common expressions are converted to a schedule and back', () => {
  for (const text of ['0 0/5 * * * ?', '0 30 * * * ?', '0 30 8 * * ?', '0 0 9 ? * MON', '0 0 9 15 * ?']) {
    expect(parsePlan(text).kind).not.toBe('custom');
    expect(formatPlan(parsePlan(text))).toBe(text);
  }
});

test('weekdays follow Quartz in expressions with seconds, and Unix in others', () => {
  expect(parsePlan('0 0 9 ? * 2')).toEqual(parsePlan('0 9 * * 1'));
  expect(parsePlan('0 0 9 ? * 2')).toEqual(parsePlan('0 0 9 ? * MON'));
  expect(parsePlan('0 0 9 ? * 1')).toMatchObject({ weekday: 0 });
  expect([isCron('0 0 9 ? * 0'), isCron('0 9 * * 0'), isCron('0 0 9 ? * MON-SAT'), isCron('0 0 9 ? * 7L')]).toEqual([false, true, true, true]);
});

test('other expressions are custom schedules and stay unchanged', () => {
  for (const text of ['0 0 8 L * ?', '0 0 8 * 1 ?', '0 0 8 * * ? 2030', '* * * * * *', 'nonsense', ''])
    expect(parsePlan(text)).toEqual({ kind: 'custom', text });
});

test('switching to another kind of schedule gives a valid expression, at the same time of day', () => {
  for (const kind of ['minutes', 'hourly', 'daily', 'weekly', 'monthly'] as const) expect(isCron(formatPlan(planOfKind(kind, '0 30 8 * * ?')))).toBe(true);
  expect(planOfKind('weekly', '0 30 8 * * ?')).toMatchObject({ time: '08:30' });
});
