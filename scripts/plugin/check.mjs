/** Implements `check`: tests the rules for all plugins, and runs the plugins' own tests. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestPath } from '../manifest.mjs';
import { pluginsOfTree } from '../plugin-sources.mjs';
import { incrementalTypes, packageCommand, root } from '../prepare.mjs';
import { assertInTree, fromRoot, listedIds } from './deployment.mjs';

/** Uses one process, which loads the server once for all tests; they are too few to optimise the embedded database for. */
const workers = ['--pool.maxWorkers', '1', '--pool.execArgv=--max-semi-space-size=64', '--pool.execArgv=--liftoff-only'];

/** Architecture tests that a plugin can break; those of the kernel's API reports are left out. */
const rules = ['files', 'import-cycles', 'imports', 'platform-work', 'texts'].map((name) => `tests/architecture/${name}.test.ts`);

/** Leaves out tests that seed rows of the product's own plugins and count their lists. */
const others = ['export-round-trip', 'exports', 'filter-census', 'list-shapes', 'sql-statements'].flatMap((name) => [
  '--exclude',
  `tests/contract/${name}.test.ts`,
]);

export function run({ ids }) {
  assertInTree(ids);
  const folders = ids.flatMap((id) => [`src/plugins/${id}`, `tests/plugins/${id}`]).filter((path) => existsSync(fromRoot(path)));
  for (const id of ids) if (!folders.includes(`tests/plugins/${id}`)) console.log(`No tests found in tests/plugins/${id}.`);
  const tests = folders.filter((path) => path.startsWith('tests/')).map((path) => `${path}/`);
  const failed = withManifestOf(ids, (environment) =>
    [
      ['types', 'typescript', incrementalTypes],
      ['formatting and imports', '@biomejs/biome', ['check', '--error-on-warnings', ...folders]],
      ['tests', '@rstest/core', ['run', ...workers, ...rules, 'tests/contract/', ...tests, ...others]],
    ].filter(([title, name, args]) => !passes(title, name, args, environment)),
  );
  console.log(failed.length === 0 ? `\n${ids.join(', ')}: passed.` : `\n${ids.join(', ')}: failed in ${failed.map(([title]) => title).join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

function passes(title, name, args, environment) {
  console.log(`\n── ${title}`);
  return spawnSync(process.execPath, [packageCommand(name), ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } }).status === 0;
}

/** Runs `work` with a manifest of all plugins in the source tree, because a plugin must also work beside those that this deployment does not list. */
function withManifestOf(ids, work) {
  const listed = listedIds();
  const added = pluginsOfTree().filter((id) => !listed.includes(id));
  const environment = { NODE_ENV: 'test', DEBUG_PRINT_LIMIT: '0', CHECKED_PLUGINS: ids.join(',') };
  if (added.length === 0) return work(environment);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-check-'));
  try {
    const manifest = join(folder, 'checked.manifest.json');
    writeFileSync(manifest, JSON.stringify({ extends: manifestPath(), with: added }));
    return work({ ...environment, MARQUEE_MANIFEST: manifest });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
