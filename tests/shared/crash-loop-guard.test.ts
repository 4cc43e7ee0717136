import { expect, test } from '@rstest/core';
import { CrashLoopGuard, type FailureRecord } from '../../src/shared/manifest/crash-loop-guard.ts';

const records = new Map<string, FailureRecord>();
/** Starts a process; processes of the same name share their record. */
const startProcess = (name: string, build = 'b1') =>
  new CrashLoopGuard({ read: () => records.get(name), write: (record) => void records.set(name, record) }, build);

test('a plugin whose start has ended the process three times is left out until another build, and the other plugins are not', () => {
  for (let turn = 0; turn < 3; turn += 1) {
    const guard = startProcess('killed');
    expect(guard.isLeftOut('killer')).toBe(false);
    guard.begin('fine');
    guard.succeeded('fine');
    guard.begin('killer');
  }
  const guard = startProcess('killed');
  expect([guard.isLeftOut('killer'), guard.isLeftOut('fine')]).toEqual([true, false]);
  guard.settle();
  expect(startProcess('killed').isLeftOut('killer')).toBe(true);
  expect(startProcess('killed', 'b2').isLeftOut('killer')).toBe(false);
});

test('a plugin is left out after three consecutive failures; a successful start or a retry resets the count', () => {
  const runOnce = (outcome: 'failed' | 'succeeded') => {
    const guard = startProcess('failing');
    guard.begin('shaky');
    guard[outcome]('shaky');
    guard.settle();
  };
  runOnce('failed');
  runOnce('failed');
  runOnce('succeeded');
  runOnce('failed');
  runOnce('failed');
  expect(startProcess('failing').isLeftOut('shaky')).toBe(false);
  runOnce('failed');
  const guard = startProcess('failing');
  expect(guard.isLeftOut('shaky')).toBe(true);
  guard.clear('shaky');
  expect(startProcess('failing').isLeftOut('shaky')).toBe(false);
});

test('a plugin that crashes three times within an hour is left out, even if each of its starts succeeded', () => {
  for (let turn = 0; turn < 3; turn += 1) {
    const guard = startProcess('crashing');
    expect(guard.isLeftOut('stray')).toBe(false);
    guard.begin('stray');
    guard.succeeded('stray');
    guard.settle();
    guard.crashed('stray');
  }
  expect(startProcess('crashing').isLeftOut('stray')).toBe(true);
  const crashes = records.get('crashing')?.crashes?.stray ?? [];
  records.set('crashing', { ...(records.get('crashing') as FailureRecord), crashes: { stray: crashes.map((time) => time - 3_600_001) } });
  expect(startProcess('crashing').isLeftOut('stray')).toBe(false);
  records.set('crashing', { ...(records.get('crashing') as FailureRecord), crashes: { stray: crashes } });
  startProcess('crashing').clear('stray');
  expect(startProcess('crashing').isLeftOut('stray')).toBe(false);
});

test('several failures of one start count as one; a successful start clears the count', () => {
  for (const isFailure of [true, true, false, true, true]) {
    const guard = startProcess('console');
    if (isFailure) for (let times = 0; times < 5; times += 1) guard.failed('a');
    else guard.succeeded('a');
    expect(guard.isLeftOut('a')).toBe(false);
  }
  startProcess('console').failed('a');
  expect([startProcess('console').isLeftOut('a'), startProcess('console').isLeftOut('b')]).toEqual([true, false]);
  startProcess('console').clear('a');
  expect(startProcess('console').isLeftOut('a')).toBe(false);
  for (let turn = 0; turn < 3; turn += 1) startProcess('console').failed('a');
  expect(startProcess('console', 'b2').isLeftOut('a')).toBe(false);
});

test('a start in which a plugin neither failed nor succeeded does not change its count', () => {
  startProcess('pages').failed('a/page');
  startProcess('pages');
  startProcess('pages').failed('a/page');
  startProcess('pages').succeeded('a/page');
  for (let turn = 0; turn < 2; turn += 1) startProcess('pages').failed('a/page');
  expect(startProcess('pages').isLeftOut('a/page')).toBe(false);
  startProcess('pages').failed('a/page');
  expect(startProcess('pages').isLeftOut('a/page')).toBe(true);
});

test('a plugin that fails twice in one process is counted once, and not as one that has ended it', () => {
  const guard = startProcess('retried');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    guard.begin('again');
    guard.failed('again');
  }
  startProcess('retried');
  expect(records.get('retried')?.failures).toEqual({ again: 1 });
});
