import { delimiter } from 'node:path';
import type { RsbuildConfig } from '@rsbuild/core';
import { withRsbuildConfig } from '@rstest/adapter-rsbuild';
import { defineConfig } from '@rstest/core';
import { testedPlugins } from './scripts/tested-plugins.ts';

/** Folders outside of the tree whose plugins `npm run plugin -- check` judges. */
const checkedFolders = process.env.CHECKED_FOLDERS?.split(delimiter) ?? [];

/** Tests that run only while single plugins are checked. */
const checks = process.env.CHECKED_PLUGINS === undefined ? [] : ['tests/contract/checked-plugins.check.ts'];

const report = process.env.TEST_REPORT;

/** Only in CI, whose machines are shared and slow at times, a failed test runs once more; `npm test` names each one that then passes. Benches and checks of plugins run once. */
const retry = process.env.CI && !process.env.BENCH && checks.length === 0 ? 1 : 0;

/** Folder of a plugin outside this repository, whose tests run instead. */
const folder = process.env.PLUGIN_FOLDER?.replaceAll('\\', '/');

/** Set for each project, as projects do not inherit them. They end tests that hang, also on a machine with much other work. */
const limits = { testTimeout: 60_000, hookTimeout: 120_000, retry };

/** Adds the modules of the tests to those of the product. */
const withTestModules = (config: RsbuildConfig): RsbuildConfig => ({ ...config, plugins: [...(config.plugins ?? []), testedPlugins()] });

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
      extends: withRsbuildConfig({ cwd: import.meta.dirname, environmentName: 'node', modifyRsbuildConfig: withTestModules }),
      testEnvironment: 'node',
      // An author's tests import the product as a package. Its migrations need a loader, and modules such as `#deployment/server` exist in the build only.
      output: { bundleDependencies: ['@marquee/plugin', /^#/] },
      setupFiles: ['./tests/support/between-server-tests.ts'],
      include: folder
        ? [`${folder}/tests/server/**/*.test.ts`, `${folder}/tests/*.test.ts`]
        : [
            'tests/{architecture,docs,scripts,server,shared,contract,specification,faults}/**/*.test.ts',
            'tests/plugins/*/server/**/*.test.ts',
            'tests/plugins/*/contract.test.ts',
            ...checks,
            ...checkedFolders.flatMap((checked) => [`${checked}/tests/server/**/*.test.ts`, `${checked}/tests/*.test.ts`]),
          ],
    },
    {
      name: 'console',
      ...limits,
      extends: withRsbuildConfig({ cwd: import.meta.dirname, environmentName: 'web', modifyRsbuildConfig: withTestModules }),
      testEnvironment: 'happy-dom',
      setupFiles: ['./tests/support/dom.ts', './tests/support/between-tests.ts'],
      include: folder
        ? [`${folder}/tests/console/**/*.test.{ts,tsx}`]
        : [
            'tests/kernel/**/*.test.{ts,tsx}',
            'tests/plugins/*/console/**/*.test.{ts,tsx}',
            ...checkedFolders.map((checked) => `${checked}/tests/console/**/*.test.{ts,tsx}`),
          ],
    },
    ...(process.env.BENCH
      ? [
          {
            name: 'bench',
            extends: withRsbuildConfig({ cwd: import.meta.dirname, environmentName: 'node', modifyRsbuildConfig: withTestModules }),
            testEnvironment: 'node' as const,
            testTimeout: 1_800_000,
            hookTimeout: 7_200_000,
            include: ['tests/bench/*.bench.{ts,tsx}'],
          },
        ]
      : []),
  ],
});
