import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from '@rstest/core';
import { filesUnder, importsOf, type SourceFile } from './source.ts';

const files = ['src', 'tests', 'scripts', 'examples'].flatMap((folder) => filesUnder(folder, ['.ts', '.tsx', '.mjs']));
const paths = new Set(files.map(({ path }) => path));

/** The `imports` of package.json: names, which may end with a star, and the files they may stand for. */
const aliases = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).imports as Record<string, string | string[]>);

/** Returns the file of the project that an import leads to; undefined for packages, declarations and built files. */
function fileOf(imported: string): string | undefined {
  if (!imported.startsWith('#')) return paths.has(imported) ? imported : undefined;
  const candidates = aliases.flatMap(([name, targets]) => {
    const [start = '', end] = name.split('*');
    if (end === undefined ? imported !== name : !imported.startsWith(start)) return [];
    return [targets].flat().map((target) => posix.normalize(target.replace('*', imported.slice(start.length))));
  });
  return candidates.find((path) => paths.has(path));
}

/** Type-only imports are erased, and so are those of `import()` types; neither runs another module. */
const withoutTypes = ({ path, text }: SourceFile) => ({
  path,
  text: text.replace(/^(?:import|export) type\s[^;]*;/gm, '').replace(/typeof import\([^)]*\)/g, ''),
});

/** Removes files that import no remaining one, and files that no remaining one imports, until only those of cycles are left. */
function cyclic(graph: Map<string, Set<string>>): string[] {
  const prune = (isFree: (path: string) => boolean) => [...graph.keys()].filter(isFree).filter((path) => graph.delete(path)).length;
  for (let removed = 1; removed > 0; ) {
    const imported = new Set([...graph].flatMap(([, others]) => [...others]));
    removed = prune((path) => !imported.has(path)) + prune((path) => ![...(graph.get(path) ?? [])].some((other) => graph.has(other)));
  }
  return [...graph].map(([path, others]) => `${path} imports ${[...others].filter((other) => graph.has(other)).join(', ')}`);
}

const importGraph = (sources: readonly SourceFile[]) =>
  new Map(sources.map((file) => [file.path, new Set(importsOf(withoutTypes(file)).flatMap((name) => fileOf(name) ?? []))]));

test('no files import each other, even through others', () => {
  const graph = importGraph(files);
  expect([...graph.values()].reduce((sum, others) => sum + others.size, 0)).toBeGreaterThan(1000);
  expect(cyclic(graph)).toEqual([]);
});

test('a cycle through an alias is found, one of types alone is not', () => {
  const [one, other] = ['src/kernel/index.ts', 'src/kernel/base/react/services.tsx'];
  const texts = (keyword: string) => [
    { path: one, text: `export { useService } from './base/react/services.tsx';\n` },
    { path: other, text: `${keyword} { useService } from '#kernel';\n` },
  ];
  expect(cyclic(importGraph(texts('import')))).toHaveLength(2);
  expect(cyclic(importGraph(texts('import type')))).toEqual([]);
});
