import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { isChecked, isEveryPluginChecked } from '../support/checked-plugins.ts';
import { filesUnder } from './source.ts';

const source = filesUnder('src');
const lines = (text: string) => text.split('\n').length;

test('no file is longer than 300 lines, and no plugin file longer than 60', () => {
  expect(source.filter(({ text }) => lines(text) > 300).map(({ path, text }) => `${path}: ${lines(text)} lines`)).toEqual([]);
  expect(source.filter(({ path, text }) => /\/plugin\.ts$/.test(path) && path.includes('/plugins/') && lines(text) > 60).map(({ path }) => path)).toEqual([]);
});

test('no function has more than 60 lines, and no component more than 150', () => {
  const long = source.flatMap(({ path, text }) =>
    functionsIn(text).flatMap(({ name, size }) => {
      const isComponent = path.endsWith('.tsx') && /^[A-Z]/.test(name);
      return size > (isComponent ? 150 : 60) ? [`${path}: ${name} has ${size} lines`] : [];
    }),
  );
  expect(long).toEqual([]);
});

/** Finds the functions with a body by the indentation that the formatter gives them. */
function functionsIn(text: string): { name: string; size: number }[] {
  const rows = text.split('\n');
  return rows.flatMap((row, opening) => {
    if (!/(=> [([{]+|\)(: .+)? \{)$/.test(row) || /^\s*(\} )?(if|for|while|switch|catch|else)\b/.test(row)) return [];
    const indent = ' '.repeat(row.search(/\S/));
    const end = rows.findIndex((one, at) => at > opening && one.startsWith(indent) && /[)\]}]/.test(one.charAt(indent.length)));
    const isHead = (one: string) => one.startsWith(indent) && !/[\s)}]/.test(one.charAt(indent.length));
    const start = isHead(row) ? opening : rows.findLastIndex((one, at) => at < opening && isHead(one));
    const name = /(?:function\*?|const) (\w+)|(\w+)\(/.exec(rows[start] ?? '');
    return [{ name: name?.[1] ?? name?.[2] ?? '', size: end - start + 1 }];
  });
}

test('no file has a meaningless name', () => {
  const all = [...source, ...filesUnder('tests'), ...filesUnder('scripts', ['.ts', '.mjs'])];
  expect(all.filter(({ path }) => /(^|\/)(utils?|common|helpers?|managers?|misc)(\.|\/)/i.test(path)).map(({ path }) => path)).toEqual([]);
});

test('files are named in kebab case, component files like their component', () => {
  expect(
    source
      .filter(({ path }) => !/\/[a-z0-9]+(-[a-z0-9]+)*(\.module|\.d)?\.(ts|tsx)$/.test(path) && !/\/[A-Z][A-Za-z0-9]*\.tsx$/.test(path))
      .map(({ path }) => path),
  ).toEqual([]);
});

test('components contain no Chinese text', () => {
  const components = source.filter(({ path }) => path.endsWith('.tsx'));
  const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
  expect(components.filter(({ text }) => /[\u4e00-\u9fff]/.test(withoutComments(text))).map(({ path }) => path)).toEqual([]);
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

test('the manifest lists existing folders, and each contains a contract and both halves', () => {
  const { plugins } = JSON.parse(readFileSync('plugins.manifest.json', 'utf8')) as { plugins: string[] };
  const folders = readdirSync('src/plugins').sort();
  // Authors may have disabled a plugin that they check.
  if (isEveryPluginChecked) expect([...plugins].sort()).toEqual(folders);
  for (const id of folders.filter(isChecked)) {
    for (const file of ['contract.ts', 'console/plugin.ts', 'server/plugin.ts']) expect(existsSync(`src/plugins/${id}/${file}`), `${id}/${file}`).toBe(true);
  }
});

test('the plugin files of server halves have at most 40 lines in the median', () => {
  const counts = source.filter(({ path }) => /^src\/plugins\/[^/]+\/server\/plugin\.ts$/.test(path)).map(({ text }) => lines(text));
  expect(counts.toSorted((one, other) => one - other)[Math.floor(counts.length / 2)] ?? 0).toBeLessThanOrEqual(40);
});

test('the id of a plugin is the name of its folder in both halves', () => {
  for (const { path, text } of source.filter(({ path }) => /^src\/plugins\/[^/]+\/(console|server)\/plugin\.ts$/.test(path))) {
    expect({ path, id: /id: '([^']+)'/.exec(text)?.[1] }).toEqual({ path, id: path.split('/')[2] });
  }
});
