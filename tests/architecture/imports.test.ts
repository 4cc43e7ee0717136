import { posix } from 'node:path';
import { expect, test } from '@rstest/core';
import { findingsOf } from './rules/plugin-rules.ts';
import { filesUnder, importsOf } from './source.ts';

const source = filesUnder('src');
const folderOf = posix.dirname;

test('no folder imports a forbidden module', async () => {
  expect(await findingsOf('import-boundary', source)).toEqual([]);
});

test('a plugin imports only the contract and the extension points of another plugin', async () => {
  expect(await findingsOf('foreign-inside', source)).toEqual([]);
});

test('a plugin that imports the contract of another lists it in its dependencies, and the reverse', async () => {
  expect(source.filter(({ path }) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path)).length).toBeGreaterThan(50);
  expect(await findingsOf('dependencies', source)).toEqual([]);
});

test('both halves of a plugin agree on whether it can be disabled', async () => {
  expect(await findingsOf('core-halves', source)).toEqual([]);
  expect(source.filter(({ path, text }) => /^src\/plugins\/[^/]+\/server\/plugin\.ts$/.test(path) && /^ {2,4}core: true,$/m.test(text)).length).toBeGreaterThan(
    0,
  );
});

test('no plugin imports a package that belongs to a kernel', async () => {
  expect(await findingsOf('kernel-package', source)).toEqual([]);
});

test.each([['mitt'], ['inversify'], ['axios'], ['i18next'], ['fastify']])('only one folder of one kernel imports %s', (name) => {
  const folders = new Set(source.filter((file) => importsOf(file).includes(name)).map(({ path }) => folderOf(path)));
  expect([...folders].length, [...folders].join(', ')).toBeLessThanOrEqual(1);
});

/** Layers of the console kernel, lowest first. A file imports its own layer and lower ones, types included; folders of one layer form no import cycle. */
const layers = ['base', 'platform', 'ui', 'host', 'crud', 'workbench', 'features', 'boot'];

/** Folders that are about to become plugins and stand above the workbench until then. */
const features: readonly string[] = [];

/** Imports of a feature from below, to be replaced by slots. */
const upward: readonly string[] = [];

/** Imports between files of the console kernel, style sheets and dynamic imports included. Its public index is above all layers. */
const kernelImports = source
  .filter(({ path }) => path.startsWith('src/kernel/') && path !== 'src/kernel/index.ts')
  .flatMap((file) => importsOf(file).map((to) => ({ from: file.path, to })))
  .filter(({ to }) => to.startsWith('src/kernel/'));

function layerOf(path: string): number {
  const [, , folder = ''] = path.split('/');
  return layers.indexOf(features.includes(folder) ? 'features' : folder);
}

test('a file of the console kernel imports its own layer and lower ones', () => {
  expect(kernelImports.flatMap(({ from, to }) => [from, to]).filter((path) => layerOf(path) < 0)).toEqual([]);
  const through = kernelImports.filter(({ from, to }) => layerOf(from) < layerOf(to)).map(({ from, to }) => `${from} imports ${to}`);
  expect(through.sort()).toEqual(upward);
});

test('folders of one layer of the console kernel form no import cycle', () => {
  const imported = new Map<string, Set<string>>();
  for (const { from, to } of kernelImports) {
    const [folder, other] = [folderOf(from), folderOf(to)];
    if (folder !== other && layerOf(from) === layerOf(to)) imported.set(folder, (imported.get(folder) ?? new Set()).add(other));
  }
  // Folders that import only sorted ones are sorted next; those in cycles remain.
  for (let sorted = 1; sorted > 0; ) {
    const next = [...imported].filter(([, others]) => ![...others].some((other) => imported.has(other)));
    for (const [folder] of next) imported.delete(folder);
    sorted = next.length;
  }
  expect([...imported.keys()]).toEqual([]);
});
