import { expect, test } from '@rstest/core';
import { formatDateTime, formatRelativeTime, formatTimeZone, parseDateTime } from '../../../../src/kernel/platform/i18n/date-time.ts';

const noonInShanghai = Date.parse('2026-07-01T04:00:00Z');

test('times are shown in the deployment’s zone on any device', () => {
  expect(parseDateTime('2026-07-01 12:00:00', 'Asia/Shanghai')).toBe(noonInShanghai);
  expect(parseDateTime('2026-07-01 00:00:00', 'America/New_York')).toBe(noonInShanghai);
  expect(formatDateTime(noonInShanghai, 'Asia/Shanghai')).toBe('2026-07-01 12:00:00');
  expect(formatDateTime(noonInShanghai, 'America/New_York')).toBe('2026-07-01 00:00:00');
});

test('changes of daylight saving time are followed on both sides', () => {
  expect(parseDateTime('2026-03-08 01:30:00', 'America/New_York')).toBe(Date.parse('2026-03-08T06:30:00Z'));
  expect(parseDateTime('2026-03-08 03:30:00', 'America/New_York')).toBe(Date.parse('2026-03-08T07:30:00Z'));
});

test('relative times use the user’s language and the deployment’s clock', () => {
  expect(formatRelativeTime('2026-07-01 09:00:00', 'Asia/Shanghai', 'en', noonInShanghai)).toBe('3 hours ago');
  expect(formatRelativeTime('2026-07-01 09:00:00', 'Asia/Tokyo', 'zh', noonInShanghai)).toBe('4小时前');
  expect(formatRelativeTime('2026-07-02 12:00:00', 'Asia/Shanghai', 'en', noonInShanghai)).toBe('tomorrow');
  expect(formatRelativeTime('not a time', 'Asia/Shanghai', 'en', noonInShanghai)).toBe('');
});

test('a zone is shown by its common name and its identifier', () => {
  expect(formatTimeZone('Asia/Shanghai', 'en')).toMatch(/^China.* \(Asia\/Shanghai\)$/);
  expect(formatTimeZone('UTC', 'en')).toContain('UTC');
});
