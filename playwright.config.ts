import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { knownBrowser } from './scripts/browsers.mjs';
import { tenthOf, turnOfDay } from './scripts/in-turn.mjs';

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

/** The journeys whose turn it is, in the other browser: by the day, or as `JOURNEY_TURN` says. */
function turnInOtherBrowser(executablePath: string) {
  const journeys = readdirSync(join(import.meta.dirname, 'tests/journeys')).filter((name) => name.endsWith('.journey.ts'));
  const turn = Number(process.env.JOURNEY_TURN ?? turnOfDay());
  return { name: `other browser, turn ${turn}`, testMatch: tenthOf(journeys, turn), use: { launchOptions: launchedFrom(executablePath) } };
}

/**
 * The built product, started as an operator would, in a real browser. `CHROMIUM_PATH` names the browser; without it one of this machine is found. `OTHER_CHROMIUM_PATH` names another for
 * a tenth of the journeys.
 */
export default defineConfig({
  testDir: soaks ? 'tests/soak' : 'tests/journeys',
  testMatch: soaks ? '*.soak.ts' : '*.journey.ts',
  ...(soaks ? {} : { globalSetup: 'tests/journeys/prepared.setup.ts' }),
  timeout: soaks ? 900_000 : 180_000,
  expect: { timeout: 30_000 },
  // Much of a journey waits for clocks; one more than there are processors is at work meanwhile.
  workers: 3,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  ...(otherBrowser && !soaks ? { projects: [{ name: 'journeys' }, turnInOtherBrowser(otherBrowser)] } : {}),
  use: {
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    // What glides is drawn frame by frame, by the processors the server needs; journeys about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs as much as the journey: `--trace on` records the one that is looked into.
    trace: 'off',
    screenshot: soaks ? 'off' : 'only-on-failure',
    launchOptions: launchedFrom(knownBrowser()),
  },
});
