import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from '@rstest/core';
import { filesUnder, importsOf } from './source.ts';

/** Layers of each part of the source, lowest first. Files beside the folders, such as a public face, stand above all layers. */
const parts: readonly { root: string; layers: readonly string[] }[] = [
  { root: 'src/server', layers: ['base', 'data', 'platform', 'host'] },
  { root: 'src/shared', layers: ['text', 'contract', 'manifest', 'identity', 'platform'] },
];

const maxFilesPerFolder = 20;

describe.each(parts)('$root', ({ root, layers }) => {
  const files = filesUnder(root).map((file) => ({ path: file.path, imports: importsOf(file).filter((imported) => imported.startsWith(`${root}/`)) }));
  const layered = files.filter(({ path }) => posix.dirname(path) !== root);
  const levelOf = (path: string) => layers.indexOf(path.split('/')[2] ?? '');

  test('has its files in layers, and a layer imports itself and lower ones', () => {
    expect(layered.filter(({ path }) => levelOf(path) === -1).map(({ path }) => path)).toEqual([]);
    const upward = layered.flatMap(({ path, imports }) =>
      imports.filter((imported) => levelOf(imported) === -1 || levelOf(imported) > levelOf(path)).map((imported) => `${path} imports ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  test('has no folders that import each other, even through others', () => {
    const imported = new Map<string, Set<string>>();
    for (const { path, imports } of layered) {
      const folder = posix.dirname(path);
      const others = imports.map((file) => posix.dirname(file)).filter((other) => other !== folder);
      imported.set(folder, new Set([...(imported.get(folder) ?? []), ...others]));
    }
    // Removes folders that import no remaining one, until none is left but those of circles and the ones above them.
    const removable = () => [...imported].filter(([, others]) => ![...others].some((other) => imported.has(other))).map(([folder]) => folder);
    for (let next = removable(); next.length > 0; next = removable()) for (const folder of next) imported.delete(folder);
    expect([...imported.keys()]).toEqual([]);
  });

  test(`has at most ${maxFilesPerFolder} files in a folder`, () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > maxFilesPerFolder)).toEqual([]);
  });
});

test('base knows neither HTTP nor SQL', () => {
  const foreign = filesUnder('src/server/base').flatMap((file) =>
    importsOf(file).filter((imported) => /^(@?fastify|drizzle-orm|pg|@electric-sql)/.test(imported)),
  );
  expect(foreign).toEqual([]);
});

test('a module of shared is found by its name, whichever layer it is in', () => {
  const names = filesUnder('src/shared').map(({ path }) => posix.basename(path));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const folders = parts.filter(({ root }) => root === 'src/shared').flatMap(({ root, layers }) => layers.map((layer) => `./${root}/${layer}/*.ts`));
  expect(JSON.parse(readFileSync('package.json', 'utf8')).imports['#shared/*']).toEqual(folders);
  expect(JSON.parse(readFileSync('tsconfig.json', 'utf8')).compilerOptions.paths['#shared/*']).toEqual(folders);
});
