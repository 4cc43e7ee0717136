import { defineConfig } from '@playwright/test';

const report = process.env.TEST_REPORT;
const soaks = process.env.SOAK !== undefined;

/** The built product, started as an operator would, in a real browser. `CHROMIUM_PATH` names the browser; `npm test` finds it. */
export default defineConfig({
  testDir: soaks ? 'tests/soak' : 'tests/journeys',
  testMatch: soaks ? '*.soak.ts' : '*.journey.ts',
  ...(soaks ? {} : { globalSetup: 'tests/journeys/prepared.setup.ts' }),
  timeout: soaks ? 900_000 : 180_000,
  expect: { timeout: 30_000 },
  // Much of a journey waits for clocks; one more than there are processors is at work meanwhile.
  workers: 3,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    // What glides is drawn frame by frame, by the processors the server needs; journeys about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs as much as the journey: `--trace on` records the one that is looked into.
    trace: 'off',
    screenshot: soaks ? 'off' : 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        ...(soaks ? ['--js-flags=--jitless'] : ['--js-flags=--no-opt']),
      ],
    },
  },
});
