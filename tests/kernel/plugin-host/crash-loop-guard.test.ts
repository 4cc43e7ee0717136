import { afterEach, expect, test } from '@rstest/core';
import { CrashLoopGuard } from '../../../src/kernel/plugin-host/crash-loop-guard.ts';
import { JsonStorage } from '../../../src/kernel/storage.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { named, statuses } from './plugins.ts';

afterEach(() => localStorage.clear());
const begin = (build = 'b1') => new CrashLoopGuard(new JsonStorage(localStorage, 'test-'), build);

test('three failed starts of the console in a row skip a plugin; a successful start or another build resets the count', () => {
  for (const fails of [true, true, false, true, true]) {
    const counter = begin();
    if (fails) for (let times = 0; times < 5; times += 1) counter.startFailed('a');
    expect(counter.isLeftOut('a')).toBe(false);
  }
  begin().startFailed('a');
  expect([begin().isLeftOut('a'), begin().isLeftOut('b')]).toEqual([true, false]);
  begin().forget('a');
  expect(begin().isLeftOut('a')).toBe(false);
  for (let turn = 0; turn < 3; turn += 1) begin().startFailed('a');
  expect(begin('b2').isLeftOut('a')).toBe(false);
});

test('for pages, starts without opening one do not count; a rendered one resets the count', () => {
  begin().pageFailed('a');
  begin();
  begin().pageFailed('a');
  begin().pageDrawn('a');
  for (let turn = 0; turn < 2; turn += 1) begin().pageFailed('a');
  expect(begin().isLeftOut('a')).toBe(false);
  begin().pageFailed('a');
  expect(begin().isLeftOut('a')).toBe(true);
});

test('a console skips such a plugin with its dependents, never a core plugin, and retries it on request', async () => {
  let works = false;
  const shaky = named('shaky', {
    start: () => {
      if (!works) throw new Error('no');
    },
  });
  localStorage.setItem(
    'test-plugin-failures',
    JSON.stringify({ build: process.env.MARQUEE_BUILD ?? '', failures: { shaky: { row: 3, isFresh: true }, heart: { row: 9, isFresh: true } } }),
  );
  const { host } = await testKernel({ plugins: [shaky, named('bound', { needs: ['shaky'] }), named('heart', { core: true })] });
  expect(statuses(host)).toEqual({ shaky: 'quarantined: fails-each-time', bound: 'skipped: need', heart: 'running' });
  works = true;
  expect(await host.enable('shaky')).toBe(true);
  expect(statuses(host)).toEqual({ shaky: 'running', bound: 'running', heart: 'running' });
});
