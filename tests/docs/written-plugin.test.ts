import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@rstest/core';
import { blocksOf } from './pages.ts';

const folder = join(process.cwd(), 'test-results/documented-plugin');

const run = (program: string, args: readonly string[], environment: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(process.cwd(), 'node_modules', program), ...args], {
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '0', ...environment },
  });
  return { status, said: status === 0 ? '' : stdout + stderr };
};

const blocksIn = (page: string) => blocksOf({ text: readFileSync(join('docs', page), 'utf8') });

/** Recipes are pieces of the same plugin; each is compiled where it could stand. */
const recipes = () => blocksIn('cookbook.md').map(({ language, text }, place) => ({ path: `src/plugins/lamp/recipes/recipe-${place + 1}.${language}`, text }));

test('who does what “Write a plugin in an afternoon” says has a plugin that compiles, runs and passes its tests', () => {
  rmSync(folder, { recursive: true, force: true });
  const files = [...blocksIn('writing-a-plugin.md').filter(({ path }) => path), ...recipes()];
  expect(files.map(({ path }) => path)).toEqual([...new Set(files.map(({ path }) => path))]);
  for (const { path, text } of files) {
    const file = join(folder, path as string);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(folder, 'plugins.manifest.json'), JSON.stringify({ extends: '../../plugins.manifest.json', with: ['./src/plugins/lamp'] }));
  const own = { extends: '../../tsconfig.json', include: ['src', 'tests', '../../src/**/*.d.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(own));

  expect(run('typescript/bin/tsc', ['-p', folder, '--noEmit', '--checkers', '1'])).toEqual({ status: 0, said: '' });
  const config = ['run', '--config', 'tests/docs/rstest.config.ts'];
  expect(run('@rstest/core/bin/rstest.js', config, { MARQUEE_MANIFEST: join(folder, 'plugins.manifest.json') })).toEqual({ status: 0, said: '' });
}, 120_000);
