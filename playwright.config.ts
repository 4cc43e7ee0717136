import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { knownBrowser } from './scripts/browsers.mjs';
import { tenthOf, turnOfDay } from './scripts/test-rotation.mjs';

const report = process.env.TEST_REPORT;
const soaks = process.env.SOAK !== undefined;
const otherBrowser = process.env.OTHER_CHROMIUM_PATH;

const launchedFrom = (executablePath: string | undefined) => ({
  ...(executablePath ? { executablePath } : {}),
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    ...(soaks ? ['--js-flags=--jitless'] : ['--js-flags=--no-opt']),
  ],
});

/** Journeys of a minute and longer. They start first, so that none of them is the last one running. */
const longest = ['plugin-sdk.journey.ts', 'plugin-commands.journey.ts', 'accessibility.journey.ts', 'first-start.journey.ts'];
const journeys = [
  { name: 'the longest', testMatch: longest },
  { name: 'journeys', testIgnore: longest },
];

/** Builds the project for the tenth of the journeys that runs in the other browser, selected by the day or by `JOURNEY_TURN`. */
function turnInOtherBrowser(executablePath: string) {
  const all = readdirSync(join(import.meta.dirname, 'tests/journeys')).filter((name) => name.endsWith('.journey.ts'));
  // Workers load this file too, and inherit the turn: a run may pass midnight.
  process.env.JOURNEY_TURN ??= String(turnOfDay());
  const turn = Number(process.env.JOURNEY_TURN);
  return { name: `other browser, turn ${turn}`, testMatch: tenthOf(all, turn), use: { launchOptions: launchedFrom(executablePath) } };
}

/**
 * Configures the journeys: the built product, started as an operator would, in a real browser. `CHROMIUM_PATH` names the browser; without it one of this machine is
 * found. `OTHER_CHROMIUM_PATH` names another for a tenth of the journeys.
 */
export default defineConfig({
  testDir: soaks ? 'tests/soak' : 'tests/journeys',
  testMatch: soaks ? '*.soak.ts' : '*.journey.ts',
  ...(soaks ? {} : { globalSetup: 'tests/journeys/prepared.setup.ts' }),
  timeout: soaks ? 900_000 : 180_000,
  expect: { timeout: 30_000 },
  // Journeys often wait, so there are more workers than processors. CI machines are often shared and get one worker fewer.
  workers: process.env.CI ? 3 : 4,
  // Only in CI a failed journey runs once more, as in `rstest.config.ts`.
  retries: process.env.CI && !soaks ? 1 : 0,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  ...(soaks ? {} : { projects: [...journeys, ...(otherBrowser ? [turnInOtherBrowser(otherBrowser)] : [])] }),
  use: {
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    // Animations are drawn frame by frame on the processors that the server needs; journeys about motion enable them.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording a trace takes as long as the journey; use `--trace on` for a single journey.
    trace: 'off',
    screenshot: soaks ? 'off' : 'only-on-failure',
    launchOptions: launchedFrom(knownBrowser()),
  },
});
