import { expect, test } from '@rstest/core';
import { importGraph } from './rules/imports.ts';
import { findingsOf } from './rules/plugin-rules.ts';
import { filesUnder } from './source.ts';

const files = ['src', 'tests', 'scripts', 'examples'].flatMap((folder) => filesUnder(folder, ['.ts', '.tsx', '.mjs']));

test('no files import each other, even through others', async () => {
  const graph = importGraph(files, new Set(files.map(({ path }) => path)));
  expect([...graph.values()].reduce((sum, others) => sum + others.size, 0)).toBeGreaterThan(1000);
  expect(await findingsOf('import-cycle', files)).toEqual([]);
});

test('a cycle through an alias is found, one of types alone is not', async () => {
  const [one, other] = ['src/kernel/index.ts', 'src/kernel/base/react/services.tsx'];
  const texts = (keyword: string) => [
    { path: one, text: `export { useService } from './base/react/services.tsx';\n` },
    { path: other, text: `\n${keyword} { useService } from '#kernel';\n` },
  ];
  expect((await findingsOf('import-cycle', texts('import'))).map(({ path, line }) => `${path}:${line}`)).toEqual([`${one}:1`, `${other}:2`]);
  expect(await findingsOf('import-cycle', texts('import type'))).toEqual([]);
});
