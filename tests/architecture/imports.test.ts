import { posix } from 'node:path';
import { expect, test } from '@rstest/core';
import { filesUnder, importsOf } from './source.ts';

const source = filesUnder('src');
const folderOf = posix.dirname;

/** Forbidden imports: `from` is a path prefix, `never` matches the imports. Biome reports the same while typing; this test holds without it. */
const walls: readonly { from: RegExp; never: RegExp }[] = [
  { from: /^src\/shared\/(?!deployment\.d)/, never: /^(#kernel|#server|#plugins|react|@arco|rxjs|node:|fastify|drizzle|src\/(kernel|server|plugins))/ },
  { from: /^src\/kernel\//, never: /^(#server|#plugins|node:|fastify|drizzle|src\/(server|plugins))/ },
  { from: /^src\/server\//, never: /^(#kernel|#plugins|react|@arco|src\/(kernel|plugins))/ },
  // A long contract is split into parts that only the contract itself imports.
  {
    from: /^src\/plugins\/[^/]+\/([\w-]+-)?contract\.ts/,
    never: /^(?!#shared\/|#plugins\/[\w-]+\/contract$|typebox$|src\/plugins\/[^/]+\/(menus|events|[\w-]+-contract)\.ts$)/,
  },
  { from: /^src\/plugins\/[^/]+\/console\//, never: /^(#server|node:|axios|mitt|inversify|src\/(server|kernel))/ },
  // Every console loads every plugin's first file, and the sign-in page every sign-in file; a contract loads with the first page that needs it.
  { from: /^src\/plugins\/[^/]+\/console\/(plugin|sign-in)\.ts$/, never: /^src\/plugins\/[^/]+\/([\w-]+-)?contract/ },
  // Extension points that other consoles may use: slots and ports, which their first files import.
  { from: /^src\/plugins\/[^/]+\/extension\.ts$/, never: /^(?!#kernel$|#shared\/|src\/plugins\/[^/]+\/(menus|events)\.ts$)/ },
  // Ports that other servers may use; their types come from shared modules only.
  { from: /^src\/plugins\/[^/]+\/server-extension\.ts$/, never: /^(?!#shared\/|src\/plugins\/[^/]+\/(menus|events|([\w-]+-)?contract)\.ts$)/ },
  { from: /^src\/plugins\/[^/]+\/server\//, never: /^(#kernel|react|@arco|src\/(server|kernel))/ },
];

test('no folder imports a forbidden module', () => {
  const through = source.flatMap((file) =>
    walls
      .filter(({ from }) => from.test(file.path))
      .flatMap(({ never }) =>
        importsOf(file)
          .filter((name) => never.test(name))
          .map((name) => `${file.path} imports ${name}`),
      ),
  );
  expect(through).toEqual([]);
});

test('a plugin imports only the contract and the extension points of another plugin', () => {
  const inside = source.flatMap((file) => {
    const own = /^src\/plugins\/([^/]+)\//.exec(file.path)?.[1];
    if (!own) return [];
    const foreign = importsOf(file).filter((name) => /^(#plugins\/|src\/plugins\/)/.test(name) && !name.startsWith(`src/plugins/${own}/`));
    return foreign
      .filter((name) => !/^#plugins\/[\w-]+\/contract$/.test(name))
      .filter((name) => !(file.path.includes('/console/') && /^#plugins\/[\w-]+\/extension$/.test(name)))
      .filter((name) => !(file.path.includes('/server/') && /^#plugins\/[\w-]+\/server-extension$/.test(name)))
      .map((name) => `${file.path} imports ${name}`);
  });
  expect(inside).toEqual([]);
});

test('a plugin that imports the contract of another lists it in its dependencies, and the reverse', () => {
  for (const definition of source.filter(({ path }) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path))) {
    const folder = definition.path.replace(/plugin\.ts$/, '');
    const own = definition.path.split('/')[2];
    const half = source.filter(
      ({ path }) => path.startsWith(folder) || (path.startsWith(`src/plugins/${own}/`) && /^[^/]*contract\.ts$/.test(path.slice(`src/plugins/${own}/`.length))),
    );
    const imported = new Set(half.flatMap(importsOf).flatMap((name) => /^#plugins\/([\w-]+)\/contract$/.exec(name)?.[1] ?? []));
    const said = (name: string) =>
      [...(new RegExp(`${name}: \\[([^\\]]*)\\]`).exec(definition.text)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, id]) => id ?? '');
    const extended = new Set(half.flatMap(importsOf).flatMap((name) => /^#plugins\/([\w-]+)\/(?:server-)?extension$/.exec(name)?.[1] ?? []));
    const dependencies = said('dependencies').filter((id) => imported.has(id) || !extended.has(id));
    expect({ plugin: definition.path, dependencies: dependencies.sort() }).toEqual({ plugin: definition.path, dependencies: [...imported].sort() });
    // A plugin whose extension point is used may also be an optional dependency.
    const known = [...said('dependencies'), ...said('optionalDependencies')];
    expect([...extended].filter((id) => !known.includes(id)).map((id) => `${definition.path} has no dependency on ${id}`)).toEqual([]);
  }
});

test('both halves of a plugin agree on whether it can be disabled', () => {
  const halves = source.filter(({ path }) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path));
  const cores = (half: string) =>
    halves.filter(({ path, text }) => path.endsWith(`${half}/plugin.ts`) && /^ {2,4}core: true,$/m.test(text)).map(({ path }) => path.split('/')[2]);
  expect(cores('console')).toEqual(cores('server'));
  expect(cores('server').length).toBeGreaterThan(0);
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
