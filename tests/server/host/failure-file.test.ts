import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@rstest/core';
import type { Log } from '../../../src/server/base/log.ts';
import { failureFile } from '../../../src/server/host/plugin-host/failure-file.ts';
import { CrashLoopGuard } from '../../../src/shared/manifest/crash-loop-guard.ts';

const directory = mkdtempSync(join(tmpdir(), 'marquee-starts-'));
afterAll(() => rmSync(directory, { recursive: true }));
const told: string[] = [];
const log = { warn: (_: unknown, text: string) => told.push(text) } as unknown as Log;
const start = (name: string) => new CrashLoopGuard(failureFile(join(directory, name, 'starts.json'), log), 'b1');

test('failures are read from the file at the next start', () => {
  for (let turn = 0; turn < 3; turn += 1) start('kept').begin('killer');
  expect(start('kept').isLeftOut('killer')).toBe(true);
  expect(told).toEqual([]);
});

test('where nothing can be kept, the server starts all the same and says so', () => {
  writeFileSync(join(directory, 'no-folder'), '');
  start('no-folder').begin('any');
  expect(told).toEqual(['could not store plugin start failures; a plugin that crashes the server will not be skipped']);
});
