import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test } from '@rstest/core';
import { knownBrowser, otherBrowser } from '../../scripts/browsers.mjs';
import { shardOfTurn, tenthOf, turnOfDay } from '../../scripts/test-rotation.mjs';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Creates a machine with these executables, each in a folder of PATH or below a folder of programs. */
function machine(...names: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee 浏览器 '));
  folders.push(folder);
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  const environment = { PATH: [join(folder, 'empty'), folder].join(delimiter), PROGRAMFILES: join(folder, 'programs') };
  return { environment, at: (name: string) => join(folder, name) };
}

test('a browser is chosen by its path, by its command or by the name of its channel', () => {
  const { environment, at } = machine('chromium', 'google-chrome-stable', 'microsoft-edge');
  const chosen = (browser: string) => knownBrowser({ ...environment, CHROMIUM_PATH: browser });
  expect(chosen(at('chromium'))).toBe(at('chromium'));
  expect(chosen('google-chrome-stable')).toBe(at('google-chrome-stable'));
  expect(chosen('chrome')).toBe(at('google-chrome-stable'));
  expect(chosen('msedge')).toBe(at('microsoft-edge'));
  expect(chosen(at('gone'))).toBeUndefined();
  expect(chosen('chromium-headless-shell')).toBeUndefined();
});

test('programs of Windows are found where they are installed', () => {
  const { environment, at } = machine('programs/Microsoft/Edge/Application/msedge.exe');
  expect(knownBrowser({ ...environment, CHROMIUM_PATH: 'msedge' })).toBe(at('programs/Microsoft/Edge/Application/msedge.exe'));
});

test('the shell is preferred; the other browser is a full one, and beside a full one the shell', () => {
  const { environment, at } = machine('chromium', 'chromium-headless-shell');
  expect(knownBrowser(environment)).toBe(at('chromium-headless-shell'));
  expect(otherBrowser(at('chromium-headless-shell'), environment)).toBe(at('chromium'));
  expect(otherBrowser(at('chromium'), environment)).toBe(at('chromium-headless-shell'));
});

test('in ten consecutive turns each file is selected once, in any given order', () => {
  const files = Array.from({ length: 43 }, (_, number) => `${number}.journey.ts`);
  for (const first of [0, 7, turnOfDay()]) {
    const tenths = Array.from({ length: 10 }, (_, index) => tenthOf(files, first + index));
    expect(tenths.flat().sort()).toEqual([...files].sort());
    expect(tenths.every(({ length }) => length === 4 || length === 5)).toBe(true);
  }
  expect(tenthOf([...files].reverse(), 3)).toEqual(tenthOf(files, 3));
});

test('the runs of a turn cover all shards, and each run has all of them in as many turns', () => {
  const everyShard = ['1/3', '2/3', '3/3'];
  for (const turn of [0, 7, turnOfDay()]) {
    expect([0, 1, 2].map((run) => shardOfTurn(run, 3, turn)).sort()).toEqual(everyShard);
    expect([0, 1, 2].map((later) => shardOfTurn(1, 3, turn + later)).sort()).toEqual(everyShard);
  }
});

test('a turn lasts a day', () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  expect(turnOfDay(noon + 3_600_000)).toBe(turnOfDay(noon));
  expect(turnOfDay(noon + 86_400_000)).toBe(turnOfDay(noon) + 1);
});
