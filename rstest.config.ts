import { withRsbuildConfig } from '@rstest/adapter-rsbuild';
import { defineConfig } from '@rstest/core';

const report = process.env.TEST_REPORT;

const limits = { testTimeout: 30_000, hookTimeout: 60_000 };

/** Node for the server's half, a DOM for the console's. Journeys in a real browser are Playwright's (`playwright.config.ts`). */
export default defineConfig({
  pool: process.env.BENCH
    ? { execArgv: ['--expose-gc'], maxWorkers: 1 }
    : // Some of a suite waits for clocks; more workers than there are processors are at work meanwhile. Files share a process, and most of what one makes is gone with it: room for the young is cheaper than looking through them often.
      { execArgv: ['--max-semi-space-size=64'], maxWorkers: 4 },
  // The files of one worker share its process, so that the engine, the packages and what tests are made with are loaded once.
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
        'tests/{architecture,docs,scripts,server,shared,contract,faults}/**/*.test.ts',
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
