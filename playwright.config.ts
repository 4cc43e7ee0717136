import { defineConfig } from '@playwright/test';

const report = process.env.TEST_REPORT;

/** The built product, started as an operator would, in a real browser. `CHROMIUM_PATH` names the browser; `npm test` finds it. */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '*.journey.ts',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 2,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
  },
});
