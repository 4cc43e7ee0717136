import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { isEveryPluginChecked } from '../support/checked-plugins.ts';
import { findingsOf } from './rules/plugin-rules.ts';
import { filesUnder } from './source.ts';

const source = filesUnder('src');
const lines = (text: string) => text.split('\n').length;

test('no file is longer than 300 lines, and no plugin file longer than 60', async () => {
  expect(await findingsOf('file-length', source)).toEqual([]);
});

test('no function has more than 60 lines, and no component more than 150', async () => {
  expect(await findingsOf('function-length', source)).toEqual([]);
});

test('files have a meaningful name in kebab case, component files that of their component', async () => {
  expect(await findingsOf('file-name', [...source, ...filesUnder('tests'), ...filesUnder('scripts', ['.ts', '.mjs'])])).toEqual([]);
});

test('components contain no Chinese text', async () => {
  expect(await findingsOf('component-text', source)).toEqual([]);
});

test('every export of the kernels and of shared has a doc comment', () => {
  const silent = source
    .filter(({ path }) => /^src\/(shared|server|kernel)\//.test(path) && !path.endsWith('index.ts'))
    .flatMap(({ path, text }) => {
      const rows = text.split('\n');
      return rows.flatMap((row, index) => {
        const name = /^export (?:default )?(?:abstract )?(?:async )?(?:const|function|class|interface) (\w+)/.exec(row)?.[1];
        return name && !/(\*\/|^\s*\*)/.test(rows[index - 1] ?? '') ? [`${path}: ${name}`] : [];
      });
    });
  expect(silent.length, silent.join('\n')).toBeLessThanOrEqual(silentExports);
});

/** Maximum number of exports without a doc comment because name and type suffice (small props, enumerations); the number may only decrease. */
const silentExports = 40;

test('the manifest lists existing folders, and each contains a contract and both halves', async () => {
  const { plugins } = JSON.parse(readFileSync('plugins.manifest.json', 'utf8')) as { plugins: string[] };
  const folders = readdirSync('src/plugins').sort();
  // Authors may have disabled a plugin that they check.
  if (isEveryPluginChecked) expect([...plugins].sort()).toEqual(folders);
  expect(await findingsOf('plugin-parts', source)).toEqual([]);
});

test('the plugin files of server halves have at most 40 lines in the median', () => {
  const counts = source.filter(({ path }) => /^src\/plugins\/[^/]+\/server\/plugin\.ts$/.test(path)).map(({ text }) => lines(text));
  expect(counts.toSorted((one, other) => one - other)[Math.floor(counts.length / 2)] ?? 0).toBeLessThanOrEqual(40);
});

test('the id of a plugin is the name of its folder in both halves', async () => {
  expect(await findingsOf('plugin-id', source)).toEqual([]);
});

test('no two plugins create a table of the same name', async () => {
  expect(await findingsOf('unique-table', filesUnder('src/plugins', ['.sql']))).toEqual([]);
});
