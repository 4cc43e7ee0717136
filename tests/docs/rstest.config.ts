import { join } from 'node:path';
import { withRsbuildConfig } from '@rstest/adapter-rsbuild';
import { defineConfig } from '@rstest/core';

const written = 'test-results/documented-plugin/tests/plugins/*';

const limits = { testTimeout: 30_000, hookTimeout: 60_000 };

/** Runs the tests of the plugin that `docs/writing-a-plugin.md` writes, as it writes them. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  pool: { maxWorkers: 1 },
  projects: [
    { name: 'server', ...limits, extends: withRsbuildConfig({ environmentName: 'node' }), testEnvironment: 'node', include: [`${written}/server/*.test.ts`] },
    {
      name: 'console',
      ...limits,
      extends: withRsbuildConfig({ environmentName: 'web' }),
      testEnvironment: 'happy-dom',
      setupFiles: ['./tests/support/dom.ts', './tests/support/between-tests.ts'],
      include: [`${written}/console/*.test.tsx`],
    },
  ],
});
