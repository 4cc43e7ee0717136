import { expect, test } from '@rstest/core';
import { wireFormats } from '#shared/formats';
import { isOpenable } from '#shared/text';

/** Addresses that run a script or lead to another site unnoticed, in some programs at least. */
const hostileAddresses = [
  ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', '\tjavascript:alert(1)', '\u0001javascript:alert(1)', 'java\tscript:alert(1)'],
  ...[
    'java\nscript:alert(1)',
    'javascript\u00a0:alert(1)',
    'javascript:alert(1)//x.html',
    'javascript://%0aalert(1)',
    'java&#115;cript:alert(1)',
    'javascript&colon;alert(1)',
  ],
  ...['data:text/html,<script>alert(1)</script>', 'vbscript:msgbox', 'file:///etc/passwd', 'blob:https://a/b', 'view-source:x', 'intent://x'],
  ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'https:evil.example/a b', 'https://a b', '/a\tb', 'mailto:a@b.c'],
];

test('addresses that run a script or lead elsewhere are not opened, in any notation', () => {
  expect(hostileAddresses.filter(isOpenable)).toEqual([]);
  expect(hostileAddresses.filter((address) => wireFormats.link?.(address) || wireFormats.uri?.(address))).toEqual([]);
});

test('addresses of the console and of other sites are opened', () => {
  const openableAddresses = [
    '/system/param',
    '/',
    '/task/list?status=1#x',
    'wel/index',
    'wel',
    'page.html',
    'https://example.com',
    'HTTP://example.com/a?b=c:d',
    `https://e.com/?token=\${token}`,
  ];
  expect(openableAddresses.filter((address) => !isOpenable(address))).toEqual([]);
});
