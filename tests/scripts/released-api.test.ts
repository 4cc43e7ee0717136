import { expect, test } from '@rstest/core';
import { apiProblems, apiSignatures } from '../../scripts/sdk/released-api.mjs';

const released = { version: '0.4.2', exports: { '#kernel.page': 'a', '#kernel.route': 'b' } };

test.each([
  ['nothing', { '#kernel.page': 'a', '#kernel.route': 'b' }, '0.4.2', undefined],
  ['an export is added', { '#kernel.page': 'a', '#kernel.route': 'b', '#kernel.slot': 'c' }, '0.4.2', '0.4.3'],
  ['an export is added', { '#kernel.page': 'a', '#kernel.route': 'b', '#kernel.slot': 'c' }, '0.4.3', undefined],
  ['an export is removed', { '#kernel.page': 'a' }, '0.4.3', '0.5.0'],
  ['an export is changed', { '#kernel.page': 'z', '#kernel.route': 'b' }, '0.4.9', '0.5.0'],
  ['an export is changed', { '#kernel.page': 'z', '#kernel.route': 'b' }, '0.5.0', undefined],
])('below 1.0.0, where %s, %o as %s needs at least %s', (_, signatures, version, lowest) => {
  const [first = ''] = apiProblems(version, { released, signatures });
  expect(first).toBe(lowest ? `The public API differs from that of 0.4.2, so the version must be at least ${lowest}, not ${version}.` : '');
});

test('from 1.0.0 on, a breaking change needs a major version and an addition a minor one', () => {
  const stable = { ...released, version: '1.2.0' };
  expect(apiProblems('1.9.0', { released: stable, signatures: { '#kernel.page': 'a' } })).toEqual([
    'The public API differs from that of 1.2.0, so the version must be at least 2.0.0, not 1.9.0.',
    '  removed: #kernel.route',
  ]);
  expect(apiProblems('1.3.0', { released: stable, signatures: { ...released.exports, '#kernel.slot': 'c' } })).toEqual([]);
  expect(apiProblems('1.1.0', { released: stable, signatures: released.exports })).toEqual(['1.1.0 is below the released 1.2.0.']);
});

test('the reports have a signature for every public module', () => {
  const modules = new Set(Object.keys(apiSignatures()).map((name) => name.replace(/\.[^.]+$/, '')));
  expect([...modules]).toEqual(expect.arrayContaining(['#kernel', '#server', '#shared/contract', '#shared/fields']));
  expect(Object.keys(apiSignatures()).length).toBeGreaterThan(400);
});
