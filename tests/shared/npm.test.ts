import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from '@rstest/core';
import { npmCommand, npmFailure } from '../../scripts/npm.mjs';

const again = 'and run the same command again.';

test('npm is run by its JavaScript, which needs no shell: the npm that runs the command, or one on the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee npm '));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'node_modules/npm/bin/npm-cli.js');
  mkdirSync(join(script, '..'), { recursive: true });
  writeFileSync(script, '');
  expect(npmCommand({ npm_execpath: script, PATH: '' })).toEqual([process.execPath, realpathSync(script)]);
  const [program, ...args] = npmCommand({ npm_execpath: join(folder, 'pnpm.cjs'), PATH: folder });
  expect(program === process.execPath ? args[0] : program).toMatch(/npm-cli\.js$/);
});

test.each([
  [
    'npm error code ECONNREFUSED\nnpm error request to http://127.0.0.1:1/react failed',
    /^Packages could not be downloaded from http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\): /,
  ],
  [
    'npm error code ENOTFOUND\nnpm error request to https://clerk:hush@registry.example/react failed',
    /^Packages could not be downloaded from https:\/\/registry\.example /,
  ],
  ['npm ERR! code ENOSPC', /the disk is full/],
  ['npm error code EACCES', /may not write/],
  ['npm error code EBUSY', /in use/],
  ['npm error code EUSAGE', /package-lock\.json does not fit/],
])('%j becomes one sentence', (output, sentence) => {
  expect(npmFailure(output, 1)).toMatch(sentence);
  expect(npmFailure(output, 1).endsWith(again)).toBe(true);
  expect(npmFailure(output, 1)).not.toMatch(/\n|hush/);
});

test('further output of npm is shown', () => {
  expect(npmFailure('npm error code E418\nnpm error a teapot', 1)).toBe(
    'Packages could not be installed: npm ended with 1.\nnpm error code E418\nnpm error a teapot',
  );
});
