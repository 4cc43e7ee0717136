import { expect, test } from '@rstest/core';
import { isCron } from '#shared/cron';
import { formatPlan, parsePlan, planOfKind } from '../../../../../src/kernel/crud/controls/cron/cron-plan.ts';
import { isAccepted, linkOf, parseFileLink } from '../../../../../src/kernel/ui/files/file-link.ts';

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

test('other expressions stay unchanged as custom ones', () => {
  for (const text of ['0 0 8 L * ?', '0 0 8 * 1 ?', '0 0 8 * * ? 2030', '* * * * * *', 'nonsense', ''])
    expect(parsePlan(text)).toEqual({ kind: 'custom', text });
});

test('another type of schedule starts with a valid expression', () => {
  for (const kind of ['minutes', 'hourly', 'daily', 'weekly', 'monthly'] as const) expect(isCron(formatPlan(planOfKind(kind, '0 30 8 * * ?')))).toBe(true);
  expect(planOfKind('weekly', '0 30 8 * * ?')).toMatchObject({ time: '08:30' });
});

test('a link keeps the name its file had, and names a strange one by its last part', () => {
  const reply = {
    id: '7',
    attachId: '7',
    name: 'k',
    originalName: '合同 #1.pdf',
    link: '/api/file/blob?key=k',
    domain: '',
    size: 1,
    type: 'application/pdf',
    ext: 'pdf',
  };
  expect(parseFileLink(linkOf(reply))).toEqual({ id: '7', name: '合同 #1.pdf', address: '/api/file/blob?key=k' });
  expect(parseFileLink('https://x.cn/a/%E5%9B%BE.png?b')).toMatchObject({ id: undefined, name: '图.png' });
});

test('a file is accepted by its type, its kind or its ending', () => {
  const file = { name: 'A.PDF', type: 'application/pdf' };
  expect([undefined, '.pdf', 'application/pdf', 'image/*,.pdf'].every((accept) => isAccepted(file, accept))).toBe(true);
  expect(isAccepted(file, 'image/*')).toBe(false);
});
