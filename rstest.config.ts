import { withRsbuildConfig } from '@rstest/adapter-rsbuild';
import { defineConfig } from '@rstest/core';

const report = process.env.TEST_REPORT;

/** Only in CI, whose machines are shared and slow at times, a failed test runs once more; `npm test` names each one that then passes. */
const retry = process.env.CI && !process.env.BENCH ? 1 : 0;

/** Set for each project, as projects do not inherit them. */
const limits = { testTimeout: 30_000, hookTimeout: 60_000, retry };

/**
 * Configures unit and integration tests: Node for the server half, a DOM for the console half. Journeys in a real browser run in Playwright
 * (`playwright.config.ts`).
 */
export default defineConfig({
  pool: process.env.BENCH
    ? { execArgv: ['--expose-gc'], maxWorkers: 1 }
    : // Tests often wait for timers, so there are more workers than processors. Files share a process and leave much garbage: a large young generation is cheaper than frequent collections.
      { execArgv: ['--max-semi-space-size=64'], maxWorkers: 4 },
  // The files of one worker share its process, so that the database engine, the packages and the test fixtures are loaded once.
  isolate: process.env.BENCH !== undefined,
  reporters: report ? ['default', ['json', { outputPath: report }]] : ['default'],
  projects: [
    {
      name: 'server',
      ...limits,
      extends: withRsbuildConfig({ environmentName: 'node' }),
      testEnvironment: 'node',
      setupFiles: ['./tests/support/between-server-tests.ts'],
      include: [
        'tests/{architecture,docs,scripts,server,shared,contract,specification,faults}/**/*.test.ts',
        'tests/plugins/*/server/**/*.test.ts',
        'tests/plugins/*/contract.test.ts',
      ],
    },
    {
      name: 'console',
      ...limits,
      extends: withRsbuildConfig({ environmentName: 'web' }),
      testEnvironment: 'happy-dom',
      setupFiles: ['./tests/support/dom.ts', './tests/support/between-tests.ts'],
      include: ['tests/kernel/**/*.test.{ts,tsx}', 'tests/plugins/*/console/**/*.test.{ts,tsx}'],
    },
    ...(process.env.BENCH
      ? [
          {
            name: 'bench',
            extends: withRsbuildConfig({ environmentName: 'node' }),
            testEnvironment: 'node' as const,
            testTimeout: 1_800_000,
            hookTimeout: 1_800_000,
            include: ['tests/bench/*.bench.{ts,tsx}'],
          },
        ]
      : []),
  ],
});
