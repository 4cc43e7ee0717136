import { expect, test } from '@rstest/core';
import { clockText, instantOf, relativeText, zoneText } from '../../../../src/kernel/platform/i18n/moments.ts';

const noonInShanghai = Date.parse('2026-07-01T04:00:00Z');

test('times are shown in the deployment’s zone on any device', () => {
  expect(instantOf('2026-07-01 12:00:00', 'Asia/Shanghai')).toBe(noonInShanghai);
  expect(instantOf('2026-07-01 00:00:00', 'America/New_York')).toBe(noonInShanghai);
  expect(clockText(noonInShanghai, 'Asia/Shanghai')).toBe('2026-07-01 12:00:00');
  expect(clockText(noonInShanghai, 'America/New_York')).toBe('2026-07-01 00:00:00');
});

test('changes of daylight saving time are followed on both sides', () => {
  expect(instantOf('2026-03-08 01:30:00', 'America/New_York')).toBe(Date.parse('2026-03-08T06:30:00Z'));
  expect(instantOf('2026-03-08 03:30:00', 'America/New_York')).toBe(Date.parse('2026-03-08T07:30:00Z'));
});

test('relative times use the user’s language and the deployment’s clock', () => {
  expect(relativeText('2026-07-01 09:00:00', 'Asia/Shanghai', 'en', noonInShanghai)).toBe('3 hours ago');
  expect(relativeText('2026-07-01 09:00:00', 'Asia/Tokyo', 'zh', noonInShanghai)).toBe('4小时前');
  expect(relativeText('2026-07-02 12:00:00', 'Asia/Shanghai', 'en', noonInShanghai)).toBe('tomorrow');
  expect(relativeText('not a time', 'Asia/Shanghai', 'en', noonInShanghai)).toBe('');
});

test('a zone is shown by its common name and its identifier', () => {
  expect(zoneText('Asia/Shanghai', 'en')).toMatch(/^China.* \(Asia\/Shanghai\)$/);
  expect(zoneText('UTC', 'en')).toContain('UTC');
});
