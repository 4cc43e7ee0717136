import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test } from '@rstest/core';
import { knownBrowser, otherBrowser } from '../../scripts/browsers.mjs';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Creates these executables in a temporary folder, and an environment that finds them through PATH or PROGRAMFILES. */
function createBrowsers(...names: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee 浏览器 '));
  folders.push(folder);
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  const environment = { PATH: [join(folder, 'empty'), folder].join(delimiter), PROGRAMFILES: join(folder, 'programs') };
  return { environment, at: (name: string) => join(folder, name) };
}

test('a browser is selected by its path, by its command or by the name of its channel', () => {
  const { environment, at } = createBrowsers('chromium', 'google-chrome-stable', 'microsoft-edge');
  const browserFor = (browser: string) => knownBrowser({ ...environment, CHROMIUM_PATH: browser });
  expect(browserFor(at('chromium'))).toBe(at('chromium'));
  expect(browserFor('google-chrome-stable')).toBe(at('google-chrome-stable'));
  expect(browserFor('chrome')).toBe(at('google-chrome-stable'));
  expect(browserFor('msedge')).toBe(at('microsoft-edge'));
  expect(browserFor(at('gone'))).toBeUndefined();
  expect(browserFor('chromium-headless-shell')).toBeUndefined();
});

test('browsers of Windows are found in the folders of installed programs', () => {
  const { environment, at } = createBrowsers('programs/Microsoft/Edge/Application/msedge.exe');
  expect(knownBrowser({ ...environment, CHROMIUM_PATH: 'msedge' })).toBe(at('programs/Microsoft/Edge/Application/msedge.exe'));
});

test('the headless shell is preferred; the other browser of the shell is a full one, and that of a full one is the shell', () => {
  const { environment, at } = createBrowsers('chromium', 'chromium-headless-shell');
  expect(knownBrowser(environment)).toBe(at('chromium-headless-shell'));
  expect(otherBrowser(at('chromium-headless-shell'), environment)).toBe(at('chromium'));
  expect(otherBrowser(at('chromium'), environment)).toBe(at('chromium-headless-shell'));
});
