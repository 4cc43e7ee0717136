import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@rstest/core';
import { CrashLoopGuard } from '../../src/server/crash-loop-guard.ts';
import type { Log } from '../../src/server/http/app.ts';

const directory = mkdtempSync(join(tmpdir(), 'marquee-starts-'));
afterAll(() => rmSync(directory, { recursive: true }));
const told: string[] = [];
const log = { warn: (_: unknown, text: string) => told.push(text) } as unknown as Log;
const start = (name: string, build = 'b1') => new CrashLoopGuard(join(directory, name, 'starts.json'), build, log);

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
  counter.forget('shaky');
  expect(start('failing').isLeftOut('shaky')).toBe(false);
});

test('if nothing can be stored, the server starts nevertheless and logs it', () => {
  writeFileSync(join(directory, 'no-folder'), '');
  start('no-folder').begin('any');
  expect(told).toEqual(['could not store the start counts of plugins; a crash-looping plugin will not be skipped']);
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
  start('crashing').forget('stray');
  expect(start('crashing').isLeftOut('stray')).toBe(false);
});
