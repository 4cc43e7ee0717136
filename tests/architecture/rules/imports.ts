import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsIn, importsOf, type SourceFile } from '../source.ts';
import { type Finding, isSource, lineOfMatch, pluginOf, type SourceRule } from './rule.ts';

interface Wall {
  /** Files that the wall surrounds. */
  readonly from: RegExp;
  /** Imports that they may not have. */
  readonly never: RegExp;
  readonly reason: string;
}

/** Forbidden imports. Biome reports most of them while typing; these hold without it. */
const walls: readonly Wall[] = [
  {
    from: /^src\/shared\/(?!deployment\.d)/,
    never: /^(#kernel|#server|#plugins|react|@arco|rxjs|node:|fastify|drizzle|src\/(kernel|server|plugins))/,
    reason: 'shared code runs in browsers and on servers and knows neither',
  },
  {
    from: /^src\/kernel\//,
    never: /^(#server|#plugins|node:|fastify|drizzle|src\/(server|plugins))/,
    reason: 'the console kernel knows no plugin and no server',
  },
  { from: /^src\/server\//, never: /^(#kernel|#plugins|react|@arco|src\/(kernel|plugins))/, reason: 'the server kernel knows no plugin and no browser' },
  // A long contract is split into parts that only the contract itself imports.
  {
    from: /^src\/plugins\/[^/]+\/([\w-]+-)?contract\.ts/,
    never: /^(?!#shared\/|#plugins\/[\w-]+\/contract$|typebox$|src\/plugins\/[^/]+\/(menus|events|[\w-]+-contract)\.ts$)/,
    reason: 'a contract is pure data: it imports #shared, typebox, contracts, menus.ts and events.ts only',
  },
  {
    from: /^src\/plugins\/[^/]+\/console\//,
    never: /^(#server|node:|axios|mitt|inversify|src\/(server|kernel))/,
    reason: 'a console half uses #kernel, #shared and contracts',
  },
  // Every console loads every plugin's first file, and the sign-in page every sign-in file; a contract loads with the first page that needs it.
  {
    from: /^src\/plugins\/[^/]+\/console\/(plugin|sign-in)\.ts$/,
    never: /^src\/plugins\/[^/]+\/([\w-]+-)?contract/,
    reason: 'every console loads this file at its start, and a contract only with the first page that needs it',
  },
  // Extension points that other consoles may use: slots and ports, which their first files import.
  {
    from: /^src\/plugins\/[^/]+\/extension\.ts$/,
    never: /^(?!#kernel$|#shared\/|src\/plugins\/[^/]+\/(menus|events)\.ts$)/,
    reason: 'the first files of other plugins import it, so it imports #kernel, #shared, menus.ts and events.ts only',
  },
  // Ports that other servers may use; their types come from shared modules only.
  {
    from: /^src\/plugins\/[^/]+\/server-extension\.ts$/,
    never: /^(?!#shared\/|src\/plugins\/[^/]+\/(menus|events|([\w-]+-)?contract)\.ts$)/,
    reason: 'other server halves import it, so it imports #shared, menus.ts, events.ts and contracts only',
  },
  {
    from: /^src\/plugins\/[^/]+\/server\//,
    never: /^(#kernel|react|@arco|src\/(server|kernel))/,
    reason: 'a server half uses #server, #shared and contracts',
  },
];

function throughWalls(file: SourceFile): Finding[] {
  return walls
    .filter(({ from }) => from.test(file.path))
    .flatMap(({ never, reason }) =>
      importsIn(file)
        .filter(({ name }) => never.test(name))
        .map(({ name, line }) => ({ path: file.path, line, reason: `${name} must not be imported here: ${reason}` })),
    );
}

function foreignInsides(file: SourceFile): Finding[] {
  const own = /^src\/plugins\/([^/]+)\//.exec(file.path)?.[1];
  if (!own) return [];
  const isPublic = (name: string) =>
    /^#plugins\/[\w-]+\/contract$/.test(name) ||
    (file.path.includes('/console/') && /^#plugins\/[\w-]+\/extension$/.test(name)) ||
    (file.path.includes('/server/') && /^#plugins\/[\w-]+\/server-extension$/.test(name));
  return importsIn(file)
    .filter(({ name }) => /^(#plugins\/|src\/plugins\/)/.test(name) && !name.startsWith(`src/plugins/${own}/`) && !isPublic(name))
    .map(({ name, line }) => ({ path: file.path, line, reason: `${name} is inside of another plugin; import its contract or its extension points` }));
}

const isHalf = ({ path }: SourceFile) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path);

/** Returns the ids that a plugin file lists under a property, as text. */
export const listedIds = (text: string, property: string): string[] =>
  [...(new RegExp(`\\b${property}: \\[([^\\]]*)\\]`).exec(text)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, id]) => id ?? '');

/** Returns the ids that a half must list as dependencies: the plugins whose contracts it imports, and of those it lists the ones whose extension points it imports. */
export function dependenciesOf(definition: SourceFile, files: readonly SourceFile[]): { required: string[]; listed: string[]; missing: string[] } {
  const folder = definition.path.replace(/plugin\.ts$/, '');
  const own = `src/plugins/${pluginOf(definition.path)}/`;
  const half = files.filter(
    (file) => isSource(file) && (file.path.startsWith(folder) || (file.path.startsWith(own) && /^[^/]*contract\.ts$/.test(file.path.slice(own.length)))),
  );
  const names = half.flatMap(importsOf);
  const imported = new Set(names.flatMap((name) => /^#plugins\/([\w-]+)\/contract$/.exec(name)?.[1] ?? []));
  const extended = new Set(names.flatMap((name) => /^#plugins\/([\w-]+)\/(?:server-)?extension$/.exec(name)?.[1] ?? []));
  const dependencies = listedIds(definition.text, 'dependencies');
  // A plugin whose extension point is used may also be an optional dependency.
  const known = [...dependencies, ...listedIds(definition.text, 'optionalDependencies')];
  return {
    required: [...imported].sort(),
    listed: dependencies.filter((id) => imported.has(id) || !extended.has(id)).sort(),
    missing: [...extended].filter((id) => !known.includes(id)).sort(),
  };
}

function wrongDependencies(definition: SourceFile, files: readonly SourceFile[]): Finding[] {
  const { required, listed, missing } = dependenciesOf(definition, files);
  const { path } = definition;
  const line = lineOfMatch(definition, /\bdependencies: \[|\bid: '/);
  return [
    ...required.filter((id) => !listed.includes(id)).map((id) => ({ path, line, reason: `dependencies does not list ${id}, whose contract is imported` })),
    ...listed.filter((id) => !required.includes(id)).map((id) => ({ path, line, reason: `dependencies lists ${id}, of which nothing is imported` })),
    ...missing.map((id) => ({ path, line, reason: `neither dependencies nor optionalDependencies lists ${id}, whose extension point is imported` })),
  ];
}

const isCore = ({ text }: SourceFile) => /^ {2,4}core: true,$/m.test(text);

/** Packages that only one folder of one kernel imports. */
const kernelPackages: readonly string[] = ['mitt', 'inversify', 'axios', 'i18next', 'fastify'];

/** The `imports` of package.json: names, which may end with a star, and the files they may stand for. */
const aliases = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).imports as Record<string, string | string[]>);

/** Returns the file that an import leads to; undefined for packages, declarations and built files. */
function fileOf(imported: string, paths: ReadonlySet<string>): string | undefined {
  if (!imported.startsWith('#')) return paths.has(imported) ? imported : undefined;
  const candidates = aliases.flatMap(([name, targets]) => {
    const [start = '', end] = name.split('*');
    if (end === undefined ? imported !== name : !imported.startsWith(start)) return [];
    return [targets].flat().map((target) => posix.normalize(target.replace('*', imported.slice(start.length))));
  });
  return candidates.find((path) => paths.has(path));
}

/** Type-only imports are erased, and so are those of `import()` types; neither runs another module. Line breaks stay. */
const withoutTypes = ({ path, text }: SourceFile): SourceFile => ({
  path,
  text: text
    .replace(/^(?:import|export) type\s[^;]*;/gm, (found) => found.replace(/[^\n]/g, ' '))
    .replace(/typeof import\([^)]*\)/g, (found) => found.replace(/[^\n]/g, ' ')),
});

/** Returns the files that each file runs, among `files` and the modules in `beside`. */
export function importGraph(sources: readonly SourceFile[], paths: ReadonlySet<string>): Map<string, Set<string>> {
  return new Map(sources.map((file) => [file.path, new Set(importsOf(withoutTypes(file)).flatMap((name) => fileOf(name, paths) ?? []))]));
}

/** Removes files that import no remaining one, and files that no remaining one imports, until only those of cycles are left. */
export function importCycles(graph: Map<string, Set<string>>): { path: string; others: string[] }[] {
  const prune = (isFree: (path: string) => boolean) => [...graph.keys()].filter(isFree).filter((path) => graph.delete(path)).length;
  for (let removed = 1; removed > 0; ) {
    const imported = new Set([...graph].flatMap(([, others]) => [...others]));
    removed = prune((path) => !imported.has(path)) + prune((path) => ![...(graph.get(path) ?? [])].some((other) => graph.has(other)));
  }
  return [...graph].map(([path, others]) => ({ path, others: [...others].filter((other) => graph.has(other)) }));
}

const isCode = ({ path }: SourceFile) => /\.(tsx?|mjs)$/.test(path);

/** Rules about imports. */
export const importRules: readonly SourceRule[] = [
  { id: 'import-boundary', find: (files) => files.filter(isSource).flatMap(throughWalls) },
  { id: 'foreign-inside', find: (files) => files.filter(isSource).flatMap(foreignInsides) },
  { id: 'dependencies', find: (files) => files.filter(isHalf).flatMap((definition) => wrongDependencies(definition, files)) },
  {
    id: 'core-halves',
    find(files) {
      const halves = files.filter(isHalf);
      return halves.flatMap((half) => {
        const other = halves.find(({ path }) => path !== half.path && pluginOf(path) === pluginOf(half.path));
        if (!isCore(half) || !other || isCore(other)) return [];
        return [
          { path: other.path, line: lineOfMatch(other, /\bid: '/), reason: 'the other half says core: true, so that it cannot be disabled; this one does not' },
        ];
      });
    },
  },
  {
    id: 'kernel-package',
    find: (files) =>
      files
        .filter(({ path }) => path.startsWith('src/plugins/'))
        .flatMap((file) =>
          importsIn(file)
            .filter(({ name }) => kernelPackages.includes(name))
            .map(({ name, line }) => ({ path: file.path, line, reason: `${name} belongs to a kernel, which offers what plugins need of it` })),
        ),
  },
  {
    id: 'import-cycle',
    find(files) {
      const sources = files.filter(isCode);
      const paths = new Set(sources.map(({ path }) => path));
      return importCycles(importGraph(sources, paths)).map(({ path, others }) => {
        const file = sources.find((one) => one.path === path) as SourceFile;
        const line = importsIn(file).find(({ name }) => others.includes(fileOf(name, paths) ?? ''))?.line ?? 1;
        return { path, line, reason: `it imports ${others.join(', ')}, which imports it again, directly or through others` };
      });
    },
  },
];
