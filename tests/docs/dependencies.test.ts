import { readFileSync } from 'node:fs';
import { expect, test } from '@rstest/core';
import { pages } from './pages.ts';

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;
const text = pages().find(({ path }) => path === 'dependencies.md')?.text ?? '';
const [packages = ''] = text.split('## Pinned on purpose');
const rows = [...packages.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = '', cells = '']) => ({
  name,
  cells: cells.split('|').map((cell) => cell.trim()),
}));

test('each direct dependency has one row, and each row names a direct dependency', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

test('each row names the purpose of the dependency, its alternatives and its health', () => {
  expect(rows.filter(({ cells }) => cells.length !== 3 || cells.includes('')).map(({ name }) => name)).toEqual([]);
});
