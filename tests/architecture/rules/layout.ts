import type { SourceFile } from '../source.ts';
import { type Finding, isSource, lineOfMatch, pluginOf, type SourceRule } from './rule.ts';

const lines = (text: string) => text.split('\n').length;
const isPluginFile = (path: string) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path);

/** Finds the functions with a body by the indentation that the formatter gives them. */
function functionsIn(text: string): { name: string; line: number; size: number }[] {
  const rows = text.split('\n');
  return rows.flatMap((row, opening) => {
    if (!/(=> [([{]+|\)(: .+)? \{)$/.test(row) || /^\s*(\} )?(if|for|while|switch|catch|else)\b/.test(row)) return [];
    const indent = ' '.repeat(row.search(/\S/));
    const end = rows.findIndex((one, at) => at > opening && one.startsWith(indent) && /[)\]}]/.test(one.charAt(indent.length)));
    const isHead = (one: string) => one.startsWith(indent) && !/[\s)}]/.test(one.charAt(indent.length));
    const start = isHead(row) ? opening : rows.findLastIndex((one, at) => at < opening && isHead(one));
    const name = /(?:function\*?|const) (\w+)|(\w+)\(/.exec(rows[start] ?? '');
    return [{ name: name?.[1] ?? name?.[2] ?? '', line: start + 1, size: end - start + 1 }];
  });
}

function longFunctions({ path, text }: SourceFile): Finding[] {
  return functionsIn(text).flatMap(({ name, line, size }) => {
    const limit = path.endsWith('.tsx') && /^[A-Z]/.test(name) ? 150 : 60;
    return size > limit ? [{ path, line, reason: `${name} has ${size} lines; at most ${limit} are allowed` }] : [];
  });
}

const isWellNamed = (path: string) => /\/[a-z0-9]+(-[a-z0-9]+)*(\.module|\.d)?\.(ts|tsx)$/.test(path) || /\/[A-Z][A-Za-z0-9]*\.tsx$/.test(path);
const isMeaningless = (path: string) => /(^|\/)(utils?|common|helpers?|managers?|misc)(\.|\/)/i.test(path);

/** Rules about the size, the names and the set of files. */
export const layoutRules: readonly SourceRule[] = [
  {
    id: 'file-length',
    find: (files) =>
      files.filter(isSource).flatMap(({ path, text }) => {
        const limit = isPluginFile(path) ? 60 : 300;
        return lines(text) > limit ? [{ path, line: limit + 1, reason: `the file has ${lines(text)} lines; at most ${limit} are allowed` }] : [];
      }),
  },
  { id: 'function-length', find: (files) => files.filter(isSource).flatMap(longFunctions) },
  {
    id: 'file-name',
    find: (files) =>
      files.flatMap((file) => [
        ...(isMeaningless(file.path) ? [{ path: file.path, line: 1, reason: 'the name does not say what the file contains' }] : []),
        ...(isSource(file) && !isWellNamed(file.path)
          ? [{ path: file.path, line: 1, reason: 'files are named in kebab case, component files like their component' }]
          : []),
      ]),
  },
  {
    id: 'plugin-parts',
    find(files) {
      const ids = new Set(files.filter(({ path }) => path.startsWith('src/plugins/')).flatMap(({ path }) => pluginOf(path) ?? []));
      const paths = new Set(files.map(({ path }) => path));
      return [...ids].flatMap((id) =>
        ['contract.ts', 'console/plugin.ts', 'server/plugin.ts']
          .map((part) => `src/plugins/${id}/${part}`)
          .filter((path) => !paths.has(path))
          .map((path) => ({ path, line: 1, reason: 'the file is missing: a plugin has a contract, a console half and a server half' })),
      );
    },
  },
  {
    id: 'plugin-id',
    find: (files) =>
      files
        .filter(({ path }) => isPluginFile(path))
        .flatMap((file) => {
          const id = /id: '([^']+)'/.exec(file.text)?.[1];
          const wanted = pluginOf(file.path);
          return id === wanted ? [] : [{ path: file.path, line: lineOfMatch(file, /id: '/), reason: `the id is ${id}; the folder says ${wanted}` }];
        }),
  },
  {
    id: 'unique-table',
    find(files, { source }) {
      const tables = (path: string, text: string) => [...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, table = '']) => ({ path, table }));
      const own = new Set(files.map(({ path }) => pluginOf(path)));
      const migrations = files.filter(({ path }) => path.endsWith('.sql'));
      if (migrations.length === 0) return [];
      const others = new Map(
        source()
          .filter(({ path }) => path.endsWith('.sql') && !own.has(pluginOf(path)))
          .flatMap(({ path, text }) => tables(path, text))
          .map(({ path, table }) => [table, path]),
      );
      return migrations.flatMap((file) =>
        tables(file.path, file.text)
          .filter(({ table }) => others.has(table))
          .map(({ path, table }) => ({
            path,
            line: lineOfMatch(file, new RegExp(`create table (?:if not exists )?${table}\\b`, 'i')),
            reason: `${others.get(table)} creates a table called ${table} already`,
          })),
      );
    },
  },
];
