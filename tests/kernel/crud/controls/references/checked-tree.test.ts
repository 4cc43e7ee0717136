import { expect, test } from '@rstest/core';
import { checkStateOf, filterTree, toggleEntry } from '../../../../../src/kernel/crud/controls/references/CheckTree.tsx';

const leaf = (value: string) => ({ value, title: value, isLeaf: true, children: [] });
const branch = (value: string, ...children: ReturnType<typeof leaf>[]) => ({ value, title: value, isLeaf: false, children });
const users = branch('users', leaf('add'), leaf('edit'));
const system = { ...branch('system'), children: [users, branch('posts', leaf('hire'))] };
const forest = [system, branch('desk', leaf('notice'))];
const values = (checked: ReadonlySet<string>) => [...checked].sort();

test('checking an entry checks its descendants and ancestors', () => {
  expect(values(toggleEntry(forest, 'users', new Set()))).toEqual(['add', 'edit', 'system', 'users']);
  expect(values(toggleEntry(forest, 'add', new Set()))).toEqual(['add', 'system', 'users']);
});

test('a partly checked entry is checked completely first, and cleared with its descendants after that', () => {
  const some = toggleEntry(forest, 'add', new Set());
  expect(checkStateOf(users, some)).toBe('some');
  const all = toggleEntry(forest, 'users', some);
  expect(checkStateOf(users, all)).toBe('all');
  expect(values(toggleEntry(forest, 'users', all))).toEqual(['system']);
});

test('a page stays when its last button is cleared', () => {
  const one = toggleEntry(forest, 'hire', new Set());
  expect(values(toggleEntry(forest, 'hire', one))).toEqual(['posts', 'system']);
});

test('matches are shown with their ancestors', () => {
  expect(filterTree(forest, 'hir')).toMatchObject([{ value: 'system', children: [{ value: 'posts', children: [{ value: 'hire' }] }] }]);
  expect(filterTree(forest, ' ')).toBe(forest);
});

test('while a search hides entries, a toggle changes the shown ones only', () => {
  const shown = filterTree(forest, 'add');
  const some = toggleEntry(forest, 'users', new Set(), shown);
  expect(values(some)).toEqual(['add', 'system', 'users']);
  const all = toggleEntry(forest, 'system', new Set());
  expect(values(toggleEntry(forest, 'users', all, shown))).toEqual(['edit', 'hire', 'posts', 'system', 'users']);
});
