import { expect, test } from '@rstest/core';
import { CrashLoopGuard, type FailureRecord } from '../../src/shared/manifest/crash-loop-guard.ts';

const records = new Map<string, FailureRecord>();
const start = (name: string, build = 'b1') => new CrashLoopGuard({ read: () => records.get(name), write: (record) => void records.set(name, record) }, build);

test('a plugin that ends the process while it starts is known by name; a successful start ends the row', () => {
  for (let turn = 0; turn < 3; turn += 1) {
    const counter = start('killed');
    expect(counter.isLeftOut('killer')).toBe(false);
    counter.begin('fine');
    counter.succeeded('fine');
    counter.begin('killer');
  }
  const counter = start('killed');
  expect([counter.isLeftOut('killer'), counter.isLeftOut('fine')]).toEqual([true, false]);
  counter.settle();
  expect(start('killed').isLeftOut('killer')).toBe(true);
  expect(start('killed', 'b2').isLeftOut('killer')).toBe(false);
});

test('failures in a row skip the plugin; a successful start or a retry resets the count', () => {
  const run = (ends: 'failed' | 'succeeded') => {
    const counter = start('failing');
    counter.begin('shaky');
    counter[ends]('shaky');
    counter.settle();
  };
  run('failed');
  run('failed');
  run('succeeded');
  run('failed');
  run('failed');
  expect(start('failing').isLeftOut('shaky')).toBe(false);
  run('failed');
  const counter = start('failing');
  expect(counter.isLeftOut('shaky')).toBe(true);
  counter.clear('shaky');
  expect(start('failing').isLeftOut('shaky')).toBe(false);
});

test('three crashes within an hour leave a plugin out, though each start of it went well', () => {
  for (let turn = 0; turn < 3; turn += 1) {
    const counter = start('crashing');
    expect(counter.isLeftOut('stray')).toBe(false);
    counter.begin('stray');
    counter.succeeded('stray');
    counter.settle();
    counter.crashed('stray');
  }
  expect(start('crashing').isLeftOut('stray')).toBe(true);
  start('crashing').clear('stray');
  expect(start('crashing').isLeftOut('stray')).toBe(false);
});

test('several failures of one start count as one; a successful start clears the count', () => {
  for (const fails of [true, true, false, true, true]) {
    const counter = start('console');
    if (fails) for (let times = 0; times < 5; times += 1) counter.failed('a');
    else counter.succeeded('a');
    expect(counter.isLeftOut('a')).toBe(false);
  }
  start('console').failed('a');
  expect([start('console').isLeftOut('a'), start('console').isLeftOut('b')]).toEqual([true, false]);
  start('console').clear('a');
  expect(start('console').isLeftOut('a')).toBe(false);
  for (let turn = 0; turn < 3; turn += 1) start('console').failed('a');
  expect(start('console', 'b2').isLeftOut('a')).toBe(false);
});

test('starts in which a plugin neither failed nor succeeded change nothing', () => {
  start('pages').failed('a/page');
  start('pages');
  start('pages').failed('a/page');
  start('pages').succeeded('a/page');
  for (let turn = 0; turn < 2; turn += 1) start('pages').failed('a/page');
  expect(start('pages').isLeftOut('a/page')).toBe(false);
  start('pages').failed('a/page');
  expect(start('pages').isLeftOut('a/page')).toBe(true);
});

test('a plugin that fails again in the same process is not taken for one that has ended it', () => {
  const guard = start('retried');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    guard.begin('again');
    guard.failed('again');
  }
  start('retried');
  expect(records.get('retried')?.failures).toEqual({ again: 1 });
});
